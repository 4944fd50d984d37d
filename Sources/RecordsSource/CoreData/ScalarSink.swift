import AccountExport
import CoreDataModel
import SQLiteReading

/// What one value without parts is written to: a record's key, or a part of a composite attribute.
protocol ScalarSink: ~Copyable {
  mutating func null()
  mutating func boolean(_ value: Bool)
  mutating func integer(_ value: Int64)
  mutating func real(_ value: Double)
  mutating func number(digits: UnsafeRawBufferPointer) throws
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) throws
  mutating func bytes(_ value: UnsafeRawBufferPointer) throws
  mutating func moment(seconds: Double, since epoch: Int64)
  mutating func moment(seconds: Int64, since epoch: Int64)
  mutating func uuid(_ bytes: UnsafeRawBufferPointer)
}

extension RowWriter: ScalarSink {
  mutating func moment(seconds: Double, since epoch: Int64) { date(seconds: seconds, since: epoch) }
  mutating func moment(seconds: Int64, since epoch: Int64) { date(seconds: seconds, since: epoch) }
}

extension NestedWriter: ScalarSink {
  mutating func moment(seconds: Double, since epoch: Int64) { schemaDate(seconds: seconds, since: epoch) }
  mutating func moment(seconds: Int64, since epoch: Int64) { schemaDate(seconds: seconds, since: epoch) }
}

/// How a stored value without parts stands for an attribute's: by the attribute's type where the storage class fits it, else as it is. Bytes that aren't a
/// UUID, and values that are read in pieces, are the caller's.
struct ScalarForm {
  let type: ManagedObjectModel.AttributeType

  /// 2001-01-01T00:00:00Z in seconds since 1970.
  static let epoch: Int64 = 978_307_200

  /// Writes a value; false where it is bytes of another form, and nothing is written.
  func write<Sink: ScalarSink & ~Copyable>(_ cell: SQLiteCell, to sink: inout Sink) throws -> Bool {
    switch cell {
    case .null: sink.null()
    case .integer(let value): write(value, to: &sink)
    case .real(let value): if type == .date { sink.moment(seconds: value, since: Self.epoch) } else { sink.real(value) }
    case .text(let bytes): try write(text: bytes, to: &sink)
    case .blob(let bytes) where type == .uuid && bytes.count == 16: sink.uuid(bytes)
    case .blob, .invalidText, .large: return false
    }
    return true
  }

  private func write<Sink: ScalarSink & ~Copyable>(_ value: Int64, to sink: inout Sink) {
    switch type {
    // Another number than 0 and 1 in a boolean column is none of the two.
    case .boolean where value == 0 || value == 1: sink.boolean(value == 1)
    case .date: sink.moment(seconds: value, since: Self.epoch)
    case .double, .float: if let exact = Double(exactly: value) { sink.real(exact) } else { sink.integer(value) }
    default: sink.integer(value)
    }
  }

  private func write<Sink: ScalarSink & ~Copyable>(text bytes: UnsafeRawBufferPointer, to sink: inout Sink) throws {
    if type == .decimal {
      if Self.isJSONNumber(bytes) { return try sink.number(digits: bytes) }
      if bytes.elementsEqual("NaN".utf8) { return sink.real(.nan) }
    }
    try sink.text(bytes.bindMemory(to: UInt8.self))
  }

  /// Whether a text is a number as JSON spells it (RFC 8259, section 6): then it can stand there with all its digits.
  static func isJSONNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    func skip(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip("-")
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    if whole == 0 || startsWithZero && whole > 1 { return false }
    if skip("."), digits() == 0 { return false }
    if skip("eE") {
      _ = skip("+-")
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}
