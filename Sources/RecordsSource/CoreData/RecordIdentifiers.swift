/// Writes `<Entity>/<Z_PK>` into one buffer, again and again.
struct RecordIdentifiers {
  private let prefixes: [Int64: [UInt8]]
  private let numbers: [String: Int64]
  private(set) var buffer: [UInt8] = []

  init(_ catalogue: EntityCatalogue) {
    prefixes = Dictionary(catalogue.entries.map { ($0.number, Array($0.name.utf8) + [UInt8(ascii: "/")]) }) { first, _ in first }
    numbers = catalogue.numbers
  }

  /// Fills the buffer with the identifier of a row.
  /// - Parameter entity: The number of its entity; where that is unknown, the name that the model gives counts.
  mutating func fill(_ entity: Int64?, or name: String, _ key: Int64) {
    buffer.removeAll(keepingCapacity: true)
    if let entity, let prefix = prefixes[entity] {
      buffer.append(contentsOf: prefix)
    } else {
      buffer.append(contentsOf: name.utf8)
      buffer.append(UInt8(ascii: "/"))
    }
    appendDigits(key)
  }

  private mutating func appendDigits(_ key: Int64) {
    if key < 0 { buffer.append(UInt8(ascii: "-")) }
    var rest = key.magnitude
    let start = buffer.count
    repeat {
      buffer.append(UInt8(0x30 + rest % 10))
      rest /= 10
    } while rest > 0
    buffer[start...].reverse()
  }

  /// The identifier as text.
  var text: String { String(decoding: buffer, as: UTF8.self) }
}
