internal import PropertyLists

/// A value of an archive as far as a model needs it: small trees, made once.
enum ArchivedValue {
  case boolean(Bool)
  case integer(Int64)
  case text(String)
  /// A reference to an object by its index.
  case reference(UInt64)
  case list([ArchivedValue])
  case dictionary([String: ArchivedValue])
  /// Anything that describes nothing: data, dates, numbers with fractions.
  case other

  var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  var list: [ArchivedValue]? {
    if case .list(let list) = self { return list }
    return nil
  }

  var dictionary: [String: ArchivedValue]? {
    if case .dictionary(let dictionary) = self { return dictionary }
    return nil
  }

  var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    default: nil
    }
  }
}

/// Builds the tree of a property list whose dictionaries have text for keys.
struct ArchivedValueBuilder: PropertyListVisitor {
  /// A collection that is being filled.
  private enum Open {
    case list([ArchivedValue])
    case dictionary([String: ArchivedValue], key: String)
  }

  private(set) var root: ArchivedValue?
  private var open: [Open] = []

  private mutating func add(_ value: ArchivedValue) {
    switch open.last {
    case nil: root = value
    case .list(var elements):
      // Taken out while it grows, so that it isn't copied.
      open[open.count - 1] = .list([])
      elements.append(value)
      open[open.count - 1] = .list(elements)
    case .dictionary(var members, let key):
      open[open.count - 1] = .list([])
      members[key] = value
      open[open.count - 1] = .dictionary(members, key: key)
    }
  }

  private mutating func close() {
    switch open.popLast() {
    case .list(let elements): add(.list(elements))
    case .dictionary(let members, _): add(.dictionary(members))
    case nil: break  // the walk closes what it opened
    }
  }

  mutating func null() { add(.other) }
  mutating func boolean(_ value: Bool) { add(.boolean(value)) }
  mutating func integer(_ value: Int64) { add(.integer(value)) }
  mutating func unsigned(_ value: UInt64) { add(.other) }
  mutating func real(_ value: Double) { add(.other) }
  mutating func date(secondsSince2001 seconds: Double) { add(.other) }
  mutating func data(_ bytes: Span<UInt8>) { add(.other) }
  mutating func uuid(_ bytes: Span<UInt8>) { add(.other) }
  mutating func malformedText(_ bytes: Span<UInt8>) { add(.other) }
  mutating func uid(_ value: UInt64) { add(.reference(value)) }
  mutating func text(_ utf8: Span<UInt8>) { add(.text(Self.string(utf8))) }

  mutating func beginArray(_ kind: PropertyListArrayKind, count: Int) { open.append(.list([])) }
  mutating func endArray() { close() }
  mutating func beginDictionary(count: Int) { open.append(.dictionary([:], key: "")) }
  mutating func endDictionary() { close() }

  mutating func key(_ utf8: Span<UInt8>) {
    guard case .dictionary(let members, _)? = open.last else { return }
    open[open.count - 1] = .dictionary(members, key: Self.string(utf8))
  }

  // A dictionary with other keys describes nothing: its parts come as lists, which nobody asks for.
  mutating func beginPairs(count: Int) { open.append(.list([])) }
  mutating func beginPair() { open.append(.list([])) }
  mutating func beginPairValue(named name: Span<UInt8>?) {}
  mutating func endPair() { close() }
  mutating func endPairs() { close() }

  mutating func archive(_ bytes: Span<UInt8>, decode: (inout ArchivedValueBuilder) throws -> Void) { add(.other) }
  mutating func beginObject(class name: Span<UInt8>, count: Int) { open.append(.dictionary([:], key: "")) }
  mutating func endObject() { close() }
  mutating func reference(_ index: Int) { add(.other) }

  private static func string(_ utf8: Span<UInt8>) -> String {
    utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
