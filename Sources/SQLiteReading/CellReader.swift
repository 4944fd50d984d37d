internal import CSQLite

/// One value of a row that is too big to be loaded as a whole.
struct CellReader {
  enum Content {
    case small(CellStatement)
    case large(SQLiteLargeValue)
  }

  let content: Content

  init(
    _ column: SQLiteColumn, of table: SQLiteTable, row: Int64, _ encoding: SQLiteEncoding, _ byteCount: UInt64,
    in connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let name = column.name
    let place = SQLText(" FROM main.") + table.name + " AS t WHERE t." + table.rowid! + " = ?"
    let statement = try connection.prepare(SQLText("SELECT ") + SQLText.columns([name]) + place)
    do throws(SQLiteError) {
      try Self.find(row, statement)
      content = .small(CellStatement(statement))
      return
    } catch {
      if error.code.primary != .tooBig { throw error }
    }
    if !column.isGenerated, let large = try Self.large(name, table, row, encoding, place, in: connection) {
      content = .large(large)
      return
    }
    // SQLite opens no value of a table with generated columns, and must compute theirs: this one is held whole.
    connection.liftValueLimit(to: byteCount)
    defer { connection.setValueLimit() }
    statement.reset()
    try Self.find(row, statement)
    content = .small(CellStatement(statement))
  }

  private static func find(_ row: Int64, _ statement: borrowing SQLiteStatement) throws(SQLiteError) {
    try statement.bind(row, at: 1)
    if try !statement.step() { throw SQLiteError("step", code: .damaged, message: "a row is gone") }
  }

  /// The value to be read in pieces; nil where SQLite can't.
  private static func large(
    _ column: SQLiteName, _ table: SQLiteTable, _ row: Int64, _ encoding: SQLiteEncoding, _ place: SQLText,
    in connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> SQLiteLargeValue? {
    // Asking for its type doesn't load it.
    let type = try connection.prepare(SQLText("SELECT typeof(") + SQLText.columns([column]) + ")" + place)
    try find(row, type)
    let kind: SQLiteLargeValue.Kind = type.text(at: 0) == "text" ? .text : .blob
    do throws(SQLiteError) {
      return try SQLiteLargeValue(connection.handle, table: table.name, column: column, rowid: row, kind: kind, encoding: encoding)
    } catch {
      if error.code.primary == .error { return nil }
      throw error
    }
  }
}

/// A statement that stays at its row as long as the row's cells are read.
final class CellStatement {
  let statement: SQLiteStatement
  init(_ statement: consuming SQLiteStatement) { self.statement = statement }
}
