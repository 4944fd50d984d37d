import AccountExport
import Ownership
import PostgresReading

/// A database as the walk sees it, within one transaction: a row is where it lies, since nothing that this transaction sees can move.
///
/// A question about many rows is one statement. It finds the rows at hand by their places and the others by the indexes that are there.
struct DatabaseStore: RelationalStore, ~Copyable {
  let connection: PostgresConnection
  private(set) var catalogue: Catalogue
  let places = RowPlaces()
  /// Tables that the walk asked for and that can't be read.
  private(set) var unreadable: Set<Int> = []

  init(_ connection: consuming PostgresConnection) throws {
    catalogue = try Catalogue(of: connection)
    self.connection = connection
  }

  /// Takes the tables and keys with what the configuration adds to them.
  mutating func set(schema: RelationalSchema) { catalogue.schema = schema }

  private mutating func canRead(_ tables: Int...) -> Bool {
    for table in tables where catalogue.tables[table].obstacle != nil { unreadable.insert(table) }
    return !tables.contains { catalogue.tables[$0].obstacle != nil }
  }

  mutating func rows(of table: Int, where column: String, is value: String, limit: Int) throws -> [RowHandle] {
    let facts = catalogue.tables[table]
    if let obstacle = facts.obstacle {
      throw ExportError(.badInput, "the table \(catalogue.schema.tables[table].qualifiedName) of the subject can't be read: \(obstacle)")
    }
    let name = "r." + PostgresSyntax.quoted(column)
    let select = "SELECT r.tableoid, r.ctid FROM \(facts.sql) r WHERE "
    let type = facts.typeName(of: column)
    // A cast may cut a value off, or round it, and then name somebody else: the row must have the value as it was given.
    func isExact(_ parameter: String) -> String { "\(parameter) IN (CAST(\(name) AS text), pg_catalog.format('%s', \(name)))" }
    // A value that isn't of the column's type names no row; a type without equality is compared as text.
    do {
      let isLossless = type == "uuid" || type == "citext" || type.hasSuffix(".citext")
      let sql = select + "\(name) = $1::\(type)" + (isLossless ? "" : " AND " + isExact("$2")) + " LIMIT \(limit)"
      return try connection.attempt { try handles(table, sql, isLossless ? [value] : [value, value]) }
    } catch let error as PostgresError {
      if error.state?.classCode == "22" { return [] }
      guard error.state?.classCode == "42" else { throw error }
      return try handles(table, select + isExact("$1") + " LIMIT \(limit)", [value])
    }
  }

  private func handles(_ table: Int, _ sql: String, _ parameters: [String?]) throws -> [RowHandle] {
    var found: [RowHandle] = []
    try connection.forEachRow(sql, parameters) { row in
      found.append(try places.handle(table, relation: row.value(0), place: row.value(1)))
    }
    return found
  }

  mutating func rows(
    referringBy question: ReferringRows, to parents: [RowHandle], _ body: (_ row: RowHandle, _ has: [Bool]) throws -> Void
  ) throws {
    let key = catalogue.schema.keys[question.key]
    guard canRead(key.child, key.parent) else { return }
    let sql = KeyQuery(question, catalogue)
    let source = "\(catalogue.tables[key.parent].sql) p"
    try places.forEachRelation(of: parents, in: key.parent) { relation, array, _ in
      var parameters: [String?] = [array]
      if catalogue.tables[key.parent].hasParts { parameters.append(String(relation)) }
      let filter = "p.ctid = ANY ($1::tid[])" + (parameters.count == 2 ? " AND p.tableoid = $2::oid" : "")
      let statement = sql.children(from: source, filter: filter, parentColumn: { "p." + PostgresSyntax.quoted($0) }, &parameters)
      try referring(question, key.child, statement, parameters, body)
    }
  }

  mutating func rows(
    referringBy question: ReferringRows, toValues values: [[KeyValue]], _ body: (_ row: RowHandle, _ has: [Bool]) throws -> Void
  ) throws {
    let key = catalogue.schema.keys[question.key]
    guard canRead(key.child), !values.isEmpty else { return }
    let sql = KeyQuery(question, catalogue)
    let (source, bound) = valueSource(key.parentColumns, of: key.parent, values)
    var parameters = bound
    let statement = sql.children(
      from: source, filter: "true", parentColumn: { column in "v.c\(key.parentColumns.firstIndex(of: column) ?? 0)" }, &parameters)
    try referring(question, key.child, statement, parameters, body)
  }

  private func referring(
    _ question: ReferringRows, _ child: Int, _ sql: String, _ parameters: [String?], _ body: (RowHandle, [Bool]) throws -> Void
  ) throws {
    var has = [Bool](repeating: false, count: question.noting.count)
    try connection.forEachRow(sql, parameters) { row in
      for index in has.indices { has[index] = row.isTrue(2 + index) }
      try body(try places.handle(child, relation: row.value(0), place: row.value(1)), has)
    }
  }

  mutating func rows(referredToBy key: Int, from children: [RowHandle], _ body: (_ row: RowHandle) throws -> Void) throws {
    let reference = catalogue.schema.keys[key]
    guard canRead(reference.child, reference.parent) else { return }
    let sql = KeyQuery(ReferringRows(key: key), catalogue)
    try places.forEachRelation(of: children, in: reference.child) { relation, array, _ in
      var parameters: [String?] = [array]
      if catalogue.tables[reference.child].hasParts { parameters.append(String(relation)) }
      let filter = "c.ctid = ANY ($1::tid[])" + (parameters.count == 2 ? " AND c.tableoid = $2::oid" : "")
      let statement = sql.parents(filter: filter, &parameters)
      try connection.forEachRow(statement, parameters) { row in
        try body(try places.handle(reference.parent, relation: row.value(0), place: row.value(1)))
      }
    }
  }

  mutating func values(of columns: [String], in table: Int, rows: [RowHandle], _ body: (_ values: [KeyValue]) throws -> Void) throws {
    guard canRead(table) else { return }
    let list = columns.map { "r." + PostgresSyntax.quoted($0) }.joined(separator: ", ")
    try places.forEachRelation(of: rows, in: table) { relation, array, _ in
      try connection.forEachRow(
        "SELECT \(list) FROM \(catalogue.tables[table].sql) r WHERE r.ctid = ANY ($1::tid[]) AND r.tableoid = $2::oid ORDER BY r.ctid",
        [array, String(relation)]
      ) { row in try body(columns.indices.map { column in row.text(column).map { KeyValue.text($0) } ?? .null }) }
    }
  }

  mutating func rows(of table: Int, where columns: [String], are values: [[KeyValue]], _ body: (_ row: RowHandle) throws -> Void) throws {
    guard canRead(table), !values.isEmpty else { return }
    let (source, parameters) = valueSource(columns, of: table, values)
    let same = columns.enumerated().map { "r.\(PostgresSyntax.quoted($1)) = v.c\($0)" }.joined(separator: " AND ")
    try connection.forEachRow(
      "SELECT r.tableoid, r.ctid FROM \(source) JOIN \(catalogue.tables[table].sql) r ON \(same)", parameters
    ) { row in try body(try places.handle(table, relation: row.value(0), place: row.value(1))) }
  }

  /// Values as rows of a statement, one bound array a column.
  private func valueSource(_ columns: [String], of table: Int, _ values: [[KeyValue]]) -> (sql: String, parameters: [String?]) {
    let facts = catalogue.tables[table]
    let arrays = columns.enumerated().map { "$\($0 + 1)::\(facts.typeName(of: $1))[]" }.joined(separator: ", ")
    let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let parameters: [String?] = columns.indices.map { column in PostgresSyntax.array(values.map { $0[column].printed }) }
    return ("unnest(\(arrays)) v(\(names))", parameters)
  }
}

extension KeyValue {
  /// The text that PostgreSQL reads this value from.
  fileprivate var printed: String? {
    switch self {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    // What this store gave was text; bytes in a text's place fit no column.
    case .bytes(let value), .invalidText(let value):
      "\\x" + value.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
  }
}
