#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The primary keys of rows that have no number (`WITHOUT ROWID`), each once: a row is known by its place here, which is given when it is first met.
///
/// Keys lie end to end in one buffer, so that a row costs its key's bytes and 16 to 20 more.
final class RowKeys {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Places plus one; 0 is an empty slot.
  private var slots: [UInt32] = []
  private var scratch: [UInt8] = []
  private let encoding: SQLiteEncoding

  /// - Parameter encoding: The one that the database keeps its texts in: keys are kept as they lie there.
  init(_ encoding: SQLiteEncoding) { self.encoding = encoding }

  /// The place of the key that stands in a statement's columns from `first` on.
  func place(of statement: borrowing SQLiteStatement, columns: Range<Int>) throws(SQLiteError) -> UInt64 {
    if (ends.count + 1) * 4 > slots.count * 3 { grow() }
    let slot = slot(of: statement, columns)
    if slots[slot] != 0 { return UInt64(slots[slot] - 1) }
    guard ends.count < Int(UInt32.max) - 1 else { throw SQLiteError("walk", code: .tooBig, message: "more rows than can be kept apart") }
    bytes += scratch
    ends.append(bytes.count)
    slots[slot] = UInt32(ends.count)
    return UInt64(ends.count - 1)
  }

  /// The same for a key that may not have been met: nil then, and it isn't kept.
  func knownPlace(of statement: borrowing SQLiteStatement, columns: Range<Int>) -> UInt64? {
    if slots.isEmpty { return nil }
    let slot = slot(of: statement, columns)
    return slots[slot] == 0 ? nil : UInt64(slots[slot] - 1)
  }

  private func slot(of statement: borrowing SQLiteStatement, _ columns: Range<Int>) -> Int {
    scratch.removeAll(keepingCapacity: true)
    for column in columns { append(statement.value(at: column)) }
    return scratch.withUnsafeBytes { self.slot(of: $0) }
  }

  /// Binds the key of a place to a statement's parameters from `first` on.
  func bind(_ place: UInt64, to statement: borrowing SQLiteStatement, from first: Int) throws(SQLiteError) {
    let range = range(of: Int(place))
    var failure: SQLiteError?
    bytes.withUnsafeBytes { all in
      var rest = UnsafeRawBufferPointer(rebasing: all[range])
      var index = first
      do throws(SQLiteError) {
        while !rest.isEmpty {
          try statement.bind(Self.take(&rest), in: encoding, at: index)
          index += 1
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func range(of place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  private func slot(of key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: key)
    var slot = Int(UInt(bitPattern: hasher.finalize()).multipliedFullWidth(by: UInt(slots.count)).high)
    while slots[slot] != 0, !holds(key, at: Int(slots[slot]) - 1) { slot = slot + 1 == slots.count ? 0 : slot + 1 }
    return slot
  }

  private func holds(_ key: UnsafeRawBufferPointer, at place: Int) -> Bool {
    let range = range(of: place)
    guard range.count == key.count, let start = key.baseAddress else { return range.isEmpty && key.isEmpty }
    return bytes.withUnsafeBytes { memcmp($0.baseAddress! + range.lowerBound, start, range.count) == 0 }
  }

  private func grow() {
    slots = Array(repeating: 0, count: max(16, slots.count + slots.count / 2))
    for place in ends.indices {
      let slot = bytes.withUnsafeBytes { self.slot(of: UnsafeRawBufferPointer(rebasing: $0[range(of: place)])) }
      slots[slot] = UInt32(place + 1)
    }
  }

  // MARK: Values as bytes: a tag, a length where there is one, the content

  private func append(_ value: SQLiteValue) {
    switch value {
    case .null: scratch.append(0)
    case .integer(let integer): append(1, fixed: UInt64(bitPattern: integer))
    case .real(let real): append(2, fixed: real.bitPattern)
    case .text(let bytes): append(3, bytes)
    case .blob(let bytes): append(4, bytes)
    }
  }

  private func append(_ tag: UInt8, fixed: UInt64) {
    scratch.append(tag)
    withUnsafeBytes(of: fixed) { scratch.append(contentsOf: $0) }
  }

  private func append(_ tag: UInt8, _ content: UnsafeRawBufferPointer) {
    append(tag, fixed: UInt64(content.count))
    scratch.append(contentsOf: content)
  }

  private static func take(_ rest: inout UnsafeRawBufferPointer) -> SQLiteValue {
    let tag = rest[0]
    if tag == 0 {
      rest = UnsafeRawBufferPointer(rebasing: rest[1...])
      return .null
    }
    let fixed = rest.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
    rest = UnsafeRawBufferPointer(rebasing: rest[9...])
    if tag == 1 { return .integer(Int64(bitPattern: fixed)) }
    if tag == 2 { return .real(Double(bitPattern: fixed)) }
    let content = UnsafeRawBufferPointer(rebasing: rest[..<Int(fixed)])
    rest = UnsafeRawBufferPointer(rebasing: rest[Int(fixed)...])
    return tag == 3 ? .text(content) : .blob(content)
  }
}
