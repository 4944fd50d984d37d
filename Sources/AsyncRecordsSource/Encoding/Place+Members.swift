import AccountExport
import JSONStreaming

/// Members of an object, elements of an array, or the value itself: each is begun, written and ended.
extension Place {
  /// What must be known of a member until it ends.
  struct Member {
    var entry = Entry(keyStart: 0, valueStart: 0)
    var isKept = false
    /// The entry of the same key that this one replaces.
    var replaced: Int?
    var isSecret = false
    var redactions = 0
  }

  func begin(key: String) throws -> Member {
    try check(.object)
    var member = Member()
    member.isKept = true
    member.redactions = fragment.redactions
    member.entry.keyStart = fragment.json.count + (entries.isEmpty ? 0 : 1)
    var key = key
    key.withUTF8 {
      fragment.json.userKey(utf8: $0)
      if level > 0 { member.isSecret = row.isSecret(key: $0) }
    }
    member.entry.valueStart = fragment.json.count
    if level == 0 && row.isExpected(self, member.entry) { return member }
    member.replaced = find(member.entry.keyStart..<member.entry.valueStart)
    if level == 0 { member.entry.name = key }
    return member
  }

  func beginElement() throws -> Member {
    try check(.array)
    var member = Member()
    member.isKept = chance != .none
    member.entry.keyStart = fragment.json.count + (count == 0 ? 0 : 1)
    member.entry.valueStart = member.entry.keyStart
    if chance == .pairs && count % 2 == 1 { member.isSecret = isSecretPair }
    count += 1
    return member
  }

  /// Whether the element that was written last is a key's text that makes a secret of the value behind it.
  private var isSecretPair: Bool {
    guard let key = entries.last else { return false }
    var isSecret = false
    fragment.json.withBytes { bytes in
      JSONForm(UnsafeRawBufferPointer(rebasing: bytes[key.keyStart..<key.valueEnd])).withText { isSecret = row.isSecret(key: $0) }
    }
    return isSecret
  }

  func beginItself() throws -> Member {
    try check(.empty)
    state = .scalar
    return Member()
  }

  func end(_ member: consuming Member) {
    if !member.isKept { return }
    var entry = member.entry
    entry.valueEnd = fragment.json.count
    entry.redactions = fragment.redactions - member.redactions
    append(entry)
    if let replaced = member.replaced { remove(replaced) }
  }

  private func append(_ entry: Entry) {
    entries.append(entry)
    if entries.count < KeyIndex.few || state != .object { return }
    fragment.json.withBytes { bytes in
      while index.count < entries.count {
        let known = entries[index.count]
        index.add(UnsafeRawBufferPointer(rebasing: bytes[known.keyStart..<known.valueStart]))
      }
    }
  }

  /// The entry of a key that has been written already.
  private func find(_ key: Range<Int>) -> Int? {
    fragment.json.withBytes { bytes in
      let wanted = UnsafeRawBufferPointer(rebasing: bytes[key])
      let isEqual = { (index: Int) in
        let entry = self.entries[index]
        return !entry.isReplaced && UnsafeRawBufferPointer(rebasing: bytes[entry.keyStart..<entry.valueStart]).isSame(as: wanted)
      }
      if index.count > 0 { return index.find(wanted, isEqual: isEqual) }
      return entries.indices.first(where: isEqual)
    }
  }

  /// Takes out an entry whose key came again: the last one counts. Another one follows it, so a comma goes with it.
  private func remove(_ replaced: Int) {
    let gone = entries[replaced]
    let range = gone.keyStart..<(gone.valueEnd + 1)
    fragment.removeAll(in: range, row)
    entries[replaced] = Entry(keyStart: gone.keyStart, valueStart: gone.keyStart, valueEnd: gone.keyStart, isReplaced: true)
    for later in (replaced + 1)..<entries.count {
      entries[later].keyStart -= range.count
      entries[later].valueStart -= range.count
      entries[later].valueEnd -= range.count
    }
  }

  /// The nested container that a key has been given already, if it is still open.
  private func container(of key: Range<Int>, _ kind: State) -> Place? {
    guard let known = find(key) else { return nil }
    let place = entries[known].valueStart
    for hole in fragment.holes where hole.offset == place {
      if case .place(let nested) = hole.content, nested.state == kind { return nested }
    }
    return nil
  }

  // MARK: Values

  /// Writes a value that is whole at once.
  @inline(__always)
  func scalar(_ member: consuming Member, masked: Bool = true, _ write: (inout JSONWriter) throws -> Void) rethrows {
    if masked && member.isSecret { fragment.redact() } else { try write(&fragment.json) }
    end(member)
  }

  func text(_ member: consuming Member, _ value: String) {
    var value = value
    value.withUTF8 { utf8 in
      if !utf8.isEmpty && (member.isSecret || row.isSecret(form: utf8)) {
        fragment.redact()
      } else {
        fragment.json.text(utf8: utf8)
      }
    }
    end(member)
  }

  func number(_ member: consuming Member, digits: String) throws {
    if member.isSecret {
      fragment.redact()
    } else {
      var digits = digits
      let isNumber = digits.withUTF8 { utf8 in
        do throws(JSONWriterError) {
          try fragment.json.number(digits: UnsafeRawBufferPointer(utf8))
          return true
        } catch { return false }
      }
      if !isNumber { throw fault(.number) }
    }
    end(member)
  }

  /// A key of a value that isn't there: a row has it all the same, other objects don't.
  func absent(key: String) throws {
    if level > 0 { return try check(.object) }
    let mark = fragment.mark()
    let member = try begin(key: key)
    if member.replaced != nil { return fragment.rewind(to: mark, row) }
    scalar(member, masked: false) { $0.null() }
  }

  // MARK: Values in values

  /// Writes a value by its own `encode(to:)`, or as its type is written here. One that throws leaves nothing.
  func encode<Value: Encodable>(_ value: Value, key: some CodingKey) throws {
    try encode(value, key: key) { try begin(key: key.stringValue) }
  }

  func encodeElement<Value: Encodable>(_ value: Value) throws {
    let number = count
    do { try encode(value, key: ElementKey(number)) { try beginElement() } } catch {
      if state == .array { count = number }
      throw error
    }
  }

  private func encode<Value: Encodable>(_ value: Value, key: any CodingKey, _ begin: () throws -> Member) throws {
    let mark = fragment.mark()
    var member = try begin()
    let valueMark = member.isSecret ? fragment.mark() : nil
    var nested = row.place(in: fragment, parent: self, key: key)
    do { try row.write(value, to: nested) } catch {
      row.recycle(&nested)
      fragment.top = self
      fragment.rewind(to: mark, row)
      if level == 0 { row.matched = min(row.matched, entries.count) }
      throw error
    }
    nested.close()
    member.entry.isMoment = nested.isMoment
    row.recycle(&nested)
    fragment.top = self
    if let valueMark, fragment.isMaskable(member.entry.valueStart..<fragment.json.count) {
      fragment.rewind(to: valueMark, row)
      fragment.redact()
    }
    end(member)
  }

  /// Writes the value of this place by another's `encode(to:)`.
  func encodeItself<Value: Encodable>(_ value: Value) throws {
    try check(.empty)
    let mark = fragment.mark()
    do { try row.write(value, to: self) } catch {
      if state != .ended { restart(at: mark) }
      throw error
    }
  }

  // MARK: Containers of their own

  /// Opens a container below a key; the same key again gives the same one.
  func nested(_ kind: State, key: some CodingKey) -> Place {
    do {
      let mark = fragment.mark()
      let member = try begin(key: key.stringValue)
      if member.replaced != nil, let known = container(of: member.entry.keyStart..<member.entry.valueStart, kind) {
        fragment.rewind(to: mark, row)
        return known
      }
      return dig(member, kind, key)
    } catch { return row.lost(error) }
  }

  func nestedElement(_ kind: State) -> Place {
    let number = count
    do { return dig(try beginElement(), kind, ElementKey(number)) } catch { return row.lost(error) }
  }

  private func dig(_ member: consuming Member, _ kind: State, _ key: any CodingKey) -> Place {
    if depth + 1 > row.depthLimit { return row.lost(fault(.depth)) }
    let place = row.place(in: row.ownFragment(), parent: self, key: key)
    fragment.dig(.place(place), isSecret: member.isSecret)
    end(member)
    if kind != .empty { place.open(kind) }
    return place
  }
}

/// The number of an array's element.
struct ElementKey: CodingKey {
  private let number: Int

  init(_ number: Int) { self.number = number }
  init?(intValue: Int) { number = intValue }
  init?(stringValue: String) { return nil }

  var intValue: Int? { number }
  var stringValue: String { "\(number)" }
}
