import Files
import Foundation
import SQLiteReading
import TestSupport
import Testing

@Suite struct TableReaderTests {
  func read(_ table: SQLiteName, _ sql: String) throws -> [String] {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), sql) }
    let snapshot = try folder.snapshot("a.db")
    return try rows(table, in: snapshot)
  }

  /// SQLite itself keeps -0.0 as 0 in a column of type REAL.
  @Test func keepsStorageClasses() throws {
    let found = try read(
      "t",
      """
      CREATE TABLE t (i INTEGER, r REAL, x, t TEXT);
      INSERT INTO t VALUES (9223372036854775807, 1, 'a', 12), ('text', -0.0, x'00ff', ''), (NULL, 9e999, x'', CAST(x'61006200' AS TEXT));
      """)
    #expect(found == ["9223372036854775807|1.0|'a'|'12'", "'text'|0.0|x'00ff'|''", "null|inf|x''|'a\0b\0'"])
  }

  static let orders: [(String, [String])] = [
    (
      "CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES ('b'), ('a'), (NULL), ('B'), (NULL)",
      ["null", "null", "'B'", "'a'", "'b'"]
    ),
    ("CREATE TABLE t (a TEXT, PRIMARY KEY (a COLLATE NOCASE)); INSERT INTO t VALUES ('b'), ('C'), ('a')", ["'a'", "'b'", "'C'"]),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY DESC); INSERT INTO t VALUES (1), (3), (2)", ["3", "2", "1"]),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY, b UNIQUE); INSERT INTO t VALUES (3, 1), (-1, 2)", ["-1|2", "3|1"]),
    ("CREATE TABLE t (a, b, PRIMARY KEY (b DESC, a)) WITHOUT ROWID; INSERT INTO t VALUES (1, 1), (2, 2), (1, 2)", ["1|2", "2|2", "1|1"]),
    ("CREATE TABLE t (rowid, _rowid_, oid); INSERT INTO t VALUES (5, 1, 'x'), (4, 2, 'y')", ["5|1|'x'", "4|2|'y'"]),
    (
      "CREATE TABLE t (\"select\", \"a\"\"b\", \"\"); CREATE INDEX i ON t (\"a\"\"b\", \"select\", \"\"); INSERT INTO t VALUES (2, 2, 2), (1, 1, 1)",
      ["2|2|2", "1|1|1"]
    ),
  ]

  @Test(arguments: orders) func readsInKeyOrder(sql: String, expected: [String]) throws {
    #expect(try read("t", sql) == expected)
  }

  /// A key's index lets rows come in order; a sorter would hold the table in memory or in a file.
  @Test(arguments: orders) func sortsNothing(sql: String, expected: [String]) throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), sql) }
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    let plan = try SQLiteTableReader.plan(of: try #require(schema.table("t")), in: snapshot)
    #expect(!plan.isEmpty && plan.allSatisfy { !$0.contains("TEMP B-TREE") }, "\(plan)")
  }

  /// A collation or function of the app's own is not here.
  @Test func readsWhatItsAppAloneCanCompare() throws {
    let folder = try TestFolder()
    try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.create_collation('LOCALIZED', lambda a, b: (a > b) - (a < b))
      c.create_function('mine', 1, lambda x: x, deterministic=True)
      c.executescript('''CREATE TABLE k (a TEXT COLLATE LOCALIZED PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO k VALUES ('z', 1), ('a', 2);
      CREATE TABLE r (a TEXT COLLATE LOCALIZED PRIMARY KEY); INSERT INTO r VALUES ('z'), ('a');
      CREATE TABLE g (a, b AS (mine(a)), c); INSERT INTO g VALUES (1, 3);''')
      """, [folder.path("a.db")])
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("k", in: snapshot) == ["'a'|2", "'z'|1"])
    #expect(try rows("r", in: snapshot) == ["'a'", "'z'"])
    let schema = try SQLiteSchema(of: snapshot.connection)
    let reader = try SQLiteTableReader(try #require(schema.table("g")), of: schema, in: snapshot)
    #expect(reader.columns.map(\.name) == ["a", "c"])
    #expect(reader.leftOut.map(\.name) == ["b"])
  }

  @Test func readsFullTextAndContentlessTables() throws {
    #expect(try read("f", "CREATE VIRTUAL TABLE f USING fts5(a, b); INSERT INTO f VALUES ('x', 'y')") == ["'x'|'y'"])
    #expect(try read("f", "CREATE VIRTUAL TABLE f USING fts4(a); INSERT INTO f VALUES ('x')") == ["'x'"])
    #expect(try read("f", "CREATE VIRTUAL TABLE f USING rtree(i, a, b, +note); INSERT INTO f VALUES (1, 2, 3, 'n')") == ["1|2.0|3.0|'n'"])
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"]) func readsUTF16(encoding: String) throws {
    let folder = try TestFolder()
    let lone = encoding == "UTF-16le" ? "x'00d84100'" : "x'd8000041'"
    do {
      _ = try Writer(
        folder.path("a.db"),
        "PRAGMA encoding='\(encoding)'; CREATE TABLE \"tä\" (\"ü\"); INSERT INTO \"tä\" VALUES ('aé漢👋'), (CAST(\(lone) AS TEXT)), ('')")
    }
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("tä", in: snapshot) == ["'aé漢👋'", "invalid 4", "''"])
  }

  /// An index that lost a row would lose it from an export too, and one with other values would give those.
  @Test(arguments: [
    ("CREATE TABLE t (a TEXT PRIMARY KEY, b); INSERT INTO t VALUES ('c', 1), ('b', 2), ('a', 3)", "", ["'c'|1", "'b'|2", "'a'|3"]),
    ("CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES ('c'), ('b')", "INSERT INTO u VALUES ('x'), ('y');", ["'c'", "'b'"]),
  ])
  func doesNotTrustAnIndexThatHoldsOtherRows(table: String, others: String, expected: [String]) throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), table) }
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        PRAGMA writable_schema=ON; CREATE TABLE u (a TEXT PRIMARY KEY); \(others)
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_u_1') WHERE name = 'sqlite_autoindex_t_1';
        """)
    }
    let snapshot = try folder.snapshot("a.db")
    #expect(try rows("t", in: snapshot) == expected)
  }

  /// What a constraint forbids is no damage.
  @Test func findsDamageOnly() throws {
    let folder = try TestFolder()
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        CREATE TABLE sound (a TEXT UNIQUE, b INTEGER CHECK (b > 0), c); CREATE INDEX by_c ON sound (c);
        CREATE TABLE damaged (a UNIQUE); CREATE TABLE other (a UNIQUE);
        PRAGMA ignore_check_constraints=ON; INSERT INTO sound VALUES ('x', -1, zeroblob(400000)), ('y', NULL, 'z');
        INSERT INTO damaged VALUES (1); INSERT INTO other VALUES (2);
        PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE sound (a TEXT UNIQUE, b INTEGER NOT NULL CHECK (f(b)), c)' WHERE name = 'sound';
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_other_1') WHERE name = 'sqlite_autoindex_damaged_1';
        """)
    }
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    #expect(try snapshot.damage(in: #require(schema.table("sound"))) == nil)
    #expect(try snapshot.damage(in: #require(schema.table("damaged"))) == "row 1 missing from index sqlite_autoindex_damaged_1")
  }
}
