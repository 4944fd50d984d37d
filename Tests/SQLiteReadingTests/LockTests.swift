import Files
import Foundation
import SQLiteReading
import TestSupport
import Testing

@Suite(.serialized) struct LockTests {
  /// Tries to begin a writing transaction from another process.
  func canWriteFromOutside(_ path: String) throws -> Bool {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
      try:
        c.execute('BEGIN IMMEDIATE'); c.execute('ROLLBACK'); print('free')
      except sqlite3.OperationalError:
        print('locked')
      """
    return try python(script, [path]) == "free\n"
  }

  /// Closing a file's descriptor takes all of this process's POSIX locks on it away, those of the app's own connection too.
  @Test(arguments: ["DELETE", "WAL"]) func keepsTheLocksOfThisProcess(mode: String) throws {
    let folder = try TestFolder()
    let app = try Writer(folder.path("a.db"), "PRAGMA journal_mode=\(mode); CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    try app.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
    #expect(try !canWriteFromOutside(folder.path("a.db")))
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("t", in: snapshot) == ["1"])
    #expect(try !canWriteFromOutside(folder.path("a.db")), "the app's lock is still there")
    try app.run("COMMIT")
    #expect(try canWriteFromOutside(folder.path("a.db")))
  }

  /// In write-ahead mode an idle connection is known by its lock on the main file: without it, another process would remove the log.
  @Test func keepsTheSharedLockOfAnIdleConnection() throws {
    let folder = try TestFolder()
    let app = try Writer(folder.path("a.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    _ = try folder.snapshot("a.db")
    try python("import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM t').fetchall()", [folder.path("a.db")])
    #expect(FileManager.default.fileExists(atPath: folder.path("a.db-wal")))
    try app.run("INSERT INTO t VALUES (2)")
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("t", in: snapshot) == ["1", "2"])
  }

  @Test(arguments: ["DELETE", "WAL"]) func saysThatAStoreIsBusy(mode: String) throws {
    let folder = try TestFolder()
    let app = try Writer(
      folder.path("a.db"),
      "PRAGMA journal_mode=\(mode); PRAGMA locking_mode=EXCLUSIVE; CREATE TABLE t (x); BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { _ = try folder.snapshot("a.db", patience: .milliseconds(50)) }
    #expect(error?.code == .busy)
    try app.run("COMMIT")
  }

  /// A ledger: every transaction moves an amount between accounts, and writes its number into every table.
  static let ledger = """
    import os, sqlite3, sys, time
    path, mode, parent = sys.argv[1], sys.argv[2], os.getppid()
    def connect():
      c = sqlite3.connect(path, isolation_level=None, timeout=30)
      c.execute(f'PRAGMA journal_mode={mode}')
      c.execute('PRAGMA wal_autocheckpoint=20')
      return c
    c = connect()
    print('ready', flush=True)
    n = 0
    while os.getppid() == parent:
      n += 1
      c.execute('BEGIN IMMEDIATE')
      c.execute('UPDATE account SET amount = amount + 7, n = ? WHERE id = ?', (n, n % 400))
      c.execute('UPDATE account SET amount = amount - 7 WHERE id = ?', ((n * 31 + 5) % 400,))
      c.execute('UPDATE generation SET n = ?', (n,))
      c.execute('UPDATE other SET n = ?, pad = ?', (n, os.urandom(3000)))
      c.execute('COMMIT')
      if n % 17 == 0 and mode == 'WAL': c.execute('PRAGMA wal_checkpoint(TRUNCATE)')
      if n % 41 == 0: c.close(); c = connect()
      time.sleep(0.0005)
    """

  @Test(.timeLimit(.minutes(5)), arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
  func equalsOneCommittedStateWhileAnotherProcessCommits(mode: String) throws {
    let folder = try TestFolder()
    do {
      let setUp = try Writer(
        folder.path("a.db"),
        "PRAGMA journal_mode=\(mode); CREATE TABLE account (id INTEGER PRIMARY KEY, amount, n, pad); CREATE TABLE generation (n); CREATE TABLE other (n, pad); BEGIN"
      )
      for id in 0..<400 { try setUp.run("INSERT INTO account VALUES (\(id), 100, 0, zeroblob(500))") }
      try setUp.run("INSERT INTO generation VALUES (0); COMMIT; BEGIN")
      for _ in 0..<20 { try setUp.run("INSERT INTO other VALUES (0, '')") }
      try setUp.run("COMMIT")
    }
    var process = try PythonProcess(Self.ledger, [folder.path("a.db"), mode])
    #expect(try process.read().hasPrefix("r"), "it has begun")
    var generations: Set<Int64> = []
    for _ in 0..<(mode == "WAL" || mode == "DELETE" ? 200 : 50) {
      let snapshot = try folder.snapshot("a.db", patience: .seconds(60))
      generations.insert(try checkLedger(snapshot))
    }
    #expect(try process.stop(), "it still ran")
    #expect(generations.count > 20, "the other process went on meanwhile")
  }

  private func checkLedger(_ snapshot: borrowing SQLiteSnapshot) throws -> Int64 {
    func value(_ sql: String) throws -> Int64 {
      let statement = try snapshot.connection.prepare(sql)
      #expect(try statement.step())
      return statement.integer(at: 0)
    }
    let integrity = try snapshot.connection.prepare("PRAGMA integrity_check")
    #expect(try integrity.step() && integrity.text(at: 0) == "ok")
    #expect(try value("SELECT sum(amount) FROM account") == 40_000)
    let generation = try value("SELECT n FROM generation")
    #expect(try value("SELECT max(n) FROM account") == generation)
    #expect(try value("SELECT count(*) FROM other WHERE n IS NOT (SELECT n FROM generation)") == 0)
    return generation
  }
}
