internal import Checksums
internal import JSONStreaming

/// The handle of one JSON value with values in it: a preferences file, for example. Masks what stands under a key that names a secret.
///
/// The calls follow the value's form: `beginObject`, then `key` and a value in turn, `endObject`. Values are borrowed.
public struct ValueWriter: ~Copyable, Sendable {
  private var json = JSONWriter()
  private let spool: Spool
  private var hasher: SHA256
  private var files: ValueFiles
  private let rules: SecretRules
  private let limits: ExportLimits
  private var mustRehash = false
  private var redactions: [String: Int] = [:]
  private var redactionCount = 0
  /// The key that the next value stands under, where it names a secret.
  private var secretKey: String?
  private var depth = 0
  /// Values that stand in no other: a file holds one.
  private var roots = 0
  /// How deep the walk is in a container that is masked as a whole, and whether anything was in it.
  private var maskedDepth = 0
  private var maskedIsEmpty = true

  init(spool: Spool, files: consuming ValueFiles, rules: SecretRules, limits: ExportLimits) throws(ExportError) {
    self.spool = spool
    self.files = files
    self.rules = rules
    self.limits = limits
    hasher = try SHA256.forExport()
  }

  // MARK: Structure

  /// Begins an object.
  public mutating func beginObject() throws { try begin { $0.beginObject() } }

  /// Ends an object.
  public mutating func endObject() {
    end {
      $0.endObject()
    } empty: {
      $0.beginObject(); $0.endObject()
    }
  }

  /// Begins an array.
  public mutating func beginArray() throws { try begin { $0.beginArray() } }

  /// Ends an array.
  public mutating func endArray() {
    end {
      $0.endArray()
    } empty: {
      $0.beginArray(); $0.endArray()
    }
  }

  /// A key of the account's own: one that begins with `$` gets one more.
  public mutating func key(_ name: String) {
    if maskedDepth > 0 { return maskedIsEmpty = false }
    json.userKey(name)
    secretKey = rules.isSecret(name: name) ? name : nil
  }

  /// A key that this format gives (`$class`, `$ref`): written as it is, and it makes no secret of its value.
  public mutating func formatKey(_ name: StaticString) {
    if maskedDepth > 0 { return maskedIsEmpty = false }
    json.key(name)
    secretKey = nil
  }

  /// What the next value is named by where no key stands before it: the key of a pair. It masks as a key does.
  public mutating func name(_ name: String) {
    if maskedDepth == 0 { secretKey = rules.isSecret(name: name) ? name : nil }
  }

  private mutating func begin(_ write: (inout JSONWriter) -> Void) throws {
    countRoot()
    depth += 1
    if depth > limits.depth { throw ExportError(.source, "values lie more than \(limits.depth) deep in one another") }
    if maskedDepth > 0 || secretKey != nil {
      if maskedDepth > 0 { maskedIsEmpty = false } else { maskedIsEmpty = true }
      maskedDepth += 1
      return
    }
    write(&json)
  }

  private mutating func end(_ write: (inout JSONWriter) -> Void, empty: (inout JSONWriter) -> Void) {
    depth -= 1
    if maskedDepth == 0 { return write(&json) }
    maskedDepth -= 1
    if maskedDepth > 0 { return }
    if maskedIsEmpty {
      empty(&json)
      secretKey = nil
    } else {
      redact()
    }
  }

  // MARK: Values

  /// Nothing.
  public mutating func null() { plain(masked: false) { $0.null() } }

  /// True or false. Not masked: it holds no secret, whatever its name.
  public mutating func boolean(_ value: Bool) { plain(masked: false) { $0.bool(value) } }

  /// A number without a fraction.
  public mutating func integer(_ value: Int64) { plain { $0.integer(value) } }

  /// A number without a fraction or sign.
  public mutating func unsigned(_ value: UInt64) { plain { $0.integer(value) } }

  /// A floating-point number.
  public mutating func real(_ value: Double) { plain { $0.double(value) } }

  /// A number of 32 bits with a fraction.
  public mutating func real(_ value: Float) { plain { $0.float(value) } }

  /// A number with all its digits: it must be a JSON number.
  public mutating func number(digits: UnsafeRawBufferPointer) throws {
    try plainThrowing { (json) throws in try json.number(digits: digits) }
  }

  /// Text, as UTF-8; bytes that are no UTF-8 become `$base64`.
  public mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if maskedDepth == 0 && secretKey == nil && rules.isEnabled && SecretForms.matches(utf8) {
      countRoot()
      return redact()
    }
    plain(masked: !utf8.isEmpty) { $0.text(utf8: utf8) }
    drainIfFull()
  }

  /// Text.
  public mutating func text(_ value: String) {
    var copy = value
    copy.withUTF8 { text($0) }
  }

  /// A moment in a place without schema, `{"$date": …}`: seconds since `epoch`, which counts from 1970.
  public mutating func date(seconds: Double, since epoch: Int64) { plain { $0.taggedDate(seconds: seconds, since: epoch) } }

  /// A property list's UID outside an archive.
  public mutating func uid(_ value: UInt64) {
    plain {
      $0.beginObject()
      $0.key("$uid")
      $0.integer(value)
      $0.endObject()
    }
  }

  /// 16 bytes as an upper-case UUID.
  public mutating func uuid(_ bytes: UnsafeRawBufferPointer) { plain { $0.uuid(bytes) } }

  /// Bytes: here up to the limit (4 KiB), else in a file of their own.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws {
    let masks = !value.isEmpty && (secretKey != nil || maskedDepth > 0)
    if masks || value.count <= limits.inlineBytes {
      plain(masked: !value.isEmpty) { $0.bytes(value) }
      return drainIfFull()
    }
    let file = try files.add(value)
    plain {
      $0.beginObject()
      $0.reference(to: file)
      $0.endObject()
    }
  }

  /// Bytes that are a keyed archive: `{"$archive": …}` as `decode` writes it, with the bytes beside it, but not where something inside was
  /// masked. Where `decode` throws, what it wrote is taken back and the bytes are written alone.
  /// - Returns: what `decode` threw.
  @discardableResult
  public mutating func archive(_ value: UnsafeRawBufferPointer, decode: (inout ValueWriter) throws -> Void) throws -> (any Error)? {
    if secretKey != nil || maskedDepth > 0 {
      try bytes(value)
      return nil
    }
    let before = (redactions, redactionCount, depth, files.count, roots)
    try drain()
    let (mark, spooled) = (json.mark(), spool.length)
    do {
      try beginObject()
      formatKey("$archive")
      try decode(&self)
      depth -= 1
    } catch {
      if error.endsExport { throw error }
      if spool.length != spooled {
        try spool.truncate(to: spooled)
        mustRehash = true
        json.truncate(to: 0)
      }
      json.rewind(to: mark)
      try files.truncate(to: before.3)
      (redactions, redactionCount, depth, roots) = (before.0, before.1, before.2, before.4)
      (secretKey, maskedDepth) = (nil, 0)
      try bytes(value)
      return error
    }
    if redactionCount == before.1 { try raw(value) }
    json.endObject()
    return nil
  }

  private mutating func raw(_ value: UnsafeRawBufferPointer) throws {
    if value.count > limits.inlineBytes { return json.reference(to: try files.add(value)) }
    json.key("$base64")
    json.base64(value)
  }

  private mutating func countRoot() {
    if depth == 0 { roots += 1 }
  }

  private mutating func plain(masked: Bool = true, _ write: (inout JSONWriter) -> Void) {
    countRoot()
    if maskedDepth > 0 { return maskedIsEmpty = false }
    if masked && secretKey != nil { return redact() }
    write(&json)
    secretKey = nil
  }

  private mutating func plainThrowing(_ write: (inout JSONWriter) throws -> Void) throws {
    if maskedDepth > 0 { return maskedIsEmpty = false }
    if secretKey != nil { return redact() }
    try write(&json)
    countRoot()
  }

  private mutating func redact() {
    json.redacted(.secret)
    redactions[secretKey ?? "", default: 0] += 1
    redactionCount += 1
    secretKey = nil
  }

  // MARK: Ending

  /// What a whole value leaves.
  struct Finished {
    let content: SpoolSlice
    let digest: SHA256Digest
    let files: ValueBatch?
    let redactions: [(place: String, count: Int)]
  }

  private var failure: ExportError?

  /// A failed spool is told at the end: the calls of the hot path don't throw.
  private mutating func drainIfFull() {
    if json.count < RowWriter.drained || failure != nil { return }
    do throws(ExportError) { try drain() } catch { failure = error }
  }

  private mutating func drain() throws(ExportError) {
    try json.withBytes { (bytes) throws(ExportError) in
      hasher.update(bytes)
      try spool.append(bytes)
    }
    json.removeAll()
  }

  mutating func finish() throws -> Finished {
    if let failure { throw failure }
    if depth != 0 { throw ExportError(.source, "a value ended with \(depth) containers open") }
    if roots != 1 { throw ExportError(.source, "a file of one value has \(roots)") }
    json.raw("\n")
    try drain()
    let slice = SpoolSlice(spool: spool, offset: 0, length: spool.length)
    let digest = mustRehash ? try slice.digest() : try hasher.finish()
    let counted = redactions.map { (place: $0.key, count: $0.value) }.sorted { $0.place < $1.place }
    return Finished(content: slice, digest: digest, files: files.batch, redactions: counted)
  }
}

extension JSONWriter {
  /// The keys that refer to a file of a large value.
  mutating func reference(to file: ValueFiles.File) {
    key("$file")
    string(file.path)
    key("bytes")
    integer(file.length)
    key("sha256")
    file.digest.withHex { text(utf8: $0.bindMemory(to: UInt8.self)) }
  }
}
