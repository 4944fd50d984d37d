internal import CPostgres

/// Which database is read, and how it is reached: a `postgres://` URL or a connection string, with libpq's every parameter. What is not said here
/// comes from libpq's environment variables, service and password files, as users know them.
public struct PostgresTarget: Sendable {
  let text: String
  let password: String?
  /// The database's name, where the text or the environment says it.
  public let database: String?
  /// The host or the socket's folder, where the text or the environment says it.
  public let host: String?

  /// A target by its URL or connection string. An error doesn't quote it: a password may be what is wrong in it.
  public init(_ text: String) throws(PostgresError) {
    let given = try Self.parameters(PQconninfoParse(text, nil), text)
    let usual = try Self.parameters(PQconndefaults(), text)
    self.text = text
    password = given["password"] ?? usual["password"]
    database = given["dbname"] ?? usual["dbname"]
    host = given["host"] ?? given["hostaddr"] ?? usual["host"]
  }

  /// Whether a text is a URL of this kind.
  public static func isURL(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

  private static func parameters(_ options: UnsafeMutablePointer<PQconninfoOption>?, _ text: String) throws(PostgresError)
    -> [String: String]
  {
    guard let options else {
      let what = isURL(text) ? "the URL" : "the connection string"
      throw PostgresError("connect", message: "\(what) of the database is not well-formed")
    }
    defer { PQconninfoFree(options) }
    var found: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val, value.pointee != 0 { found[String(cString: keyword)] = String(cString: value) }
      next += 1
    }
    return found
  }
}

extension PostgresTarget: CustomStringConvertible, CustomReflectable {
  /// The database and its host: nothing secret.
  public var description: String { "the database \(database ?? "(unnamed)")" + (host.map { " on \($0)" } ?? "") }

  /// Nothing but the description, so that a dump shows no password.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
