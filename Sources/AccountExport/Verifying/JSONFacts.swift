internal import JSONReading

/// What one pass over a JSON file of the bundle finds: that it is an array of rows with the same keys, the kinds of their values, what is
/// masked, and which files are referred to.
struct JSONFacts: JSONEventHandler, ~Copyable {
  /// A `$file` object, or a document's row: what it says of a file below `data/`.
  struct Reference {
    var path: [UInt8] = []
    var digest: [UInt8] = []
    var size: [UInt8] = []
  }

  /// Rows of the outer array, where the file is one.
  private(set) var rows = 0
  private(set) var isArray = false
  /// The first row that has other keys than the first, or isn't an object.
  private(set) var oddRow: Int?
  /// The keys of the first row, and the kinds of values under each.
  private(set) var keys: [[UInt8]] = []
  private(set) var kinds: [ValueKinds] = []
  /// Bytes that the keys take.
  var heldBytes = 0
  /// Masked values.
  private(set) var redactions = 0
  /// References that wait to be looked up; the caller takes them now and then.
  var references: [Reference] = []

  private let isDocuments: Bool
  private var depth = 0
  private var column = 0
  private var isInRow = false
  private var capture = Capture.nothing
  private var reference = Reference()
  private var referenceDepth = 0

  private enum Capture { case nothing, path, digest, size }

  init(isDocuments: Bool) { self.isDocuments = isDocuments }

  // MARK: Structure

  mutating func beginObject() {
    value(.object)
    depth += 1
    if depth == 2 && isArray {
      isInRow = true
      column = 0
      if isDocuments { reference = Reference() }
    }
  }

  mutating func endObject() {
    if depth == 2 && isInRow {
      if column != keys.count && oddRow == nil { oddRow = rows }
      isInRow = false
      if isDocuments && !reference.path.isEmpty { references.append(reference) }
    }
    if depth == referenceDepth {
      references.append(reference)
      referenceDepth = 0
    }
    depth -= 1
  }

  mutating func beginArray() {
    value(.array)
    if depth == 0 { isArray = true }
    depth += 1
  }

  mutating func endArray() { depth -= 1 }

  mutating func key(_ utf8: UnsafeRawBufferPointer) {
    if isInRow && depth == 2 { rowKey(utf8) }
    // An element of an array may be a masked value or a file itself; a user's own key begins with two of them.
    if utf8.first == UInt8(ascii: "$") { formatKey(utf8) }
    if referenceDepth == depth && referenceDepth > 0 { member(utf8) }
  }

  private mutating func rowKey(_ utf8: UnsafeRawBufferPointer) {
    if rows == 1 {
      keys.append(Array(utf8))
      kinds.append([])
      heldBytes += 64 + utf8.count
    } else if column >= keys.count || !keys[column].withUnsafeBytes({ $0.equals(utf8) }) {
      if oddRow == nil { oddRow = rows }
    }
    column += 1
    guard isDocuments else { return }
    capture = matches(utf8, "file") ? .path : matches(utf8, "sha256") ? .digest : matches(utf8, "bytes") ? .size : .nothing
  }

  private mutating func formatKey(_ utf8: UnsafeRawBufferPointer) {
    if matches(utf8, "$redacted") { redactions += 1 }
    if matches(utf8, "$file") && referenceDepth == 0 {
      reference = Reference()
      referenceDepth = depth
    }
  }

  private mutating func member(_ utf8: UnsafeRawBufferPointer) {
    capture = matches(utf8, "$file") ? .path : matches(utf8, "sha256") ? .digest : matches(utf8, "bytes") ? .size : .nothing
  }

  private func matches(_ utf8: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { utf8.equals(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Values

  private mutating func value(_ kind: ValueKinds) {
    if isInRow && depth == 2 {
      if column > 0 && column <= kinds.count { kinds[column - 1].insert(kind) }
    } else if depth == 1 && isArray {
      rows += 1
      if kind != .object && oddRow == nil { oddRow = rows }
    }
  }

  mutating func beginString() { value(.text) }

  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) {
    switch capture {
    case .nothing, .size: return
    case .path: if reference.path.count < 4096 { reference.path.append(contentsOf: utf8) }
    case .digest: if reference.digest.count < 128 { reference.digest.append(contentsOf: utf8) }
    }
  }

  mutating func endString() { capture = .nothing }

  mutating func number(_ text: UnsafeRawBufferPointer) {
    let hasFraction = text.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    value(hasFraction ? .number : .integer)
    if capture == .size { reference.size = Array(text) }
    capture = .nothing
  }

  mutating func bool(_ value: Bool) {
    self.value(.boolean)
    capture = .nothing
  }

  mutating func null() {
    if depth == 1 && isArray { value([]) }
    capture = .nothing
  }
}
