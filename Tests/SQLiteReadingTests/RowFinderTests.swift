import Files
import TestSupport
import Testing

@testable import SQLiteReading

@Suite("Rows by their references")
struct RowFinderTests {
  /// A store, and a finder for all its tables and declared keys.
  private final class Found {
    let folder: TestFolder
    let snapshot: SQLiteSnapshot
    let schema: SQLiteSchema
    let finder: SQLiteRowFinder

    init(_ sql: String, references: ([SQLiteTable]) -> [SQLiteReference] = RowFinderTests.declared) throws {
      folder = try TestFolder()
      do { _ = try Writer(folder.path("a.db"), sql) }
      snapshot = try folder.snapshot("a.db")
      schema = try SQLiteSchema(of: snapshot.connection)
      finder = SQLiteRowFinder(tables: schema.tables, references: references(schema.tables), encoding: schema.encoding)
    }

    func start(_ table: SQLiteName, _ column: SQLiteName, _ text: String) throws -> [UInt64] {
      let table = try #require(schema.tables.firstIndex { $0.name == table })
      return try finder.rows(of: table, where: column, isText: text, limit: 2, in: snapshot)
    }

    func referring(_ reference: Int, to parents: [UInt64], lacking: [Int] = []) throws -> Set<UInt64> {
      var found: Set<UInt64> = []
      try finder.rows(referringBy: .init(reference, lacking: lacking), to: parents, in: snapshot) { row, _ in found.insert(row) }
      return found
    }

    func rows(_ table: Int, _ handles: [UInt64]) throws -> [String] {
      let selection = try finder.selection(of: handles, in: table, snapshot)
      #expect(selection.count == handles.count)
      var reader = try SQLiteTableReader(schema.tables[table], of: schema, in: snapshot, rows: selection)
      var found: [String] = []
      while try reader.next(in: snapshot) {
        var cells: [String] = []
        for column in reader.columns.indices { cells.append(try text(reader.cell(at: column))) }
        found.append(cells.joined(separator: "|"))
      }
      return found
    }
  }

  private static func declared(_ tables: [SQLiteTable]) -> [SQLiteReference] {
    tables.indices.flatMap { child in
      tables[child].foreignKeys.map { key in
        SQLiteReference(
          child: child, columns: key.columns, parent: tables.firstIndex { $0.name == key.table }!, parentColumns: key.referenced)
      }
    }
  }

  @Test(
    "a starting row by its column's text",
    arguments: [
      ("42", 1), ("042", 0), ("-7", 1), ("4.5", 1), ("abc", 1), ("ABC", 1), ("aBc", 0), ("", 1), ("x'41'", 0), ("blob", 1), ("twice", 2),
    ])
  func starts(text: String, count: Int) throws {
    for type in ["", "TEXT", "INTEGER", "NUMERIC", "TEXT COLLATE NOCASE"] {
      for index in ["", "CREATE INDEX i ON t (c);"] {
        let found = try Found(
          """
          CREATE TABLE t (c \(type)); \(index)
          INSERT INTO t VALUES (42), (-7), (4.5), ('abc'), ('ABC'), (''), (NULL), (CAST('blob' AS BLOB)), ('twice'), ('twice'), ('twice');
          """)
        #expect(try found.start("t", "c", text).count == count, "\(type) \(index)")
      }
    }
  }

  @Test("rows below and above, by number and by key; nulls, halves and strangers refer to nothing")
  func references() throws {
    let found = try Found(
      """
      CREATE TABLE a (x TEXT, y INTEGER, PRIMARY KEY (x, y)) WITHOUT ROWID;
      CREATE TABLE b (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, FOREIGN KEY (x, y) REFERENCES a);
      CREATE TABLE c (id INTEGER PRIMARY KEY, b_id INTEGER REFERENCES b, other TEXT);
      INSERT INTO a VALUES ('p', 1), ('p', 2), ('q', 1);
      INSERT INTO b VALUES (-5, 'p', 1), (0, 'p', 1), (7, 'p', NULL), (8, 'q', 9), (9, 'q', 1);
      INSERT INTO c VALUES (1, -5, NULL), (2, 0, 'x'), (3, NULL, NULL), (4, 99, NULL);
      """)
    let start = try found.start("a", "y", "2") + found.start("a", "x", "q")
    #expect(start.count == 2)
    #expect(try found.referring(0, to: start) == [9])
    let first = try found.finder.rows(of: 0, where: "x", isText: "p", limit: 9, in: found.snapshot)
    #expect(try found.referring(0, to: first) == [UInt64(bitPattern: -5), 0])
    #expect(try found.referring(1, to: [UInt64(bitPattern: -5), 0, 7]) == [1, 2])
    var above: Set<UInt64> = []
    try found.finder.rows(referredToBy: 0, from: [0, 7, 8, 9, UInt64(bitPattern: -5)], in: found.snapshot) { above.insert($0) }
    #expect(try found.rows(0, Array(above)) == ["'p'|1", "'q'|1"])
  }

  @Test("many rows at once, more than one question holds")
  func many() throws {
    let found = try Found(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE b (x INTEGER REFERENCES a, y TEXT, PRIMARY KEY (y, x)) WITHOUT ROWID;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO a SELECT i FROM n;
      INSERT INTO b SELECT id, 'k' || (id % 7) FROM a;
      """)
    let below = try found.referring(0, to: Array(1...20_000))
    #expect(below.count == 20_000)
    #expect(try found.referring(0, to: [3, 4, 5]).count == 3)
    let rows = try found.rows(1, Array(below))
    #expect(rows.count == 20_000 && rows[0] == "7|'k0'" && rows[19_999] == "20000|'k1'" || rows[19_999] == "19998|'k6'")
    let few = try found.rows(1, Array(try found.referring(0, to: [14, 1, 7, 8])))
    #expect(try found.rows(1, []) == [])
    #expect(few == ["7|'k0'", "14|'k0'", "1|'k1'", "8|'k1'"])
  }

  @Test("a selection comes in the primary key's order", arguments: [3, 12_000])
  func order(count: Int) throws {
    let found = try Found(
      """
      CREATE TABLE t (name TEXT PRIMARY KEY, n);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO t SELECT printf('%06d', 1000000 - i), i FROM n;
      """)
    let rows = try found.rows(0, (1...UInt64(count)).filter { $0 != 2 })
    #expect(rows.count == count - 1)
    #expect(rows == rows.sorted())
  }

  @Test("long values come in a selection too, by number in pieces, by key whole")
  func longValues() throws {
    let found = try Found(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, v); INSERT INTO a VALUES (1, zeroblob(1000000)), (2, 'x'), (3, zeroblob(5));
      CREATE TABLE b (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO b VALUES ('a', 1), ('b', zeroblob(300000)), ('c', 3);
      """)
    #expect(try found.rows(0, [1, 3]) == ["1|large blob 1000000", "3|x'0000000000'"])
    let keys = try ["c", "b"].flatMap { try found.start("b", "k", $0) }
    let rows = try found.rows(1, keys)
    #expect(rows.count == 2 && rows[0].count == 4 + 3 + 600_000 && rows[1] == "'c'|3")
  }

  @Test("keys in UTF-16, and in an order that only the app knows")
  func strangeKeys() throws {
    let wide = try Found(
      """
      PRAGMA encoding = 'UTF-16be';
      CREATE TABLE a (k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO a VALUES ('ä€𝄞'), ('b');
      CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT REFERENCES a); INSERT INTO b VALUES (1, 'ä€𝄞'), (2, 'b'), (3, 'c');
      """)
    #expect(try wide.referring(0, to: try wide.start("a", "k", "ä€𝄞")) == [1])
    #expect(try wide.rows(0, try wide.start("a", "k", "ä€𝄞")) == ["'ä€𝄞'"])
    var values: [[SQLiteKeyValue]] = []
    try wide.finder.values(of: ["a", "id"], in: 1, rows: [1], in: wide.snapshot) { values.append($0) }
    #expect(values == [[.text("ä€𝄞"), .integer(1)]])
    let folder = try TestFolder()
    try python(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.create_collation('BACKWARDS', lambda a, b: (a < b) - (a > b))
      c.executescript('''CREATE TABLE a (k TEXT COLLATE BACKWARDS PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT COLLATE BACKWARDS REFERENCES a); CREATE INDEX i ON b (a);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO a SELECT printf('%04d', i) FROM n;
      INSERT INTO b SELECT NULL, k FROM a;''')
      """, [folder.path("a.db")])
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    let finder = SQLiteRowFinder(tables: schema.tables, references: Self.declared(schema.tables), encoding: schema.encoding)
    for key in ["0001", "0250", "0500"] {
      let start = try finder.rows(of: 0, where: "k", isText: key, limit: 2, in: snapshot)
      #expect(start.count == 1)
      var below = 0
      try finder.rows(referringBy: .init(0), to: start, in: snapshot) { _, _ in below += 1 }
      #expect(below == 1, "\(key)")
      var reader = try SQLiteTableReader(schema.tables[0], of: schema, in: snapshot, rows: finder.selection(of: start, in: 0, snapshot))
      #expect(try reader.next(in: snapshot))
    }
  }

  @Test("values in JSON refer, elements each; what is no JSON, an object or null doesn't")
  func json() throws {
    let sql = """
      CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2);
      CREATE TABLE b (id INTEGER PRIMARY KEY, j, kind TEXT);
      INSERT INTO b VALUES (1, '[1, 2]', 'x'), (2, '["2"]', 'y'), (3, '{"to": [1], "one": 2}', 'x'), (4, 'no json', 'x'), (5, NULL, 'x'), (6, 2, 'x'),
        (7, x'00', 'x'), (8, '[null, 9]', 'x'), (9, '[]', NULL);
      """
    let reference = { (path: String, kind: String?) in
      SQLiteReference(
        child: 1, columns: ["j"], parent: 0, parentColumns: ["id"], access: .elements(path: path),
        condition: kind.map { .init(column: "kind", text: $0) })
    }
    let references = [reference("$", nil), reference("$.to", nil), reference("$.one", nil), reference("$", "x")]
    let found = try Found(sql) { _ in references }
    #expect(try found.referring(0, to: [1]) == [1])
    #expect(try found.referring(0, to: [2]) == [1, 2, 6])
    #expect(try found.referring(1, to: [1]) == [3])
    #expect(try found.referring(2, to: [2]) == [3])
    #expect(try found.referring(3, to: [2]) == [1, 6])
    var has: [UInt64: Bool] = [:]
    try found.finder.rows(referringBy: .init(0, noting: [3]), to: [1, 2], in: found.snapshot) { has[$0] = $1[0] }
    #expect(has == [1: true, 2: false, 6: true])
    #expect(try found.referring(0, to: [1, 2], lacking: [3]) == [2])
    var above: Set<UInt64> = []
    try found.finder.rows(referredToBy: 0, from: Array(1...9), in: found.snapshot) { above.insert($0) }
    #expect(above == [1, 2])
    var kept: Set<UInt64> = []
    try found.finder.rows(referringBy: .init(0), toValues: [[.integer(9)]], in: found.snapshot) { row, _ in kept.insert(row) }
    #expect(kept == [8])
  }

  @Test("rows are sought, by number, by key and by the columns of several, never looked through")
  func indexes() throws {
    let found = try Found(
      """
      CREATE TABLE a (x TEXT, y INTEGER, PRIMARY KEY (x, y)) WITHOUT ROWID;
      CREATE TABLE b (x TEXT, y INTEGER, n INTEGER, PRIMARY KEY (x, y, n), FOREIGN KEY (x, y) REFERENCES a) WITHOUT ROWID;
      CREATE TABLE c (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, FOREIGN KEY (x, y) REFERENCES a); CREATE INDEX ci ON c (x, y);
      CREATE TABLE d (code TEXT PRIMARY KEY, c_id INTEGER REFERENCES c); CREATE INDEX di ON d (c_id);
      """)
    for reference in found.finder.references.indices {
      let steps = try found.finder.steps(of: reference, in: found.snapshot)
      #expect(steps.contains { $0.hasPrefix("SEARCH") })
      #expect(steps.allSatisfy { !$0.hasPrefix("SCAN") || $0 == "SCAN k" || $0.hasSuffix("CONSTANT ROWS") }, "\(steps)")
      #expect(steps.allSatisfy { !$0.contains("AUTOMATIC") }, "\(steps)")
    }
  }
}
