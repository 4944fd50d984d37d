/// Asks SQLite for a table's columns, keys and order.
struct SchemaReader {
  func describe(_ table: inout SQLiteTable, in connection: borrowing SQLiteConnection) throws(SQLiteError) {
    let names = try readColumns(of: &table, in: connection)
    table.foreignKeys = try foreignKeys(of: table.name, in: connection)
    guard table.kind != .virtual else { return }
    if table.columns.contains(where: \.isGenerated) { table.definition = try definition(of: table.name, in: connection) }
    if table.kind != .withoutRowid {
      table.rowid = ["rowid", "_rowid_", "oid"].first { alias in !names.contains(alias) }
      table.order = .rowid
    }
    try readIndexes(of: &table, in: connection)
    if let key = try keyIndex(of: table.name, in: connection) { table.order = .index(key, try terms(of: key, in: connection)) }
  }

  private func definition(of table: SQLiteName, in connection: borrowing SQLiteConnection) throws(SQLiteError) -> String? {
    let statement = try connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    while try statement.step() {
      if statement.name(at: 0)?.folded == table.folded { return statement.text(at: 1) }
    }
    return nil
  }

  /// Columns that are seen; returns the names of all, folded.
  private func readColumns(of table: inout SQLiteTable, in connection: borrowing SQLiteConnection) throws(SQLiteError) -> Set<SQLiteName> {
    let statement = try connection.prepare(SQLText("PRAGMA main.table_xinfo(") + table.name + ")")
    var names: Set<SQLiteName> = []
    while try statement.step() {
      guard let name = statement.name(at: 1) else { continue }
      names.insert(name.folded)
      let hidden = statement.integer(at: 6)
      if hidden == 1 { continue }
      table.columns.append(
        SQLiteColumn(name: name, declaredType: statement.text(at: 2), isGenerated: hidden > 1, keyPosition: Int(statement.integer(at: 5))))
    }
    return names
  }

  private func foreignKeys(of table: SQLiteName, in connection: borrowing SQLiteConnection) throws(SQLiteError) -> [SQLiteForeignKey] {
    let statement = try connection.prepare(SQLText("PRAGMA main.foreign_key_list(") + table + ")")
    var found: [(id: Int64, table: SQLiteName, from: [SQLiteName], to: [SQLiteName], onDelete: String)] = []
    while try statement.step() {
      guard let parent = statement.name(at: 2), let from = statement.name(at: 3) else { continue }
      let id = statement.integer(at: 0)
      if found.last?.id != id { found.append((id, parent, [], [], statement.text(at: 6))) }
      found[found.count - 1].from.append(from)
      if let to = statement.name(at: 4) { found[found.count - 1].to.append(to) }
    }
    return found.sorted { $0.id < $1.id }.map {
      SQLiteForeignKey(columns: $0.from, table: $0.table, referenced: $0.to, onDelete: $0.onDelete)
    }
  }

  /// What the table's indexes say of its columns. Partial ones say nothing of all rows.
  private func readIndexes(of table: inout SQLiteTable, in connection: borrowing SQLiteConnection) throws(SQLiteError) {
    if !table.primaryKey.isEmpty { table.uniqueKeys.append(table.primaryKey) }
    let statement = try connection.prepare(SQLText("PRAGMA main.index_list(") + table.name + ")")
    while try statement.step() {
      guard let index = statement.name(at: 1) else { continue }
      let columns = try columns(of: index, strange: &table.strangelyOrdered, in: connection)
      let named = columns.prefix { $0 != nil }.compactMap { $0 }
      if statement.integer(at: 4) != 0 || named.isEmpty { continue }
      table.indexes.append(named)
      if statement.integer(at: 2) != 0, named.count == columns.count { table.uniqueKeys.append(named) }
    }
  }

  /// An index's columns, nil for an expression.
  private func columns(
    of index: SQLiteName, strange: inout Set<SQLiteName>, in connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [SQLiteName?] {
    let statement = try connection.prepare(SQLText("PRAGMA main.index_xinfo(") + index + ")")
    var columns: [SQLiteName?] = []
    while try statement.step() {
      guard statement.integer(at: 5) != 0 else { continue }
      let column = statement.name(at: 2)
      columns.append(column)
      let isOwn = ["binary", "nocase", "rtrim"].contains(statement.text(at: 4).lowercased())
      if !isOwn, let column { strange.insert(column.folded) }
    }
    return columns
  }

  /// The index that keeps the primary key; nil where the row's number is the key, or there is none.
  private func keyIndex(of table: SQLiteName, in connection: borrowing SQLiteConnection) throws(SQLiteError) -> SQLiteName? {
    let statement = try connection.prepare(SQLText("PRAGMA main.index_list(") + table + ")")
    var key: SQLiteName?
    while try statement.step() {
      if statement.text(at: 3) == "pk" { key = statement.name(at: 1) }
    }
    return key
  }

  /// The index's own order: with its collations and directions SQLite walks along it, and sorts nothing.
  private func terms(of index: SQLiteName, in connection: borrowing SQLiteConnection) throws(SQLiteError) -> [SQLiteTable.KeyTerm] {
    let statement = try connection.prepare(SQLText("PRAGMA main.index_xinfo(") + index + ")")
    var terms: [SQLiteTable.KeyTerm] = []
    while try statement.step() {
      guard statement.integer(at: 5) != 0, let column = statement.name(at: 2) else { continue }
      terms.append(.init(column: column, collation: statement.name(at: 4) ?? "BINARY", isDescending: statement.integer(at: 3) != 0))
    }
    return terms
  }
}
