import AccountExport
import JSONReading
import NamedFiles
import Ownership
import PostgresReading

/// The way of a table's rows into a collection. Rows come by their places, some hundred a statement; a value that is longer than a row should hold
/// comes by itself, in pieces.
struct TableReader: ~Copyable {
  /// Values longer than this many bytes come in pieces.
  static let longValue = 256 << 10
  private static let piece = 1 << 20
  private static let batch = 500

  private struct Column {
    let name: String
    let type: Int
    /// Where in the answer the length stands of a value that can be long.
    var length: Int?
    let isPlain: Bool
  }

  private let table: Int
  private let sql: String
  private var columns: [Column] = []
  private var selected: String
  private var encoder: ValueEncoder
  /// The files that the rows name.
  private(set) var files: FileValues

  init(_ table: Int, _ catalogue: Catalogue, types: ValueTypes, files: FileValues, limits: ExportLimits) {
    self.table = table
    self.files = files
    sql = catalogue.tables[table].sql
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
        made.length = 1 + all.count + lengths.count
        lengths.append("CASE WHEN pg_column_size(\(name)) > 2000 THEN \(length) END")
      } else {
        values.append(name)
      }
      columns.append(made)
    }
    selected = (["r.ctid"] + values + lengths).joined(separator: ", ")
  }

  /// Writes rows of the table, in the order of their places; those with long values at the end of their batch.
  mutating func write(_ rows: [RowHandle], of store: borrowing DatabaseStore, to records: inout RecordWriter) throws {
    var start = 0
    while start < rows.count {
      let end = min(start + Self.batch, rows.count)
      try store.places.forEachRelation(of: Array(rows[start..<end]), in: table) { relation, places, count in
        try write(relation, places, count, store.connection, to: &records)
      }
      start = end
    }
  }

  private mutating func write(
    _ relation: Int, _ places: String, _ count: Int, _ connection: borrowing PostgresConnection, to records: inout RecordWriter
  ) throws {
    let statement = "SELECT \(selected) FROM \(sql) r WHERE r.ctid = ANY ($1::tid[]) AND r.tableoid = $2::oid"
    var long: [String] = []
    var seen = 0
    try connection.forEachRow(statement, [places, String(relation)]) { row in
      seen += 1
      if isLong(row) { return long.append(row.text(0) ?? "") }
      try records.row { (writer) throws in try write(row, to: &writer) }
    }
    if seen != count { throw ExportError(.badInput, "\(count - seen) of \(count) rows of \(sql) could not be found again") }
    for place in long {
      let row = try connection.rows(
        "SELECT \(selected) FROM \(sql) r WHERE r.ctid = $1::tid AND r.tableoid = $2::oid", [place, String(relation)])
      try records.row { (writer) throws in try write(row, at: [place, String(relation)], connection, to: &writer) }
    }
  }

  private func length(_ column: Column, _ row: borrowing PostgresResult) -> Int? {
    guard let place = column.length, let bytes = row.integer(place), bytes > Self.longValue else { return nil }
    return bytes
  }

  private func isLong(_ row: borrowing PostgresResult) -> Bool { columns.contains { length($0, row) != nil } }

  private mutating func write(_ row: borrowing PostgresResult, to writer: inout RowWriter) throws {
    for index in columns.indices { try write(index, row.value(1 + index), to: &writer) }
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
      if let name = row.value(1 + index) { writer.announce(column: index, name) }
    }
    for (index, column) in columns.enumerated() {
      guard let bytes = length(column, row) else {
        try write(index, row.value(1 + index), to: &writer)
        continue
      }
      files.noteNoName(at: index)
      try write(long: column, bytes, at: place, connection, to: &writer)
    }
  }

  // MARK: Long values

  /// The server makes the value once and cuts it: what comes is as long as a piece, whatever the value's length. (libpq holds a row whole, so a long
  /// value must not be one row.)
  private func begin(_ column: Column, at place: [String], _ connection: borrowing PostgresConnection) throws {
    let name = "r." + PostgresSyntax.quoted(column.name)
    let bytes: String
    if case .bytes = encoder.types[column.type] {
      bytes = "\(name) || ''::bytea"
    } else {
      let encoding = connection.encoding == "SQL_ASCII" ? "SQL_ASCII" : "UTF8"
      bytes = "convert_to(\(column.isPlain ? name : "pg_catalog.format('%s', \(name))"), '\(encoding)')"
    }
    try connection.begin(
      """
      WITH v AS MATERIALIZED (SELECT \(bytes) AS b FROM \(sql) r WHERE r.ctid = $1::tid AND r.tableoid = $2::oid)
      SELECT substring(v.b FROM i FOR \(Self.piece)) FROM v CROSS JOIN LATERAL generate_series(1, octet_length(v.b), \(Self.piece)) i
      """, place, format: .binary)
  }

  private mutating func write(
    long column: Column, _ bytes: Int, at place: [String], _ connection: borrowing PostgresConnection, to writer: inout RowWriter
  ) throws {
    switch encoder.types[column.type] {
    case .bytes:
      try pieces(of: column, at: place, connection) { (read) throws in try writer.largeBytes(count: bytes, read) }
    case .json: try write(json: column, at: place, connection, to: &writer)
    case .array, .composite:
      // These are held whole: their text has no bound between its elements that could be found without reading them.
      var whole: [UInt8] = []
      whole.reserveCapacity(bytes)
      try forEachPiece(of: column, at: place, connection) { whole += $0 }
      try whole.withUnsafeBufferPointer { try encoder.write($0, as: column.type, to: &writer) }
    default: try write(text: column, bytes, at: place, connection, to: &writer)
    }
  }

  private func write(
    text column: Column, _ bytes: Int, at place: [String], _ connection: borrowing PostgresConnection, to writer: inout RowWriter
  ) throws {
    var isText = true
    try pieces(of: column, at: place, connection) { (read) throws in isText = try writer.largeText(read) }
    if isText { return }
    try pieces(of: column, at: place, connection) { (read) throws in try writer.largeBytes(count: bytes, read) }
  }

  private func write(json column: Column, at place: [String], _ connection: borrowing PostgresConnection, to writer: inout RowWriter) throws
  {
    do {
      try writer.nested(isLarge: true) { (nested) throws in
        try nested.json(depth: encoder.limits.depth) { take in
          try forEachPiece(of: column, at: place, connection) { try take(UnsafeRawBufferPointer($0)) }
        }
      }
    } catch is JSONError {
      try write(text: column, Int.max, at: place, connection, to: &writer)
    }
  }

  private func forEachPiece(
    of column: Column, at place: [String], _ connection: borrowing PostgresConnection, _ body: (Printed) throws -> Void
  ) throws {
    try begin(column, at: place, connection)
    do {
      while let row = try connection.next() {
        if let piece = row.value(0) { try body(piece) }
      }
    } catch {
      try connection.passOver()
      throw error
    }
  }

  /// Gives a function that fills buffers from the pieces, for the writer to pull.
  private func pieces(
    of column: Column, at place: [String], _ connection: borrowing PostgresConnection,
    _ body: ((UnsafeMutableRawBufferPointer) throws -> Int) throws -> Void
  ) throws {
    try begin(column, at: place, connection)
    var current: PostgresResult?
    var offset = 0
    do {
      try body { buffer in
        while true {
          if let piece = current?.value(0), offset < piece.count {
            let count = min(buffer.count, piece.count - offset)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[offset..<offset + count]))
            offset += count
            return count
          }
          offset = 0
          current = try connection.next()
          if current == nil { return 0 }
        }
      }
    } catch {
      try connection.passOver()
      throw error
    }
    try connection.passOver()
  }
}
