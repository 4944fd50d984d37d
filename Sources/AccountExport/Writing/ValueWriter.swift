internal import Checksums
internal import JSONStreaming

/// The handle of one JSON value with values in it: a preferences file, for example. Masks what stands under a key that names a secret, beside a sibling that
/// does, or is one by its form.
///
/// The calls follow the value's form: `beginObject`, then `key` and a value in turn, `endObject`. Values are borrowed.
public struct ValueWriter: ~Copyable, Sendable {
  private var output: StagedOutput
  private var nesting = NestedMasking(keepsPlaces: true)
  private var failure: (any Error)?

  init(output: consuming StagedOutput) { self.output = output }

  // MARK: Structure

  /// Begins an object.
  public mutating func beginObject() throws { try nesting.begin(.object, &output) }

  /// Ends an object.
  public mutating func endObject() { nesting.end(.object, &output) }

  /// Begins an array.
  public mutating func beginArray() throws { try nesting.begin(.array, &output) }

  /// Ends an array.
  public mutating func endArray() { nesting.end(.array, &output) }

  /// A key of the account's own: one that begins with `$` gets one more.
  public mutating func key(_ name: String) {
    var copy = name
    copy.withUTF8 { nesting.key($0, &output) }
  }

  /// A key that this format gives (`$class`, `$ref`): written as it is, and it makes no secret of its value.
  public mutating func formatKey(_ name: StaticString) { nesting.formatKey(name, &output) }

  /// What the next value is named by where no key stands before it: the key of a pair. It masks as a key does.
  public mutating func name(_ name: String) {
    var copy = name
    copy.withUTF8 { nesting.name($0, &output) }
  }

  // MARK: Values

  /// Nothing.
  public mutating func null() { nesting.scalar(nil, masked: false, &output) { $0.json.null() } }

  /// True or false. Not masked: it holds no secret, whatever its name.
  public mutating func boolean(_ value: Bool) { nesting.scalar(.boolean, masked: false, &output) { $0.json.bool(value) } }

  /// A number without a fraction.
  public mutating func integer(_ value: Int64) { nesting.scalar(.integer, &output) { $0.json.integer(value) } }

  /// A number without a fraction or sign.
  public mutating func unsigned(_ value: UInt64) { nesting.scalar(.integer, &output) { $0.json.integer(value) } }

  /// A floating-point number.
  public mutating func real(_ value: Double) { nesting.scalar(.number, &output) { $0.json.double(value) } }

  /// A number of 32 bits with a fraction.
  public mutating func real(_ value: Float) { nesting.scalar(.number, &output) { $0.json.float(value) } }

  /// A number with all its digits: it must be a JSON number.
  public mutating func number(digits: UnsafeRawBufferPointer) throws {
    try nesting.scalar(.number, &output) { (output) throws in try output.json.number(digits: digits) }
  }

  /// Text, as UTF-8; bytes that are no UTF-8 become `$base64`. What is secret in a JSON text is masked within it.
  public mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    keeping { (value) throws in
      try value.nesting.text(utf8, &value.output)
      try value.drainIfFull()
    }
  }

  /// Text.
  public mutating func text(_ value: String) {
    var copy = value
    copy.withUTF8 { text($0) }
  }

  /// A moment in a place without schema, `{"$date": …}`: seconds since `epoch`, which counts from 1970.
  public mutating func date(seconds: Double, since epoch: Int64) {
    nesting.scalar(.object, &output) { $0.json.taggedDate(seconds: seconds, since: epoch) }
  }

  /// A property list's UID outside an archive.
  public mutating func uid(_ value: UInt64) {
    nesting.scalar(.object, &output) { $0.json.uid(value) }
  }

  /// 16 bytes as an upper-case UUID.
  public mutating func uuid(_ bytes: UnsafeRawBufferPointer) { nesting.scalar(.text, &output) { $0.json.uuid(bytes) } }

  /// Bytes: here up to the limit (4 KiB), else in a file of their own.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws {
    try nesting.bytes(value, &output)
    try drainIfFull()
  }

  /// Bytes that are a keyed archive: `{"$archive": …}` as `decode` writes it, with the bytes beside it, but not where something inside was
  /// masked. Where `decode` throws, what it wrote is taken back and the bytes are written alone.
  /// - Returns: what `decode` threw.
  @discardableResult
  public mutating func archive(_ value: UnsafeRawBufferPointer, decode: (inout ValueWriter) throws -> Void) throws -> (any Error)? {
    if nesting.masksNext {
      try bytes(value)
      return nil
    }
    let (before, mark) = (nesting, output.mark)
    do {
      try beginObject()
      formatKey("$archive")
      try decode(&self)
    } catch {
      if error.endsExport { throw error }
      try output.rewind(to: mark)
      nesting = before
      try bytes(value)
      return error
    }
    if nesting.ledger.total == before.ledger.total { try output.raw(value) }
    endObject()
    return nil
  }

  // MARK: Ending

  /// What a whole value leaves.
  struct Finished {
    let content: SpoolSlice
    let digest: SHA256Digest
    let files: ValueBatch?
    let redactions: [(name: String, counts: MaskCounts)]
  }

  /// A failed spool is told at the end: not all calls throw.
  private mutating func keeping(_ body: (inout ValueWriter) throws -> Void) {
    if failure != nil { return }
    do { try body(&self) } catch { failure = error }
  }

  private mutating func drainIfFull() throws(ExportError) {
    if output.json.count >= StagedOutput.drained { try output.drain() }
  }

  mutating func finish() throws -> Finished {
    if let failure { throw failure }
    if nesting.depth != 0 { throw ExportError(.source, "a value ended with \(nesting.depth) containers open") }
    if nesting.roots != 1 { throw ExportError(.source, "a file of one value has \(nesting.roots)") }
    output.json.raw("\n")
    let (slice, digest) = try output.finish()
    return Finished(
      content: slice, digest: digest, files: output.files.batch, redactions: nesting.ledger.places.sorted { $0.name < $1.name })
  }
}
