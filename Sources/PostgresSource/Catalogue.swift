import AccountExport
import Ownership
import PostgresReading

/// A table as it is read, beside its shape: what SQL calls it, its columns' types, and whether the role may read it.
struct CatalogueTable {
  struct Column {
    let name: String
    let type: Int
    /// The type as SQL writes it, of any length: `bpchar`, for `character` alone would mean one letter.
    let typeName: String
    /// Whether its texts compare by a collation.
    let isCollated: Bool
    /// What makes its values, where it is a generated column.
    let expression: String?
  }

  let oid: Int
  /// The name in SQL.
  let sql: String
  let columns: [Column]
  /// Why rows of it can't be read; nil where they can.
  let obstacle: String?
  /// Whether its rows lie in several relations: partitions, or tables that inherit from it.
  let hasParts: Bool

  /// A column's type as SQL writes it.
  func typeName(of column: String) -> String { columns.first { $0.name.utf8.elementsEqual(column.utf8) }?.typeName ?? "text" }
}

/// The tables and keys of a database. A partition is part of its partitioned table, and a key that one declares is the whole table's.
struct Catalogue {
  private(set) var tables: [CatalogueTable] = []
  var schema: RelationalSchema
  /// The operators by which a key's columns are compared, the parent's column on the left.
  private var operators: [Key: [String]] = [:]

  private struct Key: Hashable {
    let child: Int, columns: [String], parent: Int, parentColumns: [String]
  }

  init(of connection: borrowing PostgresConnection) throws {
    let columns = try Self.columns(connection)
    let indexes = try Self.indexes(connection)
    let found = try connection.rows(
      """
      SELECT c.oid, n.nspname, c.relname, has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'),
        row_security_active(c.oid), EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid), c.relkind
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
      ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
      """)
    var shapes: [TableShape] = []
    var places: [Int: Int] = [:]
    for row in 0..<found.rowCount {
      let (oid, schema, name) = (found.integer(0, row: row) ?? 0, found.text(1, row: row) ?? "", found.text(2, row: row) ?? "")
      let obstacle: String? =
        if !found.isTrue(3, row: row) { "the role may not read it" } else if found.isTrue(4, row: row) {
          "a row-level security policy would filter what the role reads"
        } else if found.text(6, row: row) == "f" { "its rows lie in another database" } else { nil }
      places[oid] = tables.count
      tables.append(
        CatalogueTable(
          oid: oid, sql: PostgresSyntax.quoted(schema, name), columns: columns[oid] ?? [], obstacle: obstacle,
          hasParts: found.isTrue(5, row: row)))
      let (primary, unique, others) = indexes[oid] ?? ([], [], [])
      shapes.append(
        TableShape(
          schema: schema == "public" ? nil : schema, name: name,
          columns: (columns[oid] ?? []).map { TableShape.Column($0.name, $0.typeName) }, primaryKey: primary, uniqueKeys: unique,
          indexes: others))
    }
    schema = RelationalSchema(tables: shapes)
    try declareKeys(connection, places)
  }

  /// The operators of a key; nil where it is none that the database declares.
  func operators(ofKey index: Int) -> [String]? {
    let key = schema.keys[index]
    return operators[Key(child: key.child, columns: key.columns, parent: key.parent, parentColumns: key.parentColumns)]
  }

  /// The order of a table's rows, named `r`: by the primary key, texts by their bytes, so that no locale of a server counts; where there is none, and between
  /// rows of inheriting tables, by where they lie.
  func order(of table: Int) -> String {
    let key = schema.tables[table].primaryKey.map { name in
      let isCollated = tables[table].columns.first { $0.name.utf8.elementsEqual(name.utf8) }?.isCollated ?? false
      return "r." + PostgresSyntax.quoted(name) + (isCollated ? " COLLATE \"C\"" : "")
    }
    return (key.isEmpty || tables[table].hasParts ? key + ["r.tableoid", "r.ctid"] : key).joined(separator: ", ")
  }

  /// The columns of a table that are in keys, or in what keys refer to: their names make no secrets of them.
  func keyColumns(of table: Int) -> Set<String> {
    var names: Set<String> = []
    for key in schema.keys {
      if key.child == table { names.formUnion(key.columns) }
      if key.parent == table { names.formUnion(key.parentColumns) }
    }
    return names
  }

  private static func columns(_ connection: borrowing PostgresConnection) throws -> [Int: [CatalogueTable.Column]] {
    var columns: [Int: [CatalogueTable.Column]] = [:]
    try connection.forEachRow(
      """
      SELECT a.attrelid, a.attname, a.atttypid, format_type(a.atttypid, -1),
        CASE WHEN a.attgenerated <> '' THEN (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum) END,
        a.attcollation <> 0
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition ORDER BY a.attrelid, a.attnum
      """
    ) { row in
      columns[row.integer(0) ?? 0, default: []].append(
        .init(
          name: row.text(1) ?? "", type: row.integer(2) ?? 0, typeName: row.text(3) ?? "text", isCollated: row.isTrue(5),
          expression: row.text(4)))
    }
    return columns
  }

  /// For each table its primary key, its other whole unique keys, and the columns that lead its other indexes.
  private static func indexes(_ connection: borrowing PostgresConnection) throws -> [Int: ([String], [[String]], [[String]])] {
    var found: [Int: ([String], [[String]], [[String]])] = [:]
    try connection.forEachRow(
      """
      SELECT i.indrelid, i.indisprimary, i.indisunique AND i.indexprs IS NULL,
        ARRAY(SELECT a.attname::text FROM unnest((i.indkey::int2[])[0:i.indnkeyatts - 1]) WITH ORDINALITY u(n, o)
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.n ORDER BY u.o),
        0 = ANY ((i.indkey::int2[])[0:0])
      FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
      WHERE i.indpred IS NULL AND i.indisvalid AND m.amname IN ('btree', 'hash') ORDER BY i.indexrelid
      """
    ) { row in
      let (table, columns) = (row.integer(0) ?? 0, try names(row.value(3)))
      if row.isTrue(1) {
        found[table, default: ([], [], [])].0 = columns
      } else if row.isTrue(2) {
        found[table, default: ([], [], [])].1.append(columns)
      } else if !row.isTrue(4), !columns.isEmpty {
        // Behind an expression a column leads nothing, before one it does.
        found[table, default: ([], [], [])].2.append(columns)
      }
    }
    return found
  }

  private mutating func declareKeys(_ connection: borrowing PostgresConnection, _ places: [Int: Int]) throws {
    let names = { (relation: String, numbers: String) in
      """
      ARRAY(SELECT a.attname::text FROM unnest(\(numbers)) WITH ORDINALITY u(n, o)
        JOIN pg_attribute a ON a.attrelid = \(relation) AND a.attnum = u.n ORDER BY u.o)
      """
    }
    let found = try connection.rows(
      """
      SELECT coalesce(pg_partition_root(k.conrelid), k.conrelid)::oid, \(names("k.conrelid", "k.conkey")),
        coalesce(pg_partition_root(k.confrelid), k.confrelid)::oid, \(names("k.confrelid", "k.confkey")), k.confdeltype = 'c',
        ARRAY(SELECT format('OPERATOR(%I.%s)', n.nspname, p.oprname) FROM unnest(k.conpfeqop) WITH ORDINALITY u(p, o)
          JOIN pg_operator p ON p.oid = u.p JOIN pg_namespace n ON n.oid = p.oprnamespace ORDER BY u.o)
      FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0 ORDER BY k.oid
      """)
    for row in 0..<found.rowCount {
      guard let child = places[found.integer(0, row: row) ?? 0], let parent = places[found.integer(2, row: row) ?? 0] else { continue }
      let (columns, referenced) = (try Self.names(found.value(1, row: row)), try Self.names(found.value(3, row: row)))
      schema.declare(
        child: child, columns: columns, parent: parent, parentColumns: referenced, cascades: found.isTrue(4, row: row))
      operators[Key(child: child, columns: columns, parent: parent, parentColumns: referenced)] = try Self.names(found.value(5, row: row))
    }
  }

  /// The elements of an array of names.
  private static func names(_ text: Printed?) throws -> [String] {
    guard let text else { return [] }
    var array = try ArrayText(text, delimiter: UInt8(ascii: ","))
    var names: [String] = []
    while let token = try array.next() {
      switch token {
      case .plain(let range): names.append(String(decoding: text[range], as: UTF8.self))
      case .escaped: names.append(String(decoding: array.unescaped, as: UTF8.self))
      case .open, .close, .null: break
      }
    }
    return names
  }
}
