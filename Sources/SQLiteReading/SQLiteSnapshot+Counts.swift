extension SQLiteTable {
  /// The column that is the row's own number (`INTEGER PRIMARY KEY`); nil where the key is another, or none.
  public var numberKey: SQLiteName? {
    guard order == .rowid, primaryKey.count == 1 else { return nil }
    return primaryKey.first
  }
}

extension SQLiteSnapshot {
  /// The number of a table's rows.
  public func rowCount(of table: SQLiteTable) throws(SQLiteError) -> Int64 {
    if let problem = table.problem { throw problem }
    do throws(SQLiteError) { return try count(SQLText("main.") + table.name) } catch { throw error.naming(table.name) }
  }

  /// Counts the rows of a source of rows, but not more than the file can hold: a damaged b-tree may go round in circles.
  func count(_ source: SQLText) throws(SQLiteError) -> Int64 {
    connection.noteProgress()
    let count = try connection.integer(SQLText("SELECT count(*) FROM (SELECT 1 FROM ") + source + " LIMIT \(mostRows + 1))")
    if count > mostRows { throw SQLiteError("count", code: .damaged, message: "more rows than the file can hold") }
    return count
  }

  private var mostRows: Int64 { Int64(clamping: byteCount) }

  /// Whether every row's reference has its target, as values of the same storage class; references that are null don't count, but where
  /// only part of one is null there is no target. False too where it can't be found out in reasonable time.
  public func isSatisfied(_ key: SQLiteForeignKey, of table: SQLiteTable, in schema: SQLiteSchema) -> Bool {
    guard let parent = schema.table(key.table), key.columns.count == key.referenced.count, canSeek(key.referenced, in: parent) else {
      return false
    }
    let pairs = zip(key.columns, key.referenced)
    connection.noteProgress()
    var some = SQLText()
    var match = SQLText()
    for (index, (column, referenced)) in pairs.enumerated() {
      some = some + (index == 0 ? "t." : " OR t.") + column + " IS NOT NULL"
      match =
        match + (index == 0 ? "p." : " AND p.") + referenced + " = t." + column + " AND typeof(p." + referenced + ") = typeof(t." + column
        + ")"
      match = match + " AND typeof(t." + column + ") <> 'blob'"
    }
    let dangling =
      SQLText("SELECT 1 FROM main.") + table.name + " AS t WHERE (" + some + ") AND NOT EXISTS (SELECT 1 FROM main." + parent.name
    do throws(SQLiteError) {
      let unmatched = try connection.integer(dangling + " AS p WHERE " + match + ") LIMIT 1")
      if unmatched != 0 { return false }
      return try connection.integer(SQLText("SELECT 1 FROM main.") + parent.name + " LIMIT 1") == 1
    } catch {
      return false  // damage, or a value too long to compare: the reference is told without the promise
    }
  }

  /// Whether rows are found by these columns through an index, in an order that SQLite itself knows.
  private func canSeek(_ columns: [SQLiteName], in table: SQLiteTable) -> Bool {
    guard table.problem == nil, table.kind == .ordinary || table.kind == .withoutRowid, table.shadowOf == nil else { return false }
    if let number = table.numberKey { return columns.map(\.folded) == [number.folded] }
    guard case .index(_, let terms) = table.order else { return false }
    return Set(terms.map(\.column.folded)) == Set(columns.map(\.folded)) && terms.allSatisfy { $0.collation == "BINARY" }
  }
}
