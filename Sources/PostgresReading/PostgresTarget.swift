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
    try Self.checkPlaces(of: text)
    let given = try Self.parameters(PQconninfoParse(text, nil), text)
    // libpq would quote it.
    guard given["port"].map({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C } }) ?? true else {
      throw PostgresError("connect", message: "the port of the database is no number; \(Self.advice)")
    }
    let usual = try Self.parameters(PQconndefaults(), text)
    self.text = text
    password = given["password"] ?? usual["password"]
    database = given["dbname"] ?? usual["dbname"]
    host = given["host"] ?? given["hostaddr"] ?? usual["host"]
  }

  /// Whether a text is a URL of this kind. libpq knows the scheme in lower case only, which is said where it is needed: taken for a file's name, the text would
  /// stand in messages, and a password in it.
  public static func isURL(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }
    return text.dropFirst(scheme.count).hasPrefix("://") && ["postgres", "postgresql"].contains(scheme.lowercased())
  }

  private static let advice = "in a URL's password, @ is written %40, / %2F and : %3A"

  /// Refuses a URL in which a part of the password would be taken for the host or the database, and shown in messages.
  private static func checkPlaces(of text: String) throws(PostgresError) {
    guard isURL(text) else { return }
    let scheme = text.prefix { $0 != ":" }
    if scheme != scheme.lowercased() {
      throw PostgresError(
        "connect", message: "the URL of the database begins with a scheme that libpq knows in lower case only: postgres://")
    }
    let places = text.dropFirst(scheme.count + 3).prefix { $0 != "?" }
    let hosts = places.prefix { $0 != "/" }
    if places.count(where: { $0 == "@" }) > 1 || (places.contains("@") && !hosts.contains("@")) {
      throw PostgresError("connect", message: "the URL of the database is not well-formed: \(advice)")
    }
  }

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
