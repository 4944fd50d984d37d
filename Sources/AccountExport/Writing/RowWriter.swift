internal import Checksums
internal import JSONStreaming

/// The handle of one row: a value for each column, in the columns' order. It writes the key, masks what is secret, and remembers the kinds.
///
/// Values are borrowed: nothing of them is kept, and nothing is allocated for one.
public struct RowWriter: ~Copyable, Sendable {
  var json: JSONWriter
  var spool: Spool
  private var hasher: SHA256
  private let columns: [PreparedColumn]
  var kinds: [ValueKinds]
  var redacted: [Int]
  /// The column whose value comes next.
  public private(set) var column = 0
  private(set) var rows = 0
  private var files: ValueFiles
  private let rules: SecretRules
  private var keys = SecretKeys()
  let inlineBytes: Int
  /// How deep values may lie in one another.
  let maximumDepth: Int

  // The row that is open: where it begins, and what its siblings say of its values.
  private var rowStart = 0
  private var rowStartSpooled = 0
  private var rowStartFiles = 0
  private var namedSecret: [Bool]
  private var valueRanges: [Range<Int>?]
  private var isAnnounced: [Bool]
  private var hasNamedValues: Bool
  private var mustRehash = false

  struct PreparedColumn: Sendable {
    var key: PreparedKey
    var isSecret: Bool
    /// The column whose text names this one's value, and those that this one's text names.
    var namedBy: Int?
    var names: [Int]
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
    namedSecret = columns.map { _ in false }
    valueRanges = columns.map { _ in nil }
    isAnnounced = columns.map { _ in false }
    hasNamedValues = columns.contains { $0.namedBy != nil }
  }

  // MARK: Values

  /// Nothing.
  public mutating func null() {
    beginValue()
    json.null()
    endValue()
  }

  /// A number without a fraction.
  public mutating func integer(_ value: Int64) {
    if masks { return redact() }
    beginValue()
    json.integer(value)
    endValue(.integer)
  }

  /// A number without a fraction or sign, beyond what `Int64` holds too.
  public mutating func unsigned(_ value: UInt64) {
    if masks { return redact() }
    beginValue()
    json.integer(value)
    endValue(.integer)
  }

  /// A floating-point number: the shortest text that reads back the same, always with `.` or `e`; NaN and infinities as `$number`.
  public mutating func real(_ value: Double) {
    if masks { return redact() }
    beginValue()
    json.double(value)
    endValue(value.isFinite ? .number : .object)
  }

  /// True or false. Not masked: it holds no secret, whatever its name.
  public mutating func boolean(_ value: Bool) {
    beginValue()
    json.bool(value)
    endValue(.boolean)
  }

  /// A number with all its digits, as it is: it must be a JSON number.
  public mutating func number(digits: UnsafeRawBufferPointer) throws {
    if masks { return redact() }
    beginValue()
    try json.number(digits: digits)
    endValue(.number)
  }

  /// Text, as UTF-8; bytes that are no UTF-8 are written as `$base64`.
  public mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
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
    if masks { return redact() }
    beginValue()
    let start = json.count
    json.date(secondsSince1970: value.seconds, nanoseconds: value.nanoseconds)
    endValue(json.isText(at: start) ? .moment : .object)
  }

  /// Bytes: in the row up to the limit (4 KiB), else in a file of their own.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws {
    if !value.isEmpty && masks { return redact() }
    if value.count > inlineBytes { return reference(try files.add(value)) }
    beginValue()
    json.bytes(value)
    endValue(.object)
  }

  /// Puts a value into a file of its own.
  mutating func addFile(_ value: UnsafeRawBufferPointer) throws -> ValueFiles.File { try files.add(value) }

  /// Bytes that come in pieces, `count` in all: they go to a file of their own where they are more than the limit.
  /// - Parameter read: Fills a buffer and says how many bytes it put there; 0 is the end. Another sum than `count` is an error.
  public mutating func largeBytes(count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
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
    beginValue()
    json.beginObject()
    json.reference(to: file)
    json.endObject()
    endValue(.object)
  }

  /// Text that comes in pieces of any length, also cut within a character. Where a later column of the row may name this value a secret,
  /// call `announce` first: a long text can't be taken back, and is masked instead.
  /// - Parameter read: Fills a buffer and says how many bytes it put there; 0 is the end.
  /// - Returns: false where a piece was no UTF-8; nothing is written then, and the caller writes the value as bytes.
  public mutating func largeText(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> Bool {
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

  /// Tells what a naming column of this row holds before its turn: `session_tokens` in `meta_key` makes a secret of `meta_value`.
  public mutating func announce(column index: Int, _ utf8: UnsafeBufferPointer<UInt8>) {
    if columns[index].names.isEmpty { return }
    isAnnounced[index] = true
    let isSecret = rules.isSecret(name: String(decoding: utf8, as: UTF8.self))
    for value in columns[index].names where isSecret {
      namedSecret[value] = true
      if let range = valueRanges[value] { takeBack(value, range) }
    }
  }

  /// The column that names this one's value, where there is one.
  public func namingColumn(of column: Int) -> Int? { columns[column].namedBy }

  // MARK: Masking

  var masks: Bool { columns[column].isSecret || namedSecret[column] }

  /// Whether a later column may still say that this value is a secret.
  var isUnresolved: Bool {
    guard let naming = columns[column].namedBy else { return false }
    return naming > column && !isAnnounced[naming]
  }

  /// Whether a key inside a value names a secret.
  mutating func isSecret(key: UnsafeBufferPointer<UInt8>) -> Bool { rules.isEnabled && keys.isSecret(key, rules) }

  /// Whether a text is a secret by its own form.
  func isSecret(form utf8: UnsafeBufferPointer<UInt8>) -> Bool { rules.isEnabled && !utf8.isEmpty && SecretForms.matches(utf8) }

  mutating func redact() {
    beginValue()
    json.redacted(.secret)
    redacted[column] += 1
    endValue(.object)
  }

  /// Masks a value that is written already, since a later column names it.
  private mutating func takeBack(_ value: Int, _ range: Range<Int>) {
    valueRanges[value] = nil
    let mask: StaticString = #"{"$redacted":"secret"}"#
    mask.withUTF8Buffer { json.replace(from: range.lowerBound, to: range.upperBound, with: UnsafeRawBufferPointer($0)) }
    redacted[value] += 1
    kinds[value].insert(.object)
    let shift = mask.utf8CodeUnitCount - range.count
    for later in valueRanges.indices {
      if let other = valueRanges[later], other.lowerBound >= range.upperBound {
        valueRanges[later] = other.lowerBound + shift..<other.upperBound + shift
      }
    }
  }

  // MARK: Framing

  /// Empties the buffer before a long value, so that taking that back only cuts the spool. What a later column may still name can't be taken
  /// back from the spool: it is masked now.
  mutating func drainBefore() throws {
    for index in valueRanges.indices {
      if let range = valueRanges[index] { takeBack(index, range) }
    }
    try drain()
  }

  mutating func beginValue() {
    precondition(column < columns.count, "a row has more values than columns")
    json.key(columns[column].key)
    if hasNamedValues { valueRanges[column] = json.count..<json.count }
  }

  mutating func endValue(_ kind: ValueKinds? = nil, isEmpty: Bool = false) {
    if let kind { kinds[column].insert(kind) }
    if hasNamedValues { closeNamedValue(isEmpty: isEmpty || kind == nil) }
    column += 1
  }

  /// A value that is masked already can't be masked once more.
  mutating func forgetRange() { valueRanges[column] = nil }

  /// Keeps where a value stands that a later column may name; a null, an empty text or a masked value stays as it is.
  private mutating func closeNamedValue(isEmpty: Bool) {
    guard let start = valueRanges[column]?.lowerBound, isUnresolved else { return valueRanges[column] = nil }
    let isBare = isEmpty || json.count - start <= 2 && kinds[column].contains(.text)
    valueRanges[column] = isBare || namedSecret[column] || columns[column].isSecret ? nil : start..<json.count
  }

  mutating func begin() {
    rowStart = json.count
    rowStartSpooled = spool.length
    rowStartFiles = files.count
    column = 0
    if hasNamedValues {
      for index in columns.indices { (namedSecret[index], valueRanges[index], isAnnounced[index]) = (false, nil, false) }
    }
    json.raw(rows == 0 ? "[\n" : ",\n")
    json.resetStructure()
    json.beginObject()
  }

  mutating func end() throws {
    guard column == columns.count else {
      let given = column
      try abort()
      throw ExportError(.source, "a row has \(given) values for \(columns.count) columns")
    }
    json.endObject()
    rows += 1
    if json.count >= Self.drained { try drain() }
  }

  /// Takes back a row that could not be finished.
  mutating func abort() throws {
    try rewind(to: (rowStart, rowStartSpooled))
    try files.truncate(to: rowStartFiles)
  }

  private mutating func rewind(to start: (buffered: Int, spooled: Int)) throws {
    if spool.length == start.spooled { return json.truncate(to: start.buffered) }
    // Part of the row has left the buffer, so has what stood before it there: cut the spool where the row began.
    try cut(to: start.spooled + start.buffered)
  }

  /// Takes back what has been spooled beyond a length, and what is in the buffer.
  mutating func cut(to length: Int) throws {
    json.truncate(to: 0)
    try spool.truncate(to: length)
    mustRehash = true
  }

  /// Bytes in the buffer before they go on to the spool.
  static let drained = 64 << 10

  mutating func drain() throws(ExportError) {
    try json.withBytes { (bytes) throws(ExportError) in
      hasher.update(bytes)
      try spool.append(bytes)
    }
    json.removeAll()
  }

  /// Closes the array and gives what it takes to pack it.
  mutating func finish() throws -> (content: SpoolSlice, digest: SHA256Digest) {
    json.raw(rows == 0 ? "[]\n" : "\n]\n")
    try drain()
    let slice = SpoolSlice(spool: spool, offset: 0, length: spool.length)
    if mustRehash { return (slice, try slice.digest()) }
    return (slice, try hasher.finish())
  }

  /// The values that got files of their own.
  func takeFiles() -> ValueBatch? { files.batch }
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
