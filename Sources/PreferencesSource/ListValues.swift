internal import AccountExport
internal import PropertyLists

/// Writes a property list straight into the bundle's JSON, as the design's table of values says.
struct ListValues: PropertyListVisitor, ~Copyable {
  private var writer: ValueWriter

  private init(_ writer: consuming ValueWriter) { self.writer = writer }

  private consuming func giveBack() -> ValueWriter { writer }

  /// Lends a writer to a walk.
  static func lend(_ writer: inout ValueWriter, to walk: (inout ListValues) throws -> Void) throws {
    var values = ListValues(writer)
    do { try walk(&values) } catch {
      writer = values.giveBack()
      throw error
    }
    writer = values.giveBack()
  }

  mutating func null() { writer.null() }

  mutating func boolean(_ value: Bool) { writer.boolean(value) }

  mutating func integer(_ value: Int64) { writer.integer(value) }

  mutating func unsigned(_ value: UInt64) { writer.unsigned(value) }

  mutating func real(_ value: Double) { writer.real(value) }

  mutating func uid(_ value: UInt64) { writer.uid(value) }

  mutating func date(secondsSince2001 seconds: Double) { writer.date(seconds: seconds, since: 978_307_200) }

  mutating func data(_ bytes: Span<UInt8>) throws { try bytes.withUnsafeBytes { try writer.bytes($0) } }

  mutating func uuid(_ bytes: Span<UInt8>) { bytes.withUnsafeBytes { writer.uuid($0) } }

  mutating func text(_ utf8: Span<UInt8>) { utf8.withUnsafeBufferPointer { writer.text($0) } }

  /// No UTF-8: the writer makes `$base64` of it.
  mutating func malformedText(_ bytes: Span<UInt8>) { text(bytes) }

  mutating func beginArray(_ kind: PropertyListArrayKind, count: Int) throws { try writer.beginArray() }

  mutating func endArray() { writer.endArray() }

  mutating func beginDictionary(count: Int) throws { try writer.beginObject() }

  mutating func key(_ utf8: Span<UInt8>) { writer.key(Self.string(utf8)) }

  mutating func endDictionary() { writer.endObject() }

  mutating func beginPairs(count: Int) throws { try writer.beginPairs() }

  mutating func beginPair() throws { try writer.beginArray() }

  mutating func beginPairValue(named name: Span<UInt8>?) {
    if let name { writer.name(Self.string(name)) }
  }

  mutating func endPair() { writer.endArray() }

  mutating func endPairs() { writer.endPairs() }

  /// An archive that can't be written as a value (too deep for JSON here) stays as its bytes: nothing is lost, so there is nothing to tell.
  mutating func archive(_ bytes: Span<UInt8>, decode: (inout ListValues) throws -> Void) throws {
    _ = try bytes.withUnsafeBytes { bytes in
      try writer.archive(bytes) { (writer) in try Self.lend(&writer, to: decode) }
    }
  }

  mutating func beginObject(class name: Span<UInt8>, count: Int) throws {
    try writer.beginObject()
    writer.formatKey("$class")
    text(name)
  }

  mutating func endObject() { writer.endObject() }

  mutating func reference(_ index: Int) throws {
    try writer.beginObject()
    writer.formatKey("$ref")
    writer.integer(Int64(index))
    writer.endObject()
  }

  private static func string(_ utf8: Span<UInt8>) -> String {
    utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
