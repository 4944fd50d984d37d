public import PropertyLists

/// Writes a property list straight into the bundle's JSON, as the design's table of values says.
public struct ListValues<Writer: TreeWriter & ~Copyable>: PropertyListVisitor, ~Copyable {
  private var writer: Writer

  private init(_ writer: consuming Writer) { self.writer = writer }

  private consuming func giveBack() -> Writer { writer }

  /// Lends a writer to a walk.
  public static func lend(_ writer: inout Writer, to walk: (inout ListValues) throws -> Void) throws {
    var values = ListValues(writer)
    do { try walk(&values) } catch {
      writer = values.giveBack()
      throw error
    }
    writer = values.giveBack()
  }

  /// Nothing.
  public mutating func null() { writer.null() }

  /// A truth value.
  public mutating func boolean(_ value: Bool) { writer.boolean(value) }

  /// An integer.
  public mutating func integer(_ value: Int64) { writer.integer(value) }

  /// An integer beyond the signed ones.
  public mutating func unsigned(_ value: UInt64) { writer.unsigned(value) }

  /// A double.
  public mutating func real(_ value: Double) { writer.real(value) }

  /// A UID, as `$uid`.
  public mutating func uid(_ value: UInt64) { writer.uid(value) }

  /// A date, as `$date`.
  public mutating func date(secondsSince2001 seconds: Double) { writer.date(seconds: seconds, since: 978_307_200) }

  /// Bytes, as `$base64`, or as a file of their own.
  public mutating func data(_ bytes: Span<UInt8>) throws { try bytes.withUnsafeBytes { try writer.bytes($0) } }

  /// A UUID, as text.
  public mutating func uuid(_ bytes: Span<UInt8>) { bytes.withUnsafeBytes { writer.uuid($0) } }

  /// Text.
  public mutating func text(_ utf8: Span<UInt8>) throws { try utf8.withUnsafeBufferPointer { try writer.text($0) } }

  /// No UTF-8: the writer makes `$base64` of it.
  public mutating func malformedText(_ bytes: Span<UInt8>) throws { try text(bytes) }

  /// Begins an array.
  public mutating func beginArray(_ kind: PropertyListArrayKind, count: Int) throws { try writer.beginArray() }

  /// Ends it.
  public mutating func endArray() { writer.endArray() }

  /// Begins an object.
  public mutating func beginDictionary(count: Int) throws { try writer.beginObject() }

  /// A key of the list's own.
  public mutating func key(_ utf8: Span<UInt8>) { utf8.withUnsafeBufferPointer { writer.key($0) } }

  /// Ends the object.
  public mutating func endDictionary() { writer.endObject() }

  /// Begins a dictionary whose keys aren't all text, as `$pairs`.
  public mutating func beginPairs(count: Int) throws {
    try writer.beginObject()
    writer.formatKey("$pairs")
    try writer.beginArray()
  }

  /// Begins a pair.
  public mutating func beginPair() throws { try writer.beginArray() }

  /// What the pair's value is named by.
  public mutating func beginPairValue(named name: Span<UInt8>?) {
    if let name { name.withUnsafeBufferPointer { writer.name($0) } }
  }

  /// Ends the pair.
  public mutating func endPair() { writer.endArray() }

  /// Ends the pairs.
  public mutating func endPairs() {
    writer.endArray()
    writer.endObject()
  }

  /// An archive that can't be written as a value (too deep for JSON here) stays as its bytes: nothing is lost, so there is nothing to tell.
  public mutating func archive(_ bytes: Span<UInt8>, decode: (inout ListValues) throws -> Void) throws {
    try bytes.withUnsafeBytes { bytes in
      try writer.keyedArchive(bytes) { (writer) in try Self.lend(&writer, to: decode) }
    }
  }

  /// An object of a class that is no plain value.
  public mutating func beginObject(class name: Span<UInt8>, count: Int) throws {
    try writer.beginObject()
    writer.formatKey("$class")
    try text(name)
  }

  /// Ends it.
  public mutating func endObject() { writer.endObject() }

  /// An object that came before, as `$ref`.
  public mutating func reference(_ index: Int) throws {
    try writer.beginObject()
    writer.formatKey("$ref")
    writer.integer(Int64(index))
    writer.endObject()
  }
}
