import SQLiteReading

/// A store's tables and columns, found as Core Data names them: in capitals, whatever the alphabet.
struct StoreTables {
  private let tables: [String: SQLiteTable]
  private let columns: [String: [String: SQLiteName]]

  init(_ schema: SQLiteSchema) {
    let ordinary = schema.tables.filter { $0.kind == .ordinary && $0.problem == nil && $0.shadowOf == nil }
    tables = Dictionary(ordinary.map { (Self.key($0.name), $0) }) { first, _ in first }
    columns = tables.mapValues { table in
      Dictionary(table.columns.map { (Self.key($0.name), $0.name) }) { first, _ in first }
    }
  }

  private static func key(_ name: SQLiteName) -> String { name.exported.uppercased() }

  /// The table of a name.
  func table(_ name: String) -> SQLiteTable? { tables[name.uppercased()] }

  /// The table of a name whose rows are records: known by `Z_PK`, which is their number, and by `Z_ENT`, which says of which entity they are.
  func entityTable(_ name: String) -> SQLiteTable? {
    guard let table = table(name), table.numberKey?.folded == SQLiteName("z_pk"), column("Z_ENT", of: table) != nil else { return nil }
    return table
  }

  /// A column of a table.
  func column(_ name: String, of table: SQLiteTable) -> SQLiteName? { columns[Self.key(table.name)]?[name.uppercased()] }
}

extension SQLiteName {
  /// The name as SQL takes it, where the text is put together as text: what Core Data names is always valid.
  var sql: String { String(decoding: quoted, as: UTF8.self) }
}
