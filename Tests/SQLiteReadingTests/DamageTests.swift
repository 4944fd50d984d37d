import Files
import Foundation
import SQLiteReading
import Testing

/// The same numbers for the same seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite(.serialized) struct DamageTests {
  static let everything = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body, folder REFERENCES folder);
    CREATE TABLE folder (name TEXT PRIMARY KEY, made REAL); CREATE INDEX by_title ON note (title);
    CREATE TABLE pair (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE VIEW v AS SELECT * FROM note;
    CREATE TABLE sized (w, h, area AS (w * h), code TEXT GENERATED ALWAYS AS ('c' || w) STORED);
    CREATE VIRTUAL TABLE found USING fts5 (body); CREATE VIRTUAL TABLE box USING rtree (id, a, b);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO note SELECT i, 'title ' || i, CASE i % 50 WHEN 0 THEN randomblob(9000) ELSE 'body' END, 'f' || i % 9 FROM n;
    INSERT INTO folder SELECT DISTINCT folder, 1.5 FROM note; INSERT INTO pair SELECT id % 7, id FROM note;
    INSERT INTO sized (w, h) SELECT id, 2 FROM note; INSERT INTO found SELECT title FROM note; INSERT INTO box SELECT id, 1, 2 FROM note;
    INSERT INTO note VALUES (1000, 'long', zeroblob(300000), NULL);
    """

  /// Reads all that can be read; every failure must be one of SQLite's own, and name what it happened to.
  func readAll(_ folder: TestFolder, _ name: String) throws -> (rows: Int, failures: Int) {
    var (count, failures) = (0, 0)
    do {
      let snapshot = try folder.snapshot(name)
      let schema = try SQLiteSchema(of: snapshot.connection)
      for table in schema.tables where table.kind != .view {
        do {
          var reader = try SQLiteTableReader(table, of: schema, in: snapshot)
          while try reader.next(in: snapshot) {
            count += 1
            for column in reader.columns.indices {
              guard case .large(let large) = try reader.cell(at: column) else { continue }
              _ = try large.isValidText()
            }
          }
        } catch {
          failures += 1
          if error.operation == "step" { #expect(error.table != nil) }
        }
      }
    } catch { failures += 1 }
    return (count, failures)
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["DELETE", "WAL"]) func survivesFlippedBits(mode: String) throws {
    let folder = try TestFolder()
    let writer = try Writer(folder.path("a.db"), "PRAGMA journal_mode=\(mode); PRAGMA wal_autocheckpoint=0;" + Self.everything)
    if mode == "WAL" { try writer.run("PRAGMA wal_checkpoint(TRUNCATE); UPDATE pair SET a = a + 1; INSERT INTO folder VALUES ('new', 2)") }
    let main = try Data(contentsOf: folder.url.appendingPathComponent("a.db"))
    let log = mode == "WAL" ? try Data(contentsOf: folder.url.appendingPathComponent("a.db-wal")) : Data()
    try writer.run("SELECT 1")
    let sound = try readAll(folder, "a.db")
    #expect(sound.failures == 0 && sound.rows > 1500)
    var random = Seeded(state: 20)
    var outcomes = (whole: 0, partial: 0)
    for round in 0..<150 {
      var (flippedMain, flippedLog) = (main, log)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let inLog = !log.isEmpty && Bool.random(using: &random)
        // Half of them where they hurt most: in headers of the file and of its pages.
        let size = inLog ? log.count : main.count
        var place = Int.random(in: 0..<size, using: &random)
        if Bool.random(using: &random) { place = min(size - 1, place / 4096 * 4096 + Int.random(in: 0..<100, using: &random)) }
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        if inLog { flippedLog[place] ^= bit } else { flippedMain[place] ^= bit }
      }
      try flippedMain.write(to: folder.url.appendingPathComponent("\(round).db"))
      if !log.isEmpty { try flippedLog.write(to: folder.url.appendingPathComponent("\(round).db-wal")) }
      if try readAll(folder, "\(round).db").failures == 0 { outcomes.whole += 1 } else { outcomes.partial += 1 }
    }
    #expect(outcomes.whole + outcomes.partial == 150)
    #expect(outcomes.partial > 10, "flips in headers are noticed")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("private")) == [])
  }

  @Test func keepsTheRowsBeforeTheDamage() throws {
    let folder = try TestFolder()
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, x); CREATE TABLE u (x); INSERT INTO u VALUES ('sound');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i, 'content of a row' FROM n;
        """)
    }
    var bytes = try Data(contentsOf: folder.url.appendingPathComponent("a.db"))
    let middle = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xEE, count: 4096))
    try bytes.write(to: folder.url.appendingPathComponent("b.db"))
    let snapshot = try folder.snapshot("b.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    var reader = try SQLiteTableReader(try #require(schema.table("t")), of: schema, in: snapshot)
    var failure: SQLiteError?
    do { while try reader.next(in: snapshot) {} } catch { failure = error }
    #expect(reader.rowCount > 100 && reader.rowCount < 1000)
    #expect(failure?.code.primary == .damaged && failure?.table == "t")
    #expect(try rows("u", in: snapshot) == ["'sound'"])
  }

  @Test(arguments: [5000, 9000, 20_000]) func readsWhatIsLeftOfATruncatedFile(size: Int) throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), Self.everything) }
    try Data(contentsOf: folder.url.appendingPathComponent("a.db")).prefix(size).write(to: folder.url.appendingPathComponent("b.db"))
    let left = try readAll(folder, "b.db")
    #expect(left.failures > 0)
  }

  /// A page that is its own child leads on for ever.
  @Test(.timeLimit(.minutes(1))) func doesNotFollowAPageRoundInCircles() throws {
    let folder = try TestFolder()
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        PRAGMA page_size=512; CREATE TABLE t (x PRIMARY KEY) WITHOUT ROWID;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO t SELECT i FROM n;
        """)
    }
    var bytes = try Data(contentsOf: folder.url.appendingPathComponent("a.db"))
    let first = try #require(Self.interiorPages(of: bytes).first)
    // Every cell of every interior page leads to the same leaf, or to the next interior page.
    for page in Self.interiorPages(of: bytes) {
      let cells = Int(bytes[page + 3]) << 8 | Int(bytes[page + 4])
      let child = page == first ? Self.interiorPages(of: bytes).last! / 512 + 1 : Int(bytes[page + 8 + 3])
      for cell in 0..<cells {
        let pointer = page + 12 + 2 * cell
        let place = page + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
        for (index, shift) in [24, 16, 8, 0].enumerated() { bytes[place + index] = UInt8(truncatingIfNeeded: child >> shift) }
      }
    }
    try bytes.write(to: folder.url.appendingPathComponent("b.db"))
    let found = try readAll(folder, "b.db")
    #expect(found.rows <= bytes.count / 4 + 1)
  }

  /// Offsets of the interior pages of index b-trees.
  static func interiorPages(of bytes: Data) -> [Int] {
    stride(from: 512, to: bytes.count, by: 512).filter { bytes[$0] == 2 }
  }

  /// A full-text table may take its content from a view, and a view may go on for ever.
  @Test(.timeLimit(.minutes(3))) func doesNotWaitForAViewWithoutEnd() throws {
    let folder = try TestFolder()
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS body FROM n WHERE i < 0;
        CREATE VIRTUAL TABLE found USING fts5 (body, content='endless', content_rowid='id');
        CREATE VIEW many AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS body FROM n;
        CREATE VIRTUAL TABLE found2 USING fts5 (body, content='many', content_rowid='id');
        CREATE TABLE sound (x); INSERT INTO sound VALUES (1);
        """)
    }
    let snapshot = try folder.snapshot("a.db")
    #expect(throws: SQLiteError.self) { try rows("found", in: snapshot) }
    #expect(throws: SQLiteError.self) { try rows("found2", in: snapshot) }
    #expect(try rows("sound", in: snapshot) == ["1"])
  }

  /// A generated column can claim any size.
  @Test func computesNoValueLargerThanTheFile() throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), "CREATE TABLE t (x, bomb AS (hex(zeroblob(x)))); INSERT INTO t VALUES (1), (400000000)") }
    let snapshot = try folder.snapshot("a.db")
    let error = #expect(throws: SQLiteError.self) { try rows("t", in: snapshot) }
    #expect(error?.code.primary == .tooBig && error?.table == "t")
  }
}
