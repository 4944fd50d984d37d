import Files
import Foundation
import SQLiteReading
import Testing

@Suite struct LargeValueTests {
  /// Every way to reach a row: by number, along a key's index, without numbers, beside generated columns.
  static let tables = [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, v)", "CREATE TABLE t (id TEXT PRIMARY KEY, v)",
    "CREATE TABLE t (id TEXT PRIMARY KEY, v) WITHOUT ROWID",
    "CREATE TABLE t (id, v)", "CREATE TABLE t (id, v, rowid AS (1) VIRTUAL)", "CREATE TABLE t (id, v, w AS (v || ''))",
    "CREATE TABLE t (id, v, rowid AS (1), oid AS (1), _rowid_ AS (1))",
  ]

  @Test(arguments: tables) func goesOnAfterLongValues(table: String) throws {
    let folder = try TestFolder()
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        \(table); INSERT INTO t (id, v) VALUES (1, 'a'), (2, zeroblob(700000)), (3, 'b'), (4, CAST(zeroblob(600000) AS TEXT)), (5, zeroblob(262144)), (6, 'c');
        """)
    }
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    var reader = try SQLiteTableReader(try #require(schema.table("t")), of: schema, in: snapshot)
    var found: [String] = []
    while try reader.next(in: snapshot) {
      switch try reader.cell(at: 1) {
      case .large(let large):
        var count = 0
        var pieces = large.bytes()
        while let piece = try pieces.next() {
          #expect(piece.allSatisfy { $0 == 0 })
          count += piece.count
        }
        found.append("\(large.kind) \(count)")
      case .text(let bytes): found.append("text \(bytes.count)")
      case .blob(let bytes): found.append("blob \(bytes.count)")
      default: Issue.record("neither text nor blob")
      }
      let id = try text(reader.cell(at: 0))
      #expect(id == "\(found.count)" || id == "'\(found.count)'")
    }
    #expect(found == ["text 1", "blob 700000", "text 1", "text 600000", "blob 262144", "text 1"])
    // The limit holds again for the next table.
    var again = try SQLiteTableReader(try #require(schema.table("t")), of: schema, in: snapshot)
    #expect(try again.next(in: snapshot) && again.next(in: snapshot))
  }

  /// A value that is computed can be longer than the whole database.
  @Test(arguments: [
    "id INTEGER PRIMARY KEY, g AS (hex(zeroblob(x))), x) ", "g AS (hex(zeroblob(x))), id INTEGER, x, PRIMARY KEY (id)) WITHOUT ROWID",
  ])
  func readsALongComputedValue(table: String) throws {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), "CREATE TABLE t (\(table); INSERT INTO t (id, x) VALUES (1, 1), (2, 400000), (3, 1)") }
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    var reader = try SQLiteTableReader(try #require(schema.table("t")), of: schema, in: snapshot)
    let column = try #require(reader.columns.firstIndex { $0.name.display == "g" })
    var lengths: [Int] = []
    while try reader.next(in: snapshot) {
      guard case .text(let bytes) = try reader.cell(at: column) else { continue }
      lengths.append(bytes.count)
    }
    #expect(lengths == [2, 800_000, 2])
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"]) func readsALongTextInPieces(encoding: String) throws {
    let folder = try TestFolder()
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        PRAGMA encoding='\(encoding)'; CREATE TABLE t (v);
        INSERT INTO t VALUES (replace(CAST(zeroblob(100000) AS TEXT), CAST(x'00' AS TEXT), 'aé漢👋'));
        """.replacingOccurrences(
          of: "replace(CAST(zeroblob(100000) AS TEXT), CAST(x'00' AS TEXT), 'aé漢👋')", with: "replace(hex(zeroblob(50000)), '0', 'aé漢👋')"))
    }
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    var reader = try SQLiteTableReader(try #require(schema.table("t")), of: schema, in: snapshot)
    #expect(try reader.next(in: snapshot))
    guard case .large(let large) = try reader.cell(at: 0) else {
      Issue.record("not in pieces")
      return
    }
    #expect(try large.isValidText())
    var whole: [UInt8] = []
    var pieces = large.text()
    while let piece = try pieces.next() {
      #expect(String(validating: piece, as: UTF8.self) != nil, "a piece ends between characters")
      whole += piece
    }
    #expect(whole == Array(String(repeating: "aé漢👋", count: 100_000).utf8))
  }

  static let invalid: [(String, String)] = [
    ("UTF-8", "c328"), ("UTF-8", "eda080"), ("UTF-8", "c0af"), ("UTF-8", "f4908080"), ("UTF-8", "e282"), ("UTF-16le", "00d84100"),
    ("UTF-16le", "00dc"), ("UTF-16be", "d800"),
  ]

  /// The fault stands at the end, and across the border of two pieces.
  @Test(arguments: invalid, [300_000, 327_678]) func knowsALongTextThatIsInvalid(fault: (String, String), length: Int) throws {
    let folder = try TestFolder()
    let fill = fault.0 == "UTF-8" ? "41" : fault.0 == "UTF-16le" ? "4100" : "0041"
    let count = length * 2 / fill.utf8.count
    let hex = String(repeating: fill, count: count)
    do {
      _ = try Writer(
        folder.path("a.db"),
        "PRAGMA encoding='\(fault.0)'; CREATE TABLE t (v); INSERT INTO t VALUES (CAST(x'\(hex)\(fault.1)' AS TEXT)), (CAST(x'\(hex)' AS TEXT))"
      )
    }
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    var reader = try SQLiteTableReader(try #require(schema.table("t")), of: schema, in: snapshot)
    var valid: [Bool] = []
    while try reader.next(in: snapshot) {
      if case .large(let large) = try reader.cell(at: 0) { valid.append(try large.isValidText()) }
    }
    #expect(valid == [false, true])
  }
}
