internal import CSQLite

/// A text or blob that is too long to be loaded with its row: read in pieces, as often as needed, until the reader moves on.
public final class SQLiteLargeValue {
  /// Text or bytes.
  public enum Kind: Hashable, Sendable { case text, blob }

  /// What the value is.
  public let kind: Kind
  /// Bytes as they are stored: of a text in the database's encoding.
  public let byteCount: Int
  private let encoding: SQLiteEncoding
  private let handle: OpaquePointer

  init(
    _ database: OpaquePointer, table: SQLiteName, column: SQLiteName, rowid: Int64, kind: Kind, encoding: SQLiteEncoding
  ) throws(SQLiteError) {
    var opened: OpaquePointer?
    let status = table.withCString { table in column.withCString { sqlite3_blob_open(database, "main", table, $0, rowid, 0, &opened) } }
    try check(status, "open value")
    guard let opened else { throw SQLiteError("open value", code: .error) }
    handle = opened
    byteCount = Int(sqlite3_blob_bytes(opened))
    self.kind = kind
    self.encoding = encoding
  }

  deinit { sqlite3_blob_close(handle) }

  /// Fills a buffer from a place in the stored bytes; the buffer must not reach beyond their end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SQLiteError) {
    try check(sqlite3_blob_read(handle, buffer.baseAddress, Int32(buffer.count), Int32(offset)), "read value")
  }

  /// Whether a text is valid in its encoding. It reads the value once.
  public func isValidText() throws(SQLiteError) -> Bool {
    var pieces = SQLitePieces(self, as: encoding == .utf8 ? .bytes : .utf8(from: encoding))
    var check = UTF8Check()
    while let piece = try pieces.next() {
      if encoding == .utf8 { check.take(piece) }
      if !pieces.isValid || !check.isValid { return false }
    }
    return encoding == .utf8 ? check.isComplete : pieces.isComplete
  }

  /// The stored bytes from the start, in pieces.
  public func bytes() -> SQLitePieces { SQLitePieces(self, as: .bytes) }

  /// A valid text in UTF-8 from the start, in pieces that end between characters.
  public func text() -> SQLitePieces { SQLitePieces(self, as: .utf8(from: encoding)) }
}

/// A long value's pieces, one after the other, each valid until the next.
public struct SQLitePieces: ~Copyable {
  enum Form {
    case bytes
    case utf8(from: SQLiteEncoding)
  }

  private let value: SQLiteLargeValue
  private let form: Form
  private var transcoder: UTF16Transcoder
  private let buffer: UnsafeMutableRawBufferPointer
  private let transcoded: UnsafeMutableRawBufferPointer
  private var offset = 0
  /// What of the current piece has not been read into a buffer yet.
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Bytes read at once.
  private static let size = 64 << 10

  init(_ value: SQLiteLargeValue, as form: Form) {
    self.value = value
    self.form = form
    buffer = .allocate(byteCount: Self.size, alignment: 16)
    var room = 0
    var isLittleEndian = true
    if case .utf8(let encoding) = form, encoding != .utf8 {
      room = UTF16Transcoder.room(for: Self.size)
      isLittleEndian = encoding == .utf16LittleEndian
    }
    transcoder = UTF16Transcoder(isLittleEndian: isLittleEndian)
    transcoded = .allocate(byteCount: room, alignment: 16)
  }

  deinit {
    buffer.deallocate()
    transcoded.deallocate()
  }

  var isValid: Bool { transcoder.isValid }
  var isComplete: Bool { transcoder.isComplete }

  /// The next piece; nil after the last.
  public mutating func next() throws(SQLiteError) -> UnsafeRawBufferPointer? {
    let count = min(Self.size, value.byteCount - offset)
    if count == 0 { return nil }
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    try value.read(into: part, at: offset)
    let piece = UnsafeRawBufferPointer(part)
    switch form {
    case .bytes: break
    case .utf8(from: .utf8):
      let whole = offset + count == value.byteCount ? count : Self.endOfCharacters(piece)
      offset += whole
      return UnsafeRawBufferPointer(rebasing: piece[..<whole])
    case .utf8:
      offset += count
      return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(transcoded)[..<transcoder.transcode(piece, into: transcoded)])
    }
    offset += count
    return piece
  }

  /// Fills a buffer with what comes next and says how much that was; 0 is the end.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SQLiteError) -> Int {
    while rest.isEmpty {
      guard let piece = try next() else { return 0 }
      rest = piece
    }
    let count = min(rest.count, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    return count
  }

  /// Where the last whole character of a valid text ends.
  private static func endOfCharacters(_ piece: UnsafeRawBufferPointer) -> Int {
    var start = piece.count - 1
    while start > 0 && piece.count - start < 4 && piece[start] & 0xC0 == 0x80 { start -= 1 }
    let length = piece[start] < 0x80 ? 1 : piece[start] < 0xE0 ? 2 : piece[start] < 0xF0 ? 3 : 4
    return start + length <= piece.count ? piece.count : max(start, 1)
  }
}

extension SQLiteName {
  /// Calls `body` with the name as C takes it. A name in a schema holds no NUL: SQL text can't.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBufferPointer { $0.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) } }
  }
}
