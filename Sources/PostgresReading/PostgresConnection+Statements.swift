internal import CPostgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How values come: as PostgreSQL prints them, or as their type's binary form.
public enum PostgresFormat: Int32, Sendable {
  case text = 0, binary = 1
}

extension PostgresConnection {
  /// Runs statements that give nothing.
  public func execute(_ sql: String) throws {
    guard PQsendQuery(handle, sql) == 1 else { throw failure("execute") }
    try drain { _ in }
  }

  /// All rows of a statement, for answers that are known to be small.
  public func rows(_ sql: String, _ parameters: [String?] = []) throws -> PostgresResult {
    try send(sql, parameters, .text)
    var whole: PostgresResult?
    try drain { (result: consuming PostgresResult) in whole = consume result }
    guard let whole else { throw PostgresError("read", message: "the statement gave no rows") }
    return whole
  }

  /// The rows of a statement, each handed over as it comes: memory is that of the longest row. No other statement may run meanwhile.
  ///
  /// Where `body` throws, the rows that are still to come are passed over, so that the transaction can go on.
  public func forEachRow(
    _ sql: String, _ parameters: [String?] = [], format: PostgresFormat = .text, _ body: (borrowing PostgresResult) throws -> Void
  ) throws {
    try begin(sql, parameters, format: format)
    do {
      while let row = try next() { try body(row) }
    } catch {
      try passOver()
      throw error
    }
  }

  /// Begins a statement whose rows are asked for one by one, with ``next()``, to the end or to ``passOver()``.
  public func begin(_ sql: String, _ parameters: [String?] = [], format: PostgresFormat = .text) throws(PostgresError) {
    try send(sql, parameters, format)
    guard PQsetSingleRowMode(handle) == 1 else { throw failure("read") }
  }

  /// The next row; nil at the end.
  public func next() throws -> PostgresResult? {
    while true {
      var wasCancelled = false
      try wait(&wasCancelled)
      guard !wasCancelled else {
        try passOver()
        throw CancellationError()
      }
      guard let raw = PQgetResult(handle) else { return nil }
      let result = PostgresResult(adopting: raw)
      let status = result.status
      if status == PGRES_SINGLE_TUPLE { return result }
      if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { continue }
      let error = PostgresError("read", result: raw)
      try passOver()
      throw error
    }
  }

  /// Passes over what is still to come of the statement that was begun. Its errors don't count any more.
  public func passOver() throws {
    var wasCancelled = false
    while true {
      try wait(&wasCancelled)
      guard let raw = PQgetResult(handle) else { break }
      PQclear(raw)
    }
    if wasCancelled { throw CancellationError() }
  }

  /// Does something that may fail in the server without failing the transaction: what a statement in `body` did wrong is thrown, and forgotten there.
  public func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT attempt")
    do {
      let result = try body()
      try execute("RELEASE SAVEPOINT attempt")
      return result
    } catch {
      try execute("ROLLBACK TO SAVEPOINT attempt")
      throw error
    }
  }

  private func send(_ sql: String, _ parameters: [String?], _ format: PostgresFormat) throws(PostgresError) {
    // A zero byte would silently end the text, and no value of PostgreSQL holds one.
    if parameters.contains(where: { $0?.utf8.contains(0) ?? false }) {
      throw PostgresError("read", state: .init("22021"), message: "a text with a zero byte stands in no database")
    }
    let values = CStrings(parameters)
    let sent = PQsendQueryParams(handle, sql, Int32(parameters.count), nil, values.pointers, nil, nil, format.rawValue)
    if sent != 1 { throw failure("read") }
  }

  /// Takes all results of what was sent. Every status of libpq passes here; the first error is thrown once nothing is left to take.
  private func drain(_ take: (consuming PostgresResult) throws -> Void) throws {
    var first: (any Error)?
    var wasCancelled = false
    while true {
      do throws(PostgresError) { try wait(&wasCancelled) } catch {
        first = first ?? error
        if PQstatus(handle) != CONNECTION_OK { break }
      }
      guard let raw = PQgetResult(handle) else { break }
      let result = PostgresResult(adopting: raw)
      switch result.status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE:
        if first == nil && !wasCancelled { do { try take(result) } catch { first = error } }
      default:
        if first == nil { first = PostgresError("read", result: result.handle) }
      }
    }
    if wasCancelled { throw CancellationError() }
    if let first { throw first }
  }

  /// Waits until the next result can be taken without blocking, and asks meanwhile whether it is still wanted.
  private func wait(_ wasCancelled: inout Bool) throws(PostgresError) {
    while PQisBusy(handle) == 1 {
      if !wasCancelled && isCancelled() {
        wasCancelled = true
        cancel()
      }
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 100) > 0, PQconsumeInput(handle) != 1 { throw failure("read") }
    }
  }

  /// Asks the server to stop the statement. Where that can't be asked the statement runs to its end, and is not waited for in vain: its rows
  /// are passed over.
  private func cancel() {
    guard let request = PQgetCancel(handle) else { return }
    defer { PQfreeCancel(request) }
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { _ = PQcancel(request, $0.baseAddress, 256) }
  }
}
