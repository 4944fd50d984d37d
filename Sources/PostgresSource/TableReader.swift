import AccountExport
import NamedFiles
import Ownership
import PostgresReading

/// The way of a table's rows into a collection, in the order of their primary key: where they lie changes with every update, and with every copy of the
/// database. Only more than 200,000 rows of one table come as they lie. A value that is longer than a row should hold comes by itself, in pieces.
struct TableReader: ~Copyable {
  /// Values longer than this many bytes come in pieces.
  static let longValue = 256 << 10
  /// So many rows come at once. Between them the connection is free for long values.
  private static let batch = 1000
  private static let cursor = "account_export_rows"
  /// The places of so many rows are sent at once, 60 bytes each while they are.
  private static let mostSorted = 200_000

  struct Column {
    let name: String
    let type: Int
    /// Where in the answer the length stands of a value that can be long.
    var length: Int?
    let isPlain: Bool
  }

  private let table: Int
  let sql: String
  private var columns: [Column] = []
  private var selected: String
  private let order: String
  var encoder: ValueEncoder
  /// The files that the rows name.
  private(set) var files: FileValues

  init(_ table: Int, _ catalogue: Catalogue, types: ValueTypes, files: FileValues, limits: ExportLimits) {
    self.table = table
    self.files = files
    sql = catalogue.tables[table].sql
    order = catalogue.order(of: table)
    encoder = ValueEncoder(types: types, limits: limits)
    var (values, lengths): ([String], [String]) = ([], [])
    let all = catalogue.tables[table].columns
    for column in all {
      var made = Column(name: column.name, type: types.index(of: column.type), isPlain: types.plainTexts.contains(column.type))
      let name = "r." + PostgresSyntax.quoted(column.name)
      if types.longTypes.contains(column.type) {
        // What is stored in few bytes isn't long, however well it is compressed; so most values are never measured.
        let length = made.isPlain ? "octet_length(\(name))" : "octet_length(pg_catalog.format('%s', \(name)))"
        values.append("CASE WHEN pg_column_size(\(name)) > 2000 AND \(length) > \(Self.longValue) THEN NULL ELSE \(name) END")
        made.length = Self.firstValue + all.count + lengths.count
        lengths.append("CASE WHEN pg_column_size(\(name)) > 2000 THEN \(length) END")
      } else {
        values.append(name)
      }
      columns.append(made)
    }
    selected = (["r.tableoid", "r.ctid"] + values + lengths).joined(separator: ", ")
  }

  /// Where the first column's value stands in an answer, behind the row's place.
  private static let firstValue = 2

  /// Writes rows of the table, in its order; more than can be asked for at once, in the order in which they lie.
  mutating func write(_ rows: [RowHandle], of store: borrowing DatabaseStore, to records: inout RecordWriter) throws {
    var progress = Progress(order: order)
    if rows.count <= Self.mostSorted { return try write(rows, of: store, &progress, to: &records) }
    var rest = rows[...]
    while !rest.isEmpty {
      try write(asTheyLie: Array(rest.prefix(Self.mostSorted / 4)), of: store, to: &records)
      rest = rest.dropFirst(Self.mostSorted / 4)
    }
  }

  /// How far the rows of one question are.
  private struct Progress {
    /// By what the server sorts the rows; nil where they have to come as they lie.
    var order: String?
    var expected: [RowHandle] = []
    var seen = 0
    var written = 0

    mutating func note(_ row: @autoclosure () throws -> RowHandle) throws {
      if order == nil, try seen == expected.count || row() != expected[seen] { throw OutOfOrder() }
      seen += 1
    }
  }

  private struct OutOfOrder: Error {}

  /// The server finds rows of one relation by their places in the order of these, and isn't asked to sort them: it would hand over the first
  /// only when it had the last. Nothing promises that order, so each row is looked at, and where one comes too early, the rest is sorted.
  private mutating func write(asTheyLie rows: [RowHandle], of store: borrowing DatabaseStore, to records: inout RecordWriter) throws {
    var progress = Progress(order: nil, expected: rows)
    if store.places.areOfOneRelation(rows) {
      do { return try write(rows, of: store, &progress, to: &records) } catch is OutOfOrder {}
    }
    let rest = Array(rows.dropFirst(progress.written))
    progress = Progress(order: "r.tableoid, r.ctid")
    try write(rest, of: store, &progress, to: &records)
  }

  /// The server sorts them at once, which is far less than to fetch them from all over the table one after another.
  private mutating func write(
    _ rows: [RowHandle], of store: borrowing DatabaseStore, _ progress: inout Progress, to records: inout RecordWriter
  ) throws {
    var parameters: [String?] = []
    var places: [String] = []
    try store.places.forEachRelation(of: rows, in: table) { relation, array, _ in
      parameters += [array, String(relation)]
      places.append(Self.places(parameters.count))
    }
    if places.isEmpty { return }
    let condition = places.joined(separator: " OR ")
    let sorted = progress.order.map { " ORDER BY \($0)" } ?? ""
    let declaration = "DECLARE \(Self.cursor) NO SCROLL CURSOR FOR SELECT \(selected) FROM \(sql) r WHERE \(condition)\(sorted)"
    // Whatever ends it, the cursor ends too, and the transaction is good for the other tables.
    try store.connection.attempt {
      _ = try store.connection.rows(declaration, parameters)
      parameters = []
      while try writeNext(store, &progress, to: &records) == Self.batch {}
      try store.connection.execute("CLOSE \(Self.cursor)")
    }
    let missing = rows.count - progress.seen
    if missing != 0 { throw ExportError(.badInput, "\(missing) of \(rows.count) rows of \(sql) could not be found again") }
  }

  /// That a row is one of some of one relation, which the last two of so many parameters name.
  private static func places(_ count: Int) -> String { "r.ctid = ANY ($\(count - 1)::tid[]) AND r.tableoid = $\(count)::oid" }

  /// Writes the cursor's next rows, and says how many these were. From the first row with a long value on they have to wait until the connection is
  /// free; the short ones are then read again, since rows that are kept would take more memory than one may.
  private mutating func writeNext(
    _ store: borrowing DatabaseStore, _ progress: inout Progress, to records: inout RecordWriter
  ) throws -> Int {
    var waiting: [Waiting] = []
    let before = progress.seen
    try store.connection.forEachRow("FETCH \(Self.batch) FROM \(Self.cursor)") { row in
      try progress.note(try store.places.handle(table, relation: row.value(0), place: row.value(1)))
      let isLong = isLong(row)
      if !waiting.isEmpty || isLong {
        waiting.append(Waiting(relation: row.text(0) ?? "", place: row.text(1) ?? "", isLong: isLong))
      } else {
        try records.row { (writer) throws in try write(row, to: &writer) }
        progress.written += 1
      }
    }
    var rest = waiting[...]
    while let first = rest.first {
      let alike = rest.prefix { !first.isLong && !$0.isLong && $0.relation == first.relation }
      if alike.isEmpty {
        try write(long: first, store.connection, to: &records)
      } else {
        try write(again: alike, store.connection, by: progress.order ?? "r.ctid", to: &records)
      }
      progress.written += max(1, alike.count)
      rest = rest.dropFirst(max(1, alike.count))
    }
    return progress.seen - before
  }

  /// A row that waits for the connection.
  private struct Waiting {
    let relation: String, place: String, isLong: Bool
  }

  private mutating func write(
    again rows: ArraySlice<Waiting>, _ connection: borrowing PostgresConnection, by order: String, to records: inout RecordWriter
  ) throws {
    let statement = "SELECT \(selected) FROM \(sql) r WHERE \(Self.places(2)) ORDER BY \(order)"
    try connection.forEachRow(statement, [PostgresSyntax.array(rows.map(\.place)), rows.first?.relation]) { row in
      try records.row { (writer) throws in try write(row, to: &writer) }
    }
  }

  private mutating func write(long row: Waiting, _ connection: borrowing PostgresConnection, to records: inout RecordWriter) throws {
    let place = [row.place, row.relation]
    let found = try connection.rows("SELECT \(selected) FROM \(sql) r WHERE r.ctid = $1::tid AND r.tableoid = $2::oid", place)
    try records.row { (writer) throws in try write(found, at: place, connection, to: &writer) }
  }

  private func length(_ column: Column, _ row: borrowing PostgresResult) -> Int? {
    guard let place = column.length, let bytes = row.integer(place), bytes > Self.longValue else { return nil }
    return bytes
  }

  private func isLong(_ row: borrowing PostgresResult) -> Bool { columns.contains { length($0, row) != nil } }

  private mutating func write(_ row: borrowing PostgresResult, to writer: inout RowWriter) throws {
    for index in columns.indices { try write(index, row.value(Self.firstValue + index), to: &writer) }
  }

  private mutating func write(_ index: Int, _ value: Printed?, to writer: inout RowWriter) throws {
    let type = columns[index].type
    if !files.isIdle, let value, try encoder.write(filesNamedBy: value, as: type, at: index, of: &files, to: &writer) { return }
    try encoder.write(value, as: type, to: &writer)
  }

  /// Writes a row with long values. What names a value is told first: a long one can't be taken back.
  private mutating func write(
    _ row: borrowing PostgresResult, at place: [String], _ connection: borrowing PostgresConnection, to writer: inout RowWriter
  ) throws {
    for index in columns.indices {
      if let name = row.value(Self.firstValue + index) { writer.announce(column: index, name) }
    }
    for (index, column) in columns.enumerated() {
      guard let bytes = length(column, row) else {
        try write(index, row.value(Self.firstValue + index), to: &writer)
        continue
      }
      files.noteNoName(at: index)
      try write(long: column, bytes, at: place, connection, to: &writer)
    }
  }
}
