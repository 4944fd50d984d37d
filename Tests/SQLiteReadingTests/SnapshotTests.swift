import Files
import Foundation
import SQLiteReading
import TestSupport
import Testing

@Suite struct SnapshotTests {
  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "MEMORY", "OFF", "WAL"])
  func leavesAStoreThatNobodyHasOpenAsItWas(mode: String) throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), "PRAGMA journal_mode=\(mode); CREATE TABLE t (x); INSERT INTO t VALUES (1), ('b')") }
    let before = try folder.state()
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("t", in: snapshot) == ["1", "'b'"])
    #expect(try folder.state() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("private")) == [], "the copy has no name while it is read")
  }

  /// A log as a crash leaves it: with and without its shared memory file.
  @Test(arguments: [true, false]) func readsTheLog(withSharedMemory: Bool) throws {
    let folder = try TestFolder()
    try python(
      """
      import os, sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.executescript('PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t (id INTEGER PRIMARY KEY, x)')
      c.execute('PRAGMA wal_checkpoint(TRUNCATE)')
      for i in range(50): c.execute('INSERT INTO t VALUES (?, ?)', (i, 'row' * 500))
      c.execute('DELETE FROM t WHERE id > 3')
      os._exit(0)
      """, [folder.path("a.db")])
    if !withSharedMemory { try FileManager.default.removeItem(atPath: folder.path("a.db-shm")) }
    let before = try folder.state()
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("t", in: snapshot).count == 4)
    #expect(try folder.state() == before)
  }

  static let crash = """
    import os, sqlite3, sys
    c = sqlite3.connect(sys.argv[1], isolation_level=None)
    c.executescript('PRAGMA cache_size=2; CREATE TABLE t (id INTEGER PRIMARY KEY, x)')
    for i in range(200): c.execute('INSERT INTO t VALUES (?, ?)', (i, 'old' * 300))
    c.execute('BEGIN'); c.execute("UPDATE t SET x = 'new'")
    os._exit(0)
    """

  @Test func rollsAHotJournalBackInTheCopyOnly() throws {
    let folder = try TestFolder()
    try python(Self.crash, [folder.path("a.db")])
    let before = try folder.state()
    #expect(before["a.db-journal"] != nil)
    #expect(
      try Data(contentsOf: folder.url.appendingPathComponent("a.db")).range(of: Data("new".utf8)) != nil,
      "the crash came after the first writes")
    let snapshot = try folder.snapshot("a.db")
    let found = try rows("t", in: snapshot)
    #expect(found.count == 200 && found.allSatisfy { $0.contains("oldold") })
    #expect(try folder.state() == before)
  }

  /// After rolling back, SQLite deletes the super-journal that the journal names, whatever that file is.
  @Test func deletesNoFileThatAJournalNames() throws {
    let folder = try TestFolder()
    try python(Self.crash, [folder.path("a.db")])
    let victim = folder.path("victim.txt")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
    let name = Array(victim.utf8)
    func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32($1) }
    let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent("a.db-journal"))
    try handle.seekToEnd()
    try handle.write(
      contentsOf: Data(
        big(0x4000_0000 / 4096 + 1) + name + big(UInt32(name.count)) + big(sum) + [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]))
    try handle.close()
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("t", in: snapshot).allSatisfy { $0.contains("oldold") })
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
  }

  /// A journal whose super-journal is gone belongs to a transaction that was committed.
  @Test func takesAJournalWithoutItsSuperJournalForCommitted() throws {
    let folder = try TestFolder()
    try python(
      """
      import os, sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.executescript('CREATE TABLE t (x); INSERT INTO t VALUES (1)')
      """, [folder.path("a.db")])
    let name = Array(folder.path("gone").utf8)
    func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32($1) }
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let header = magic + big(0) + big(0) + big(1) + big(512) + big(4096)
    let journal =
      header + [UInt8](repeating: 0, count: 512 - header.count) + big(262145) + name + big(UInt32(name.count)) + big(sum) + magic
    try Data(journal).write(to: folder.url.appendingPathComponent("a.db-journal"))
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("t", in: snapshot) == ["1"])
  }

  @Test(arguments: ["a?b#c%41.db", "file:a.db", ":memory:", " ", "$x;\"'.db", "ü\u{301}.db", "-a.db"])
  func opensAnyName(name: String) throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("plain.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t (x); INSERT INTO t VALUES (7)") }
    try FileManager.default.moveItem(atPath: folder.path("plain.db"), toPath: folder.path(name))
    let idle = try folder.snapshot(name)
    #expect(try rows("t", in: idle) == ["7"])
    // And in use, by SQLite's own way.
    let user = try Writer("\(folder.url.path)/\(name)", "INSERT INTO t VALUES (8); SELECT * FROM t")
    let busy = try folder.snapshot(name)
    #expect(try rows("t", in: busy) == ["7", "8"])
    try user.run("DROP TABLE t")
  }

  @Test func opensANameThatIsNoUTF8() throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("plain.db"), "CREATE TABLE t (x); INSERT INTO t VALUES (7)") }
    let name = PathBytes(Array(folder.url.path.utf8) + [0x2F, 0xFF, 0xC3, 0x28])
    #expect(name.withCString { rename(folder.path("plain.db"), $0) } == 0)
    let snapshot = try SQLiteSnapshot.take(of: name, in: folder.privatePath)
    #expect(try rows("t", in: snapshot) == ["7"])
  }

  @Test func followsALinkToTheStoreAndItsLog() throws {
    let folder = try TestFolder()
    let user = try Writer(folder.path("a.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t (x); INSERT INTO t VALUES (7)")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.db"), withDestinationPath: "a.db")
    let snapshot = try folder.snapshot("link.db")
    #expect(try rows("t", in: snapshot) == ["7"])
    try user.run("DELETE FROM t")
    #expect(try rows("t", in: snapshot) == ["7"])
  }

  @Test func takesNoBytesForAnEmptyDatabase() throws {
    let folder = try TestFolder()
    try Data().write(to: folder.url.appendingPathComponent("a.db"))
    let snapshot = try folder.snapshot("a.db")
    #expect(try SQLiteSchema(of: snapshot.connection).tables.isEmpty)
    #expect(snapshot.byteCount == 0)
  }

  static let refused: [(Data, SQLiteError.Code)] = [
    (Data("hello".utf8), .notADatabase),
    (Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }), .notADatabase),
    (Data("SQLite format 3\0".utf8), .notADatabase),
  ]

  @Test(arguments: refused) func refusesWhatIsNoDatabase(bytes: Data, code: SQLiteError.Code) throws {
    let folder = try TestFolder()
    try bytes.write(to: folder.url.appendingPathComponent("a.db"))
    let error = #expect(throws: SQLiteError.self) { _ = try folder.snapshot("a.db") }
    #expect(error?.code.primary == code)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("private")) == [])
  }

  @Test func refusesAFolderAPipeAndNothing() throws {
    let folder = try TestFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for name in ["private", "pipe", "nothing.db"] {
      let error = #expect(throws: SQLiteError.self) { _ = try folder.snapshot(name) }
      #expect(error?.code == .cannotOpen, "\(name)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("private")) == [])
  }

  @Test func stopsWhenAsked() throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), "CREATE TABLE t (x)") }
    let error = #expect(throws: SQLiteError.self) {
      _ = try SQLiteSnapshot.take(of: PathBytes(folder.path("a.db")), in: folder.privatePath, isCancelled: { true })
    }
    #expect(error?.code == .interrupted)
  }
}
