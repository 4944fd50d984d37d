internal import SQLiteReading
internal import SQLiteWriting

/// The journal's tables.
///
/// An account is named only as long as its request is open: a request that is at its end has a null there, and its history names nobody.
enum JournalSchema {
  static let version = 2
  /// `PRAGMA application_id`: "aedj".
  static let applicationID = 0x6165_646a

  static let statements = [
    """
    CREATE TABLE request (
      id TEXT PRIMARY KEY, account TEXT, idempotency_key TEXT NOT NULL UNIQUE, received INTEGER NOT NULL, grace_days INTEGER NOT NULL,
      state TEXT NOT NULL, until INTEGER, step TEXT
    ) STRICT, WITHOUT ROWID
    """,
    // One open request for an account: nulls are not compared.
    "CREATE UNIQUE INDEX request_account ON request (account)",
    "CREATE INDEX request_until ON request (until) WHERE until IS NOT NULL",
    """
    CREATE TABLE history (
      number INTEGER PRIMARY KEY, request TEXT NOT NULL REFERENCES request, at INTEGER NOT NULL, state TEXT NOT NULL, step TEXT
    ) STRICT
    """,
    "CREATE INDEX history_request ON history (request)",
    // What was agreed: which plan, on what proof. Gone when the request is at its end.
    """
    CREATE TABLE approval (
      request TEXT PRIMARY KEY REFERENCES request, at INTEGER NOT NULL, plan TEXT NOT NULL, clearance TEXT NOT NULL, identity TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // The steps that were begun with, in their order, with all that a crash must not lose. What each was to remove is gone at the end.
    """
    CREATE TABLE step (
      request TEXT NOT NULL REFERENCES request, number INTEGER NOT NULL, id TEXT NOT NULL, stage INTEGER NOT NULL, detail TEXT NOT NULL,
      begun INTEGER, ended INTEGER, outcome TEXT, PRIMARY KEY (request, number)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE receipt (request TEXT PRIMARY KEY REFERENCES request, receipt TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE clock (one INTEGER PRIMARY KEY CHECK (one = 1), now INTEGER NOT NULL, since_boot INTEGER NOT NULL, boot TEXT NOT NULL) STRICT",
    "PRAGMA application_id = \(applicationID)",
    "PRAGMA user_version = \(version)",
  ]

  /// Makes the tables in a database that has none, and refuses one that isn't a journal, or is another version's.
  static func prepare(_ database: borrowing WritableDatabase) throws(DeletionError) {
    try database.journalled { () throws(DeletionError) in
      let version = try database.integer("PRAGMA user_version")
      if version == 0 {
        if try database.integer("SELECT count(*) FROM sqlite_schema") > 0 {
          throw DeletionError(.journal, "the journal's file is another database")
        }
        for statement in statements { try database.run(statement) }
        return
      }
      let application = try database.integer("PRAGMA application_id")
      if version != Self.version || application != applicationID {
        throw DeletionError(
          .journal, "the journal is of another version, or is none", hint: "this version reads journals of version \(Self.version)")
      }
    }
  }
}

/// The journal's own way to ask: every failure is one of the journal.
extension WritableDatabase {
  borrowing func journalled<Result: ~Copyable>(_ body: () throws(DeletionError) -> Result) throws(DeletionError) -> Result {
    try transaction({ DeletionError(journal: $0) }, body)
  }

  borrowing func run(_ sql: String, _ values: [WrittenValue] = []) throws(DeletionError) {
    try DeletionError.passing { () throws(SQLiteError) in try execute(sql, values) }
  }

  borrowing func integer(_ sql: String) throws(DeletionError) -> Int64 { try rows(sql) { $0.integer(at: 0) }.first ?? 0 }

  /// What a closure makes of each row.
  borrowing func rows<Row>(
    _ sql: String, _ values: [WrittenValue] = [], _ body: (borrowing SQLiteStatement) throws(DeletionError) -> Row
  ) throws(DeletionError) -> [Row] {
    let statement = try DeletionError.passing { () throws(SQLiteError) in try prepare(sql) }
    try DeletionError.passing { () throws(SQLiteError) in try statement.bind(values) }
    var rows: [Row] = []
    while try DeletionError.passing({ () throws(SQLiteError) in try statement.step() }) { rows.append(try body(statement)) }
    return rows
  }
}

extension DeletionError {
  /// SQLite's errors never hold what is in a row.
  static func passing<Result: ~Copyable>(_ body: () throws(SQLiteError) -> Result) throws(DeletionError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw DeletionError(journal: error) }
  }

  init(journal error: SQLiteError) { self.init(.journal, "the journal of deletions can't be used: \(error)") }
}
