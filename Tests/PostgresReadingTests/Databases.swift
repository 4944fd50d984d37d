import PostgresReading
import Synchronization
import TestSupport
import Testing

/// A database of a test's own, gone with the server.
struct TestDatabase {
  let name: String
  private static let count = Mutex(0)

  init(_ sql: String = "", options: String = "") throws {
    name = "reading\(Self.count.withLock { $0 += 1; return $0 })"
    try Self.connect("postgres").execute("CREATE DATABASE \(name) \(options)")
    if !sql.isEmpty { try Self.connect(name).execute(sql) }
  }

  static func connect(_ database: String, role: String = "postgres") throws -> PostgresConnection {
    try PostgresConnection.open(try PostgresTarget(PostgresServer.shared().url(database, role: role)))
  }

  /// A connection in its snapshot.
  func reading(role: String = "postgres") throws -> PostgresConnection {
    let connection = try Self.connect(name, role: role)
    try connection.beginSnapshot()
    return connection
  }
}

extension PostgresConnection {
  /// The first column of all rows.
  func column(_ sql: String, _ parameters: [String?] = []) throws -> [String?] {
    var values: [String?] = []
    try forEachRow(sql, parameters) { values.append($0.text(0)) }
    return values
  }
}
