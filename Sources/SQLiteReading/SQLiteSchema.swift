/// What a database holds: its tables and views, in the order of their names' bytes.
///
/// One bad entry does not take the others down: it is there with its `problem`.
public struct SQLiteSchema: Sendable {
  /// Every table and view but SQLite's own `sqlite_schema`.
  public let tables: [SQLiteTable]
  /// How the database keeps its texts.
  public let encoding: SQLiteEncoding

  /// Reads the schema of an open database.
  public init(of connection: borrowing SQLiteConnection) throws(SQLiteError) {
    // Definitions may be longer than the limit for values.
    try connection.liftValueLimit(to: connection.byteCount())
    defer { connection.setValueLimit() }
    encoding = try connection.encoding()
    var tables = try Self.listed(in: connection)
    try Self.addMissing(to: &tables, from: connection)
    for index in tables.indices where tables[index].problem == nil && tables[index].kind != .view {
      do throws(SQLiteError) { try SchemaReader().describe(&tables[index], in: connection) } catch {
        tables[index].problem = error.naming(tables[index].name)
      }
    }
    Self.freeShadows(of: &tables)
    Self.fillReferences(of: &tables)
    self.tables = tables.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
  }

  /// The table of a name, as SQLite compares names.
  public func table(_ name: SQLiteName) -> SQLiteTable? {
    let folded = name.folded
    return tables.first { $0.name.folded == folded }
  }

  /// What SQLite could make of the schema. Virtual tables are connected first: only then does SQLite know which tables are their shadows.
  private static func listed(in connection: borrowing SQLiteConnection) throws(SQLiteError) -> [SQLiteTable] {
    var problems: [SQLiteName: SQLiteError] = [:]
    for (name, type, _) in try list(connection) where type == "virtual" {
      do throws(SQLiteError) { _ = try connection.prepare(SQLText("SELECT * FROM ") + name) } catch { problems[name] = error.naming(name) }
    }
    let virtual = Set(try list(connection).filter { $0.1 == "virtual" }.map(\.0.folded))
    return try list(connection).map { name, type, withoutRowid in
      let kind: SQLiteTable.Kind =
        name.isInternal ? .internal : type == "view" ? .view : type == "virtual" ? .virtual : withoutRowid ? .withoutRowid : .ordinary
      var table = SQLiteTable(name: name, kind: kind)
      table.problem = problems[name]
      if type == "shadow", let owner = owner(of: name), virtual.contains(owner.folded) { table.shadowOf = owner }
      return table
    }
  }

  private static func list(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [(SQLiteName, String, Bool)] {
    let statement = try connection.prepare("PRAGMA main.table_list")
    var found: [(SQLiteName, String, Bool)] = []
    while try statement.step() {
      guard let name = statement.name(at: 1), !["sqlite_schema", "sqlite_master"].contains(name.folded), statement.text(at: 0) == "main"
      else { continue }
      found.append((name, statement.text(at: 2), statement.integer(at: 4) != 0))
    }
    return found
  }

  /// `notes_content` belongs to `notes`: SQLite's own rule, the name up to its last underscore.
  private static func owner(of shadow: SQLiteName) -> SQLiteName? {
    shadow.bytes.lastIndex(of: UInt8(ascii: "_")).map { SQLiteName(shadow.bytes[..<$0]) }
  }

  /// Entries that SQLite could not understand are named all the same.
  private static func addMissing(to tables: inout [SQLiteTable], from connection: borrowing SQLiteConnection) throws(SQLiteError) {
    let known = Dictionary(tables.indices.map { (tables[$0].name.folded, $0) }) { first, _ in first }
    do throws(SQLiteError) {
      let statement = try connection.prepare("SELECT name, type, length(sql) FROM sqlite_schema WHERE type IN ('table', 'view')")
      while try statement.step() {
        guard let name = statement.name(at: 0) else { continue }
        if let index = known[name.folded] {
          // A character takes four bytes at most.
          tables[index].definitionBytes = 4 * UInt64(clamping: statement.integer(at: 2))
          continue
        }
        add(name, kind: name.isInternal ? .internal : statement.text(at: 1) == "view" ? .view : .ordinary, "malformed schema entry")
      }
    } catch {
      if error.code.primary != .damaged { throw error }
      add("sqlite_schema", kind: .ordinary, "damaged: there may be tables that are not named")
    }

    func add(_ name: SQLiteName, kind: SQLiteTable.Kind, _ message: String) {
      var table = SQLiteTable(name: name, kind: kind)
      table.problem = SQLiteError("read schema", code: .damaged, message: message, table: name)
      tables.append(table)
    }
  }

  /// A virtual table that can't be read leaves its data to its shadows: they are tables like any other then.
  private static func freeShadows(of tables: inout [SQLiteTable]) {
    let unreadable = Set(tables.filter { $0.problem != nil }.map(\.name.folded))
    for index in tables.indices {
      if let owner = tables[index].shadowOf, unreadable.contains(owner.folded) { tables[index].shadowOf = nil }
    }
  }

  /// A foreign key without columns refers to the other table's primary key.
  private static func fillReferences(of tables: inout [SQLiteTable]) {
    let keys = Dictionary(tables.map { ($0.name.folded, $0.primaryKey) }) { first, _ in first }
    for index in tables.indices {
      tables[index].foreignKeys = tables[index].foreignKeys.map { key in
        guard key.referenced.isEmpty, let referenced = keys[key.table.folded] else { return key }
        return SQLiteForeignKey(columns: key.columns, table: key.table, referenced: referenced, onDelete: key.onDelete)
      }
    }
  }
}
