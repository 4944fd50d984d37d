internal import CSQLite
public import SQLiteReading

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A database of our own that is read and written. Every transaction is on the disk when it ends: nothing that a step has noted is lost by a
/// crash or a power cut (`synchronous=EXTRA`, which is FULL, and the folder's entry too).
///
/// `@unchecked` because the compiler knows nothing of what the pointer leads to: a connection that SQLite itself lets one thread use at a time
/// (`SQLITE_OPEN_FULLMUTEX`). Whoever shares one keeps transactions apart.
public struct WritableDatabase: ~Copyable, @unchecked Sendable {
  private let handle: OpaquePointer

  private init(adopting handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_close_v2(handle) }

  /// Opens a database file, which must be there: a path, never a URI.
  /// - Parameter patience: How long another that writes is waited for, in milliseconds.
  public static func open(_ path: String, patience: Int32 = 10_000) throws(SQLiteError) -> WritableDatabase {
    var opened: OpaquePointer?
    let name = path.hasPrefix("/") ? path : "./" + path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW
    let status = sqlite3_open_v2(name, &opened, flags, nil)
    // SQLite gives a handle even where it fails: adopt it first, so that it is closed either way.
    guard let opened else { throw SQLiteError.of("open", status: status, revealing: nil) }
    let database = WritableDatabase(adopting: opened)
    if status != SQLITE_OK { throw SQLiteError.of("open", status: status, revealing: opened) }
    sqlite3_busy_timeout(opened, patience)
    for option in [SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_FKEY] where csqlite_configure(opened, option, 1) != SQLITE_OK {
      throw SQLiteError.of("configure", status: SQLITE_ERROR, revealing: nil)
    }
    for option in [SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_DQS_DML]
    where csqlite_configure(opened, option, 0) != SQLITE_OK {
      throw SQLiteError.of("configure", status: SQLITE_ERROR, revealing: nil)
    }
    try database.execute("PRAGMA journal_mode=DELETE")
    try database.execute("PRAGMA synchronous=EXTRA")
    // What is deleted is overwritten: it was somebody's.
    try database.execute("PRAGMA secure_delete=ON")
    return database
  }

  /// Prepares a statement.
  public borrowing func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement { try SQLiteStatement(on: handle, sql: sql) }

  /// Runs a statement with values for its parameters to its end, and leaves its rows.
  public borrowing func execute(_ sql: String, _ values: [WrittenValue] = []) throws(SQLiteError) {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// How many rows the last statement has changed.
  public borrowing func changedRows() -> Int64 { sqlite3_changes64(handle) }

  /// Does something wholly or not at all, alone among those who write.
  public borrowing func transaction<Result: ~Copyable, Failure: Error>(
    _ failure: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    func run(_ sql: String) throws(Failure) {
      do throws(SQLiteError) { try execute(sql) } catch { throw failure(error) }
    }
    try run("BEGIN IMMEDIATE")
    do throws(Failure) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // A statement that failed may have ended the transaction itself.
      if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
      throw error
    }
  }
}

/// A value for a statement's parameter.
public enum WrittenValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  /// A text, or null.
  public static func optional(_ text: String?) -> WrittenValue { text.map { .text($0) } ?? .null }
  /// An integer, or null.
  public static func optional(_ integer: Int64?) -> WrittenValue { integer.map { .integer($0) } ?? .null }
}

extension SQLiteStatement {
  /// Binds values to the parameters from the first on.
  public borrowing func bind(_ values: [WrittenValue]) throws(SQLiteError) {
    for (index, value) in values.enumerated() {
      switch value {
      case .null: try bindNull(at: index + 1)
      case .integer(let integer): try bind(integer, at: index + 1)
      case .text(let text): try bind(text, at: index + 1)
      }
    }
  }
}
