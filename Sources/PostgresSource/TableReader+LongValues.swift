import AccountExport
import JSONReading
import PostgresReading

/// Values that are longer than a row should hold, in pieces.
extension TableReader {
  private static let piece = 1 << 20

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

  mutating func write(
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
