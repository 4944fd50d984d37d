internal import Checksums
internal import JSONStreaming

/// The handle of one row: a value for each column, in the columns' order. It writes the key, masks what is secret, and remembers the kinds.
///
/// Values are borrowed: nothing of them is kept, and nothing is allocated for one.
public struct RowWriter: ~Copyable, Sendable {
  var json: JSONWriter
  var spool: Spool
  var hasher: SHA256
  var columns: [PreparedColumn]
  var kinds: [ValueKinds]
  var redacted: [Int]
  /// What the source itself masked for other reasons.
  var redactedOtherwise: [OtherRedaction] = []
  /// The column whose value comes next.
  public internal(set) var column = 0
  var rows = 0
  var files: ValueFiles
  let rules: SecretRules
  private var keys = SecretKeys()
  let inlineBytes: Int
  /// How deep values may lie in one another.
  let maximumDepth: Int

  // The row that is open: where it begins, what it holds, and what its siblings say of its values.
  var rowStart = 0
  var rowStartSpooled = 0
  var rowStartFiles = 0
  var rowKinds: [ValueKinds]
  var rowRedacted: [Int]
  var rowRedactedOtherwise: [OtherRedaction] = []
  var isAnyRedacted = false
  var namedSecret: [Bool]
  var valueRanges: [Range<Int>?]
  /// Their places among the values that have files of their own.
  var valueFiles: [Int?]
  var isAnnounced: [Bool]
  var hasNamedValues: Bool
  var mustRehash = false
  /// Where columns were added after the first row: rows before it lack those from there on.
  var growth: [(row: Int, known: Int)] = []

  struct PreparedColumn: Sendable {
    var key: PreparedKey
    var isSecret: Bool
    /// The column whose text names this one's value, and those that this one's text names.
    var namedBy: Int?
    var names: [Int]

    /// The columns of a collection; which of them name others depends on all of them.
    static func all(_ columns: [CollectionDescription.Column], _ rules: SecretRules) -> [PreparedColumn] {
      let naming = rules.namingColumns(of: columns.map(\.name))
      return columns.indices.map { index in
        PreparedColumn(
          key: .user(columns[index].name), isSecret: !columns[index].isKey && rules.isSecret(name: columns[index].name),
          namedBy: naming[index], names: naming.indices.filter { naming[$0] == index })
      }
    }
  }

  init(columns: [PreparedColumn], spool: Spool, files: consuming ValueFiles, rules: SecretRules, limits: ExportLimits) throws(ExportError) {
    hasher = try SHA256.forExport()
    json = JSONWriter()
    self.columns = columns
    self.spool = spool
    self.files = files
    self.rules = rules
    (inlineBytes, maximumDepth) = (limits.inlineBytes, limits.depth)
    kinds = columns.map { _ in [] }
    redacted = columns.map { _ in 0 }
    rowKinds = columns.map { _ in [] }
    rowRedacted = columns.map { _ in 0 }
    namedSecret = columns.map { _ in false }
    valueRanges = columns.map { _ in nil }
    valueFiles = columns.map { _ in nil }
    isAnnounced = columns.map { _ in false }
    hasNamedValues = columns.contains { $0.namedBy != nil }
  }

  // MARK: Values

  /// Nothing.
  public mutating func null() {
    guard hasColumn() else { return }
    beginValue()
    json.null()
    endValue()
  }

  /// A number without a fraction.
  public mutating func integer(_ value: Int64) {
    guard hasColumn() else { return }
    if masks { return redact() }
    beginValue()
    json.integer(value)
    endValue(.integer)
  }

  /// A number without a fraction or sign, beyond what `Int64` holds too.
  public mutating func unsigned(_ value: UInt64) {
    guard hasColumn() else { return }
    if masks { return redact() }
    beginValue()
    json.integer(value)
    endValue(.integer)
  }

  /// A floating-point number: the shortest text that reads back the same, always with `.` or `e`; NaN and infinities as `$number`.
  public mutating func real(_ value: Double) {
    guard hasColumn() else { return }
    if masks { return redact() }
    beginValue()
    json.double(value)
    endValue(value.isFinite ? .number : .object)
  }

  /// True or false. Not masked: it holds no secret, whatever its name.
  public mutating func boolean(_ value: Bool) {
    guard hasColumn() else { return }
    beginValue()
    json.bool(value)
    endValue(.boolean)
  }

  /// A number with all its digits, as it is: it must be a JSON number. What is none is an error, and the column still waits for its value.
  public mutating func number(digits: UnsafeRawBufferPointer) throws {
    guard hasColumn() else { return }
    if masks { return redact() }
    let mark = json.mark()
    beginValue()
    do { try json.number(digits: digits) } catch {
      json.rewind(to: mark)
      throw error
    }
    endValue(.number)
  }

  /// Text, as UTF-8; bytes that are no UTF-8 are written as `$base64`.
  public mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard hasColumn() else { return }
    announce(column: column, utf8)
    if !utf8.isEmpty && (masks || (rules.isEnabled && SecretForms.matches(utf8))) { return redact() }
    beginValue()
    let start = json.count
    json.text(utf8: utf8)
    endValue(json.isText(at: start) ? .text : .object)
  }

  /// Text.
  public mutating func text(_ value: String) {
    var copy = value
    copy.withUTF8 { text($0) }
  }

  /// A moment, as RFC 3339 in UTC.
  public mutating func moment(_ value: Timestamp) {
    guard hasColumn() else { return }
    if masks { return redact() }
    beginValue()
    let start = json.count
    json.date(secondsSince1970: value.seconds, nanoseconds: value.nanoseconds)
    endValue(json.isText(at: start) ? .moment : .object)
  }

  /// Bytes: in the row up to the limit (4 KiB), else in a file of their own.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws {
    guard hasColumn() else { return }
    if !value.isEmpty && masks { return redact() }
    if value.count > inlineBytes { return reference(try files.add(value)) }
    beginValue()
    json.bytes(value)
    endValue(.object)
  }

  /// Puts a value into a file of its own.
  mutating func addFile(_ value: UnsafeRawBufferPointer) throws -> ValueFiles.File { try files.add(value) }

  /// Bytes that come in pieces, `count` in all: they go to a file of their own where they are more than the limit.
  /// - Parameters:
  ///   - count: How many bytes there are.
  ///   - read: Fills a buffer and says how many bytes it put there; 0 is the end. Another sum than `count` is an error.
  public mutating func largeBytes(count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    guard hasColumn() else { return }
    if count > 0 && masks { return redact() }
    if count > inlineBytes { return reference(try files.add(count: count, read)) }
    let whole = try Array<UInt8>(unsafeUninitializedCapacity: count + 1) { buffer, filled in
      while filled <= count {
        let got = try read(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]))
        if got == 0 { break }
        filled += got
      }
    }
    if whole.count != count { throw ExportError(.source, "a value of \(count) bytes came with another length") }
    try whole.withUnsafeBytes { try bytes($0) }
  }

  private mutating func reference(_ file: ValueFiles.File) {
    if hasNamedValues { valueFiles[column] = files.count - 1 }
    beginValue()
    json.beginObject()
    json.reference(to: file)
    json.endObject()
    endValue(.object)
  }

  /// Text that comes in pieces of any length, also cut within a character. Where a later column of the row may name this value, or one before
  /// it, a secret, call `announce` first: neither a long text nor what stands before one can be taken back, and both are masked instead.
  /// - Parameter read: Fills a buffer and says how many bytes it put there; 0 is the end.
  /// - Returns: false where a piece was no UTF-8; nothing is written then, and the caller writes the value as bytes.
  public mutating func largeText(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> Bool {
    guard hasColumn() else { return true }
    if masks || isUnresolved {
      redact()
      return true
    }
    try drainBefore()
    let (start, hadStarted) = (spool.length, json.mark())
    beginValue()
    do {
      try pieces(read)
    } catch is JSONWriterError {
      try cut(to: start)
      json.rewind(to: hadStarted)
      return false
    }
    endValue(.text)
    return true
  }

  private mutating func pieces(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.drained, alignment: 16)
    defer { buffer.deallocate() }
    json.beginText()
    while true {
      let count = try read(buffer)
      if count == 0 { break }
      try json.appendText(utf8: UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self)[..<count]))
      try drain()
    }
    try json.endText()
  }

  /// Whether a key inside a value names a secret.
  mutating func isSecret(key: UnsafeBufferPointer<UInt8>) -> Bool { rules.isEnabled && keys.isSecret(key, rules) }
}

extension JSONWriter {
  /// A masked value.
  mutating func redacted(_ reason: Redaction.Reason) {
    beginObject()
    key("$redacted")
    string(reason.name)
    endObject()
  }

  /// Whether the value that begins at a place of the buffer was written as a string.
  func isText(at start: Int) -> Bool {
    // A comma may stand before a value in an array; in a row the value follows its key.
    withBytes { start < $0.count && $0[start] == UInt8(ascii: "\"") }
  }
}

extension SHA256 {
  /// A hasher, with the error that an export gives.
  static func forExport() throws(ExportError) -> SHA256 {
    do throws(ChecksumError) { return try SHA256.make() } catch { throw ExportError(.output, "no SHA-256 can be made here", cause: error) }
  }
}
