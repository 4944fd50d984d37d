internal import CPostgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open connection to a database that is only read. It may be handed from thread to thread, but is used by one at a time, and its calls block.
public struct PostgresConnection: ~Copyable {
  let handle: OpaquePointer
  let isCancelled: @Sendable () -> Bool
  private let password: String?

  private init(adopting handle: OpaquePointer, password: String?, isCancelled: @escaping @Sendable () -> Bool) {
    self.handle = handle
    self.password = password
    self.isCancelled = isCancelled
  }

  deinit { PQfinish(handle) }

  /// How long a server is waited for that neither the target nor `PGCONNECT_TIMEOUT` says, in seconds.
  static let connectSeconds = "15"

  /// Connects.
  /// - Parameter isCancelled: Asked several times a second while a statement runs; where it says yes, the statement is cancelled in the server, and
  ///   `CancellationError` thrown.
  public static func open(_ target: PostgresTarget, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled })
    throws(PostgresError) -> PostgresConnection
  {
    // What stands before the target's own text gives way to it, what stands behind it doesn't.
    var settings: [(String, String)] = [("fallback_application_name", "account-export")]
    if getenv("PGCONNECT_TIMEOUT") == nil { settings.append(("connect_timeout", connectSeconds)) }
    settings += [("dbname", target.text), ("client_encoding", "UTF8")]
    let names = CStrings(settings.map(\.0)), values = CStrings(settings.map(\.1))
    // libpq gives a handle even where it fails: adopt it first, so that it is closed either way.
    guard let handle = PQconnectdbParams(names.pointers, values.pointers, 1) else {
      throw PostgresError("connect", message: "out of memory")
    }
    let connection = PostgresConnection(adopting: handle, password: target.password, isCancelled: isCancelled)
    guard PQstatus(handle) == CONNECTION_OK else {
      throw PostgresError("connect", connection: handle, hiding: target.password)
    }
    cpostgres_drop_notices(handle)
    try connection.checkServer()
    return connection
  }

  private func checkServer() throws(PostgresError) {
    guard PQserverVersion(handle) >= 12_00_00 else {
      throw PostgresError("connect", message: "the server is older than PostgreSQL 12")
    }
    // Such a database holds bytes of any encoding, which the server would refuse to give as UTF-8.
    if encoding == "SQL_ASCII", PQsetClientEncoding(handle, "SQL_ASCII") != 0 { throw failure("connect") }
  }

  /// How the database keeps its texts, by PostgreSQL's name: `UTF8`. What is read is UTF-8 all the same, but for `SQL_ASCII`, which is any bytes.
  public var encoding: String { PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "UTF8" }

  /// Begins the one transaction in which everything is read: one snapshot, nothing writable, no policy that filters silently, names that
  /// mean the same to everybody, values printed one way, cursors planned for all of their rows. Only the transaction is set so, which holds behind a pooling proxy too.
  public func beginSnapshot() throws {
    try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try execute(
      """
      SET LOCAL row_security = off; SET LOCAL search_path = ''; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD';
      SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
      SET LOCAL lc_monetary = 'C'; SET LOCAL standard_conforming_strings = on; SET LOCAL lock_timeout = '30s';
      SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL cursor_tuple_fraction = 1;
      SET LOCAL quote_all_identifiers = off
      """)
  }

  /// Ends the transaction. Nothing was written, so nothing is lost where this is never called.
  public func endSnapshot() throws { try execute("ROLLBACK") }

  /// The error that libpq keeps of the connection.
  func failure(_ operation: String) -> PostgresError { PostgresError(operation, connection: handle, hiding: password) }
}

/// Texts as C takes them, in one array that ends with a null pointer.
struct CStrings: ~Copyable {
  private let strings: [UnsafeMutablePointer<CChar>?]
  let pointers: UnsafePointer<UnsafePointer<CChar>?>

  init(_ texts: [String?]) {
    strings = texts.map { text in text.flatMap { strdup($0) } }
    let copy = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (index, string) in strings.enumerated() { (copy + index).initialize(to: string.map { UnsafePointer($0) }) }
    (copy + texts.count).initialize(to: nil)
    pointers = UnsafePointer(copy)
  }

  deinit {
    for string in strings { free(string) }
    pointers.deallocate()
  }
}
