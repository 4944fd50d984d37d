internal import JSONStreaming

/// Values that this format gives a form of its own.
extension NestedWriter {
  /// A key that this format gives (`$class`, `$ref`): written as it is, and it makes no secret of its value.
  public mutating func formatKey(_ name: StaticString) {
    if maskedDepth > 0 { return maskedIsEmpty = false }
    row.json.key(name)
    isSecret = false
  }

  /// What the next value is named by where no key stands before it: the key of a pair. It masks as a key does.
  public mutating func name(_ utf8: UnsafeBufferPointer<UInt8>) {
    if maskedDepth == 0 { isSecret = row.isSecret(key: utf8) }
  }

  /// A number without a fraction or sign, beyond what `Int64` holds too.
  public mutating func unsigned(_ value: UInt64) { scalar(.integer) { $0.integer(value) } }

  /// A moment in a place without schema, `{"$date": …}`: seconds since `epoch`, which counts from 1970.
  public mutating func date(seconds: Double, since epoch: Int64) { scalar(.object) { $0.taggedDate(seconds: seconds, since: epoch) } }

  /// A property list's UID outside an archive.
  public mutating func uid(_ value: UInt64) {
    scalar(.object) {
      $0.beginObject()
      $0.key("$uid")
      $0.integer(value)
      $0.endObject()
    }
  }

  /// 16 bytes as an upper-case UUID.
  public mutating func uuid(_ bytes: UnsafeRawBufferPointer) { scalar(.text) { $0.uuid(bytes) } }

  /// Bytes that are a keyed archive: `{"$archive": …}` as `decode` writes it, with the bytes beside it, but not where something inside was
  /// masked. Where `decode` throws, what it wrote is taken back and the bytes are written alone.
  /// - Returns: what `decode` threw.
  @discardableResult
  public mutating func archive(_ value: UnsafeRawBufferPointer, decode: (inout NestedWriter) throws -> Void) throws -> (any Error)? {
    if isSecret || maskedDepth > 0 {
      try bytes(value)
      return nil
    }
    let before = (depth: depth, count: count, files: row.files.count, redacted: row.columnRedactions)
    // What is large leaves for the spool meanwhile: taken back, it is cut off there.
    if isLarge { try row.drain() }
    let (mark, spooled) = (row.json.mark(), row.spool.length)
    do {
      try beginObject()
      formatKey("$archive")
      try decode(&self)
      depth -= 1
    } catch {
      if error.endsExport { throw error }
      if row.spool.length != spooled { try row.cut(to: spooled) }
      row.json.rewind(to: mark)
      try row.files.truncate(to: before.files)
      (depth, count) = (before.depth, before.count)
      row.rewindRedactions(to: before.redacted)
      (isSecret, maskedDepth) = (false, 0)
      try bytes(value)
      return error
    }
    if row.columnRedactions == before.redacted { try raw(value) }
    row.json.endObject()
    return nil
  }

  private mutating func raw(_ value: UnsafeRawBufferPointer) throws {
    if value.count > row.inlineBytes && !row.isUnresolved { return row.json.reference(to: try row.addFile(value)) }
    row.json.key("$base64")
    row.json.base64(value)
  }
}

extension RowWriter {
  /// A date in seconds since `epoch` (itself since 1970), as RFC 3339 in UTC with the fewest digits that read back as these seconds; as
  /// `{"$date": …}` outside the years 1 to 9999.
  public mutating func date(seconds: Double, since epoch: Int64) { date { $0.date(seconds: seconds, since: epoch) } }

  /// The same for whole seconds.
  public mutating func date(seconds: Int64, since epoch: Int64) { date { $0.date(seconds: seconds, since: epoch) } }

  private mutating func date(_ write: (inout JSONWriter) -> Void) {
    guard hasColumn() else { return }
    if masks { return redact() }
    beginValue()
    let start = json.count
    write(&json)
    endValue(json.isText(at: start) ? .moment : .object)
  }

  /// 16 bytes as an upper-case UUID.
  public mutating func uuid(_ bytes: UnsafeRawBufferPointer) {
    guard hasColumn() else { return }
    if masks { return redact() }
    beginValue()
    json.uuid(bytes)
    endValue(.text)
  }

  /// A file that a record names and that is gone: `{"$missing": "<its name>"}`.
  public mutating func missing(_ name: String) {
    guard hasColumn() else { return }
    beginValue()
    json.missing(name)
    endValue(.object)
  }
}

extension NestedWriter {
  /// A date in seconds since `epoch` (itself since 1970) where the schema names the type: as ``RowWriter/date(seconds:since:)-(Double,_)``.
  public mutating func schemaDate(seconds: Double, since epoch: Int64) { scalar(.moment) { $0.date(seconds: seconds, since: epoch) } }

  /// The same for whole seconds.
  public mutating func schemaDate(seconds: Int64, since epoch: Int64) { scalar(.moment) { $0.date(seconds: seconds, since: epoch) } }

  /// A file that a record names and that is gone: `{"$missing": "<its name>"}`.
  public mutating func missing(_ name: String) { scalar(.object, masked: false) { $0.missing(name) } }
}

extension JSONWriter {
  fileprivate mutating func missing(_ name: String) {
    beginObject()
    key("$missing")
    string(name)
    endObject()
  }
}
