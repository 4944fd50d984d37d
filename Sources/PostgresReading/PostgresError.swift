internal import CPostgres

/// A call of libpq, or a statement, that failed: what was done, and why.
///
/// It never holds a row's content, nor a password: the server's own message is kept only where it can speak of nothing but names and states.
public struct PostgresError: Error, Hashable, Sendable {
  /// A SQLSTATE (PostgreSQL's documentation, appendix A).
  public struct State: Hashable, Sendable {
    /// Five letters and digits, as the server gives them.
    public let code: String

    /// A state by its code.
    public init(_ code: String) { self.code = code }

    /// The first two characters: the class.
    public var classCode: Substring { code.prefix(2) }

    /// The role may not read this, or a policy would filter what it reads.
    public static let insufficientPrivilege = State("42501")
    /// A lock was not given in time.
    public static let lockNotAvailable = State("55P03")
    /// A statement was cancelled.
    public static let cancelled = State("57014")
  }

  /// The operation in a word or two: `connect`, `read`.
  public let operation: String
  /// The server's state; nil where the error is libpq's own, as every failure to connect.
  public let state: State?
  /// What went wrong, where it can hold no row content.
  public let message: String?

  init(_ operation: String, state: State? = nil, message: String? = nil) {
    self.operation = operation
    self.state = state
    self.message = message
  }
}

extension PostgresError: CustomStringConvertible {
  /// `read: permission denied for table notes (42501)`
  public var description: String {
    let reason = message ?? "the database gave an error"
    return "\(operation): \(reason)" + (state.map { " (\($0.code))" } ?? "")
  }
}

extension PostgresError {
  /// Classes whose messages name objects, roles and states of the server, and never a value: 08 connection, 25 transaction, 28 authorization,
  /// 3D and 3F catalog and schema names, 42 names and privileges, 53 resources, 55 object states, 57 operator's intervention.
  private static let telling: Set<Substring> = ["08", "25", "28", "3D", "3F", "42", "53", "55", "57"]

  /// The error of a failed result. Detail, hint and context are never kept: they quote rows.
  init(_ operation: String, result: OpaquePointer?) {
    let state = result.flatMap { cpostgres_sqlstate($0) }.map { State(String(cString: $0)) }
    let message = result.flatMap { cpostgres_primary_message($0) }.map { String(cString: $0) }
    let isTelling = state.map { Self.telling.contains($0.classCode) } ?? false
    self.init(operation, state: state, message: isTelling ? message : nil)
  }

  /// The error of a connection, without its password.
  init(_ operation: String, connection: OpaquePointer, hiding password: String?) {
    var message = String(cString: PQerrorMessage(connection))
    // libpq tells more on further lines, some of them set in.
    message = message.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
    while message.last?.isWhitespace == true { message.removeLast() }
    if let password, !password.isEmpty, message.contains(password) { message = "the connection failed" }
    self.init(operation, message: message.isEmpty ? "the connection failed" : message)
  }
}
