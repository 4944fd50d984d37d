internal import CPostgres

/// Rows that the server has given: all of a small statement, or one at a time of a stream.
public struct PostgresResult: ~Copyable {
  let handle: OpaquePointer

  init(adopting handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// How many rows are here.
  public var rowCount: Int { Int(PQntuples(handle)) }
  /// How many columns each has.
  public var columnCount: Int { Int(PQnfields(handle)) }

  /// A value as the server printed it; nil is null. Valid as long as the result; a zero byte follows.
  public func value(_ column: Int, row: Int = 0) -> UnsafeBufferPointer<UInt8>? {
    let (row, column) = (Int32(row), Int32(column))
    if PQgetisnull(handle, row, column) != 0 { return nil }
    guard let bytes = PQgetvalue(handle, row, column) else { return nil }
    let count = Int(PQgetlength(handle, row, column))
    return UnsafeBufferPointer(start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// A value as text; nil is null.
  public func text(_ column: Int, row: Int = 0) -> String? { value(column, row: row).map { String(decoding: $0, as: UTF8.self) } }

  /// A value as an integer; nil is null, or no integer.
  public func integer(_ column: Int, row: Int = 0) -> Int? { text(column, row: row).flatMap { Int($0) } }

  /// A truth value; null is false.
  public func isTrue(_ column: Int, row: Int = 0) -> Bool { value(column, row: row)?.first == UInt8(ascii: "t") }

  var status: ExecStatusType { PQresultStatus(handle) }
}
