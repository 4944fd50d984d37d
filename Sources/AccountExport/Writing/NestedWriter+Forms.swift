internal import JSONStreaming

/// Values that this format gives a form of its own.
extension NestedWriter {
  /// A key that this format gives (`$class`, `$ref`): written as it is, and it makes no secret of its value.
  public mutating func formatKey(_ name: StaticString) { row.nesting.formatKey(name, &row.output) }

  /// What the next value is named by where no key stands before it: the key of a pair. It masks as a key does.
  public mutating func name(_ utf8: UnsafeBufferPointer<UInt8>) { row.nesting.name(utf8, &row.output) }

  /// A number without a fraction or sign, beyond what `Int64` holds too.
  public mutating func unsigned(_ value: UInt64) { row.nesting.scalar(.integer, &row.output) { $0.json.integer(value) } }

  /// A moment in a place without schema, `{"$date": …}`: seconds since `epoch`, which counts from 1970.
  public mutating func date(seconds: Double, since epoch: Int64) {
    row.nesting.scalar(.object, &row.output) { $0.json.taggedDate(seconds: seconds, since: epoch) }
  }

  /// A property list's UID outside an archive.
  public mutating func uid(_ value: UInt64) { row.nesting.scalar(.object, &row.output) { $0.json.uid(value) } }

  /// 16 bytes as an upper-case UUID.
  public mutating func uuid(_ bytes: UnsafeRawBufferPointer) { row.nesting.scalar(.text, &row.output) { $0.json.uuid(bytes) } }

  /// Bytes that are a keyed archive: `{"$archive": …}` as `decode` writes it, with the bytes beside it, but not where something inside was
  /// masked. Where `decode` throws, what it wrote is taken back and the bytes are written alone.
  /// - Returns: what `decode` threw.
  @discardableResult
  public mutating func archive(_ value: UnsafeRawBufferPointer, decode: (inout NestedWriter) throws -> Void) throws -> (any Error)? {
    if row.nesting.masksNext {
      try bytes(value)
      return nil
    }
    let (before, mark) = (row.nesting, row.output.mark)
    do {
      try beginObject()
      formatKey("$archive")
      try decode(&self)
    } catch {
      if error.endsExport { throw error }
      try row.output.rewind(to: mark)
      row.nesting = before
      try bytes(value)
      return error
    }
    if row.nesting.ledger.total == before.ledger.total { try row.output.raw(value) }
    endObject()
    return nil
  }

  /// A date in seconds since `epoch` (itself since 1970) where the schema names the type: as ``RowWriter/date(seconds:since:)-(Double,_)``.
  public mutating func schemaDate(seconds: Double, since epoch: Int64) {
    row.nesting.scalar(.moment, &row.output) { $0.json.date(seconds: seconds, since: epoch) }
  }

  /// The same for whole seconds.
  public mutating func schemaDate(seconds: Int64, since epoch: Int64) {
    row.nesting.scalar(.moment, &row.output) { $0.json.date(seconds: seconds, since: epoch) }
  }

  /// A file that a record names and that is gone: `{"$missing": "<its name>"}`.
  public mutating func missing(_ name: String) { row.nesting.scalar(.object, masked: false, &row.output) { $0.json.missing(name) } }
}

extension RowWriter {
  /// A date in seconds since `epoch` (itself since 1970), as RFC 3339 in UTC with the fewest digits that read back as these seconds; as
  /// `{"$date": …}` outside the years 1 to 9999.
  public mutating func date(seconds: Double, since epoch: Int64) { date { $0.date(seconds: seconds, since: epoch) } }

  /// The same for whole seconds.
  public mutating func date(seconds: Int64, since epoch: Int64) { date { $0.date(seconds: seconds, since: epoch) } }

  private mutating func date(_ write: (inout JSONWriter) -> Void) {
    guard hasColumn() else { return }
    if let mask = rowMasks[column] { return redact(mask, by: write) }
    beginValue()
    let start = output.json.count
    write(&output.json)
    endValue(output.json.isText(at: start) ? .moment : .object)
  }

  /// 16 bytes as an upper-case UUID.
  public mutating func uuid(_ bytes: UnsafeRawBufferPointer) {
    guard hasColumn() else { return }
    if let mask = rowMasks[column] { return redact(mask) { $0.uuid(bytes) } }
    beginValue()
    output.json.uuid(bytes)
    endValue(.text)
  }

  /// A file that a record names and that is gone: `{"$missing": "<its name>"}`.
  public mutating func missing(_ name: String) {
    guard hasColumn() else { return }
    beginValue()
    output.json.missing(name)
    endValue(.object)
  }
}

extension StagedOutput {
  /// An archive's bytes beside what was decoded of them.
  mutating func raw(_ value: UnsafeRawBufferPointer) throws {
    if value.count > limits.inlineBytes { return json.reference(to: try files.add(value)) }
    json.key("$base64")
    json.base64(value)
  }
}

extension JSONWriter {
  /// A property list's UID outside an archive.
  mutating func uid(_ value: UInt64) {
    beginObject()
    key("$uid")
    integer(value)
    endObject()
  }

  fileprivate mutating func missing(_ name: String) {
    beginObject()
    key("$missing")
    string(name)
    endObject()
  }
}
