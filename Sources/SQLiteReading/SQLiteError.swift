internal import CSQLite
public import Files

/// A call of SQLite, or of the system below it, that failed: what was done, to which table, and why.
///
/// It never holds a row's content: the library's own message is kept only for operations that read no row (opening, preparing).
public struct SQLiteError: Error, Hashable, Sendable {
  /// An extended result code of SQLite (`sqlite3.h`, "Extended Result Codes").
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number, as SQLite gives it.
    public let rawValue: Int32
    /// A code of SQLite's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }
    /// The code without its extension.
    public var primary: Code { Code(rawValue: rawValue & 0xFF) }

    /// Anything that has no code of its own: a missing table, module or function.
    public static let error = Code(rawValue: SQLITE_ERROR)
    /// A lock is held by someone else: trying again later helps.
    public static let busy = Code(rawValue: SQLITE_BUSY)
    /// The caller asked to stop.
    public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
    /// The system failed to read or write; the file error, if there is one, says why.
    public static let inputOutput = Code(rawValue: SQLITE_IOERR)
    /// The database, or a page of it, is damaged.
    public static let damaged = Code(rawValue: SQLITE_CORRUPT)
    /// No room left for the private copy.
    public static let full = Code(rawValue: SQLITE_FULL)
    /// The file can't be opened.
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    /// A value is longer than the limit.
    public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
    /// The user may not read the file.
    public static let denied = Code(rawValue: SQLITE_PERM)
    /// The file is no SQLite database, or it is encrypted.
    public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
  }

  /// The operation in a word or two: `open`, `copy`, `step`.
  public let operation: String
  /// What went wrong.
  public let code: Code
  /// The library's message, where it can hold no row content.
  public let message: String?
  /// The table that was being read.
  public let table: SQLiteName?
  /// The system's error below this one.
  public let cause: FileError?

  init(_ operation: String, code: Code, message: String? = nil, table: SQLiteName? = nil, cause: FileError? = nil) {
    self.operation = operation
    self.code = code
    self.message = message
    self.table = table
    self.cause = cause
  }

  /// What a status of a database that another room has open means; with the connection's message for what reads no rows.
  package static func of(_ operation: String, status: Int32, revealing database: OpaquePointer?) -> SQLiteError {
    SQLiteError(operation, code: .init(rawValue: status), message: database.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) })
  }

  /// A system's error on the way to a database.
  init(_ cause: FileError) {
    let code: Code = cause.isFull ? .full : cause.isDenied ? .denied : cause.isMissing ? .cannotOpen : .inputOutput
    self.init(cause.operation, code: code, cause: cause)
  }

  /// The same error, with the table that it happened to.
  func naming(_ table: SQLiteName) -> SQLiteError {
    SQLiteError(operation, code: code, message: message, table: self.table ?? table, cause: cause)
  }
}

extension SQLiteError: CustomStringConvertible {
  /// `step notes: database disk image is malformed (11)`
  public var description: String {
    if let cause { return cause.description }
    let reason = message ?? String(cString: sqlite3_errstr(code.rawValue))
    return "\(operation)\(table.map { " " + $0.display } ?? ""): \(reason) (\(code.rawValue))"
  }
}

/// Every status of SQLite passes here. `revealing` adds the connection's message: only for what reads no rows.
func check(_ status: Int32, _ operation: String, revealing database: OpaquePointer? = nil) throws(SQLiteError) {
  if status == SQLITE_OK { return }
  let message = database.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
  throw SQLiteError(operation, code: .init(rawValue: status), message: message)
}

/// The system's error as one of SQLite's.
func passing<Result: ~Copyable>(_ body: () throws(FileError) -> Result) throws(SQLiteError) -> Result {
  do throws(FileError) { return try body() } catch { throw SQLiteError(error) }
}
