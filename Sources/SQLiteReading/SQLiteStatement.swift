internal import CSQLite

/// A value of a row, borrowed: its bytes are valid until the statement's next step.
public enum SQLiteValue {
  case null
  case integer(Int64)
  case real(Double)
  /// The text's bytes in the database's own encoding, not checked.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}

/// A prepared statement, finalized when its owner goes. It may outlive its connection's owner: SQLite closes the database after it.
public struct SQLiteStatement: ~Copyable {
  private let handle: OpaquePointer
  /// The number of columns in each row.
  public let columnCount: Int

  /// Prepares one statement on an open database.
  init(_ database: OpaquePointer, _ sql: SQLText) throws(SQLiteError) {
    var made: OpaquePointer?
    let status = sql.bytes.withUnsafeBytes { bytes in
      sqlite3_prepare_v3(database, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), 0, &made, nil)
    }
    try check(status, "prepare", revealing: database)
    guard let made else { throw SQLiteError("prepare", code: .error, message: "no statement") }
    handle = made
    columnCount = Int(sqlite3_column_count(made))
  }

  /// Prepares one statement on a database that another room has open.
  package init(on database: OpaquePointer, sql: String) throws(SQLiteError) { try self.init(database, SQLText(sql)) }

  deinit { sqlite3_finalize(handle) }

  /// Moves on to the next row; false after the last. An error ends the statement: the next step would begin again.
  public borrowing func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let status:
      let extended = sqlite3_extended_errcode(sqlite3_db_handle(handle))
      sqlite3_reset(handle)
      if status & 0xFF == SQLITE_INTERRUPT {
        throw SQLiteError("step", code: .error, message: "more work than a database of this size can need")
      }
      // The connection's message may quote a value; the code's own text can't.
      throw SQLiteError("step", code: .init(rawValue: extended & 0xFF == status & 0xFF ? extended : status))
    }
  }

  /// Ends the current run, so that parameters can be bound anew.
  public borrowing func reset() {
    // It repeats the last step's status, which has been thrown already.
    sqlite3_reset(handle)
  }

  /// Binds an integer to the parameter of an index that begins at 1.
  public borrowing func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(index), value), "bind")
  }

  /// Binds a text to the parameter of an index that begins at 1.
  public borrowing func bind(_ text: String, at index: Int) throws(SQLiteError) {
    let bytes = Array(text.utf8)
    let status = bytes.withUnsafeBytes {
      csqlite_bind_copied_text(handle, Int32(index), $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), Int32($0.count))
    }
    try check(status, "bind")
  }

  /// Binds null to the parameter of an index that begins at 1.
  public borrowing func bindNull(at index: Int) throws(SQLiteError) { try check(sqlite3_bind_null(handle, Int32(index)), "bind") }

  /// Binds a value to the parameter of an index that begins at 1, a text in the encoding that it is in. SQLite copies the bytes.
  borrowing func bind(_ value: SQLiteValue, in encoding: SQLiteEncoding, at index: Int) throws(SQLiteError) {
    let place = Int32(index)
    let nothing = UnsafeRawPointer(bitPattern: 1)  // a null pointer would bind null
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let integer): try bind(integer, at: index)
    case .real(let real): try check(sqlite3_bind_double(handle, place, real), "bind")
    case .text(let bytes):
      try check(csqlite_bind_copied_text_as(handle, place, bytes.baseAddress ?? nothing, UInt64(bytes.count), encoding.number), "bind")
    case .blob(let bytes):
      try check(csqlite_bind_copied_blob(handle, place, bytes.baseAddress ?? nothing, UInt64(bytes.count)), "bind")
    }
  }

  /// The value of a column by its storage class; its bytes are valid until the next step, reset or end of this statement.
  public borrowing func value(at column: Int) -> SQLiteValue {
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    // A text taken as a blob is handed out as it lies there: neither copied for a NUL at its end, nor converted.
    case SQLITE_TEXT: return .text(bytes(at: index))
    case SQLITE_BLOB: return .blob(bytes(at: index))
    default: return .null
    }
  }

  private borrowing func bytes(at index: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, index)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
  }

  /// A column as an integer, as SQLite converts it.
  public borrowing func integer(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  /// A column as a name: its text in UTF-8; nil for null.
  public borrowing func name(at column: Int) -> SQLiteName? {
    guard let text = sqlite3_column_text(handle, Int32(column)) else { return nil }
    return SQLiteName(UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
  }

  /// A column as text, invalid bytes repaired; empty for null. For what SQLite itself says, not for a user's values.
  public borrowing func text(at column: Int) -> String {
    String(decoding: name(at: column)?.bytes ?? [], as: UTF8.self)
  }
}

extension SQLiteEncoding {
  /// SQLite's number for it.
  var number: UInt8 {
    switch self {
    case .utf8: UInt8(SQLITE_UTF8)
    case .utf16LittleEndian: UInt8(SQLITE_UTF16LE)
    case .utf16BigEndian: UInt8(SQLITE_UTF16BE)
    }
  }
}
