internal import CSQLite
internal import Files

/// How a database keeps its texts (`PRAGMA encoding`).
public enum SQLiteEncoding: Hashable, Sendable {
  case utf8, utf16LittleEndian, utf16BigEndian
}

/// An open database that is only read. Hardened: nothing in the schema is trusted, nothing can be attached, loaded or written.
///
/// It may be handed from thread to thread, but is used by one at a time.
public struct SQLiteConnection: ~Copyable {
  let handle: OpaquePointer
  private let work: UnsafeMutablePointer<csqlite_work>

  private init(adopting handle: OpaquePointer) {
    self.handle = handle
    work = .allocate(capacity: 1)
    work.initialize(to: csqlite_work(limit: .max, done: 0))
    csqlite_limit_work(handle, work)
  }

  deinit {
    // A statement may keep the database open for longer.
    csqlite_limit_work(handle, nil)
    sqlite3_close_v2(handle)
    work.deallocate()
  }

  /// Pages kept in memory, in KiB: small, so that memory stays flat whatever the database holds.
  static let cacheKiB = 2048

  /// Values longer than this many bytes are not loaded with their row, but fail it with `tooBig`, so that they can be read in pieces.
  public static let valueLimit = 256 << 10

  /// Opens a database of SQLite's own kind of name: a path, or a URI where the flags say so.
  /// `exclusively` takes the file for itself at the first access: no locks, and a log's index in memory instead of a file.
  static func open(_ name: [UInt8], flags: Int32, exclusively: Bool = false) throws(SQLiteError) -> SQLiteConnection {
    var opened: OpaquePointer?
    let status = (name + [0]).withUnsafeBytes {
      sqlite3_open_v2(
        $0.baseAddress?.assumingMemoryBound(to: CChar.self), &opened,
        flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE, nil)
    }
    // SQLite gives a handle even where it fails: adopt it first, so that it is closed either way.
    guard let opened else { throw SQLiteError("open", code: .init(rawValue: status)) }
    let connection = SQLiteConnection(adopting: opened)
    try check(status, "open", revealing: opened)
    // An untrusted schema may not use JSON functions, and its generated columns would read as null without a word. Trusting it gives a
    // hostile file nothing: this connection has no function or module beside SQLite's own, and loads no extension.
    try connection.configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, true)
    try connection.configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    try connection.configure(SQLITE_DBCONFIG_DQS_DML, false)
    // Before anything that reads the schema: one bad entry must not take the others down, nor a file cut short what is left of it.
    try connection.execute("PRAGMA writable_schema=ON")
    if exclusively { try connection.execute("PRAGMA locking_mode=EXCLUSIVE") }
    try connection.execute("PRAGMA cache_size=-\(cacheKiB)")
    try connection.execute("PRAGMA mmap_size=0")
    try connection.execute("PRAGMA cell_size_check=ON")
    return connection
  }

  /// Opens a database file read-only, as it is: with its locks, and its log if there is one. For a store of one's own; another's is
  /// read through a `SQLiteSnapshot`.
  public static func reading(_ path: borrowing String) throws(SQLiteError) -> SQLiteConnection {
    let connection = try open(plainName(Array(path.utf8)), flags: SQLITE_OPEN_READONLY)
    try connection.harden(byteCount: connection.byteCount())
    return connection
  }

  /// A path that SQLite takes for a path: one that begins with `file:` would be a URI, `:memory:` no file at all.
  static func plainName(_ path: [UInt8]) -> [UInt8] {
    path.first == UInt8(ascii: "/") ? path : Array("./".utf8) + path
  }

  /// Shuts what reading does not need. The schema must have been read before: its own texts may be longer than the limit for values.
  /// - Parameter byteCount: The database's size, which no value in it exceeds, and which bounds the work that a row can need: a view under
  ///   a virtual table may go on for ever.
  func harden(byteCount: UInt64) throws(SQLiteError) {
    work.pointee.limit = 100_000_000 + byteCount &* 64
    try execute("PRAGMA query_only=ON")
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try check(csqlite_accept_any_collation(handle), "configure")
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Self.valueLimit))
  }

  /// Bytes in the database.
  func byteCount() throws(SQLiteError) -> UInt64 {
    let pages = try integer(SQLText("PRAGMA page_count"))
    return try UInt64(clamping: pages) * UInt64(clamping: integer(SQLText("PRAGMA page_size")))
  }

  /// Begins to count anew the work that a statement may need before its next row: a row has come, or a statement begins.
  public func noteProgress() { work.pointee.done = 0 }

  /// Lets values be loaded with their row from now on that are as long as the whole database: none can be longer, whatever it claims.
  func liftValueLimit(to byteCount: UInt64) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(byteCount, UInt64(Self.valueLimit))))
  }

  /// Fails rows whose values are longer than `valueLimit` again.
  func setValueLimit() { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Self.valueLimit)) }

  private func configure(_ option: Int32, _ on: Bool) throws(SQLiteError) {
    try check(csqlite_configure(handle, option, on ? 1 : 0), "configure")
  }

  /// Prepares a statement given as text.
  public borrowing func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try SQLiteStatement(handle, SQLText(sql))
  }

  borrowing func prepare(_ sql: SQLText) throws(SQLiteError) -> SQLiteStatement {
    try SQLiteStatement(handle, sql)
  }

  /// Runs a statement to its end and leaves its rows.
  borrowing func execute(_ sql: String) throws(SQLiteError) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// The first column of a statement's first row, as text.
  borrowing func text(_ sql: String) throws(SQLiteError) -> String {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(at: 0) : ""
  }

  /// The first column of a statement's first row, as an integer.
  borrowing func integer(_ sql: SQLText) throws(SQLiteError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  /// How the database keeps its texts.
  public borrowing func encoding() throws(SQLiteError) -> SQLiteEncoding {
    switch try text("PRAGMA encoding") {
    case "UTF-16le": .utf16LittleEndian
    case "UTF-16be": .utf16BigEndian
    default: .utf8
    }
  }
}
