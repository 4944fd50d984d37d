import Files
import Foundation
import SQLiteReading
import Testing

@Suite struct SchemaTests {
  func schema(_ sql: String) throws -> SQLiteSchema {
    let folder = try TestFolder()
    do { _ = try Writer(folder.path("a.db"), sql) }
    let snapshot = try folder.snapshot("a.db")
    return try SQLiteSchema(of: snapshot.connection)
  }

  @Test func tellsKindsApart() throws {
    let schema = try schema(
      """
      CREATE TABLE plain (id INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE pair (a, b, PRIMARY KEY (b, a)) WITHOUT ROWID;
      CREATE VIEW seen AS SELECT * FROM plain; CREATE INDEX i ON plain (id);
      CREATE VIRTUAL TABLE "no tes" USING fts5 (title, body); CREATE TABLE "no tes_other" (x); CREATE VIRTUAL TABLE box USING rtree (id, a, b);
      """)
    #expect(
      schema.tables.map { "\($0.name) \($0.kind) \($0.shadowOf.map(\.display) ?? "-")" } == [
        "box virtual -", "box_node ordinary box", "box_parent ordinary box", "box_rowid ordinary box", "no tes virtual -",
        "no tes_config withoutRowid no tes", "no tes_content ordinary no tes", "no tes_data ordinary no tes",
        "no tes_docsize ordinary no tes",
        "no tes_idx withoutRowid no tes", "no tes_other ordinary -", "pair withoutRowid -", "plain ordinary -", "seen view -",
        "sqlite_sequence internal -",
      ])
    #expect(schema.table("NO TES")?.columns.map(\.name.display) == ["title", "body"], "hidden columns are none")
    #expect(schema.table("pair")?.primaryKey == ["b", "a"])
  }

  @Test func readsColumnsAndKeys() throws {
    let schema = try schema(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, "a""b" VARCHAR(3), c AS (id + 1), d TEXT GENERATED ALWAYS AS ('x') STORED);
      CREATE TABLE letter (sender REFERENCES person ON DELETE CASCADE, x, y, FOREIGN KEY (x, y) REFERENCES Pair (k, l));
      """)
    let person = try #require(schema.table("person"))
    #expect(person.columns.map(\.name.display) == ["id", "a\"b", "c", "d"])
    #expect(person.columns.map(\.isGenerated) == [false, false, true, true])
    #expect(person.columns[1].declaredType == "VARCHAR(3)")
    let keys = try #require(schema.table("letter")).foreignKeys
    #expect(keys.map(\.columns) == [["x", "y"], ["sender"]])
    #expect(keys.map(\.referenced) == [["k", "l"], ["id"]])
    #expect(keys.map(\.table) == ["Pair", "person"])
    #expect(keys.map(\.onDelete) == ["NO ACTION", "CASCADE"])
  }

  /// Entries that SQLite can't parse, pages that aren't there, modules that are missing: each is named, and the others are read.
  @Test func oneBadEntryDoesNotTakeTheOthersDown() throws {
    let folder = try TestFolder()
    do {
      _ = try Writer(
        folder.path("a.db"),
        """
        CREATE TABLE good (x); INSERT INTO good VALUES (1); PRAGMA writable_schema=ON;
        CREATE TABLE lost_content (id INTEGER PRIMARY KEY, c0); INSERT INTO lost_content VALUES (1, 'kept');
        INSERT INTO sqlite_schema VALUES ('table', 'bad', 'bad', 0, 'CREATE TABLE bad(');
        INSERT INTO sqlite_schema VALUES ('table', 'beyond', 'beyond', 9999, 'CREATE TABLE beyond(x)');
        INSERT INTO sqlite_schema VALUES ('view', 'wrong', 'wrong', 0, 'CREATE VIEW wrong AS SELECT * FROM nowhere');
        INSERT INTO sqlite_schema VALUES ('table', 'lost', 'lost', 0, 'CREATE VIRTUAL TABLE lost USING unheard_of(a)');
        """)
    }
    let snapshot = try folder.snapshot("a.db")
    let schema = try SQLiteSchema(of: snapshot.connection)
    #expect(schema.tables.map(\.name) == ["bad", "beyond", "good", "lost", "lost_content", "wrong"])
    #expect(try rows("good", in: snapshot) == ["1"])
    #expect(try rows("lost_content", in: snapshot) == ["1|'kept'"])
    #expect(schema.table("lost_content")?.shadowOf == nil)
    #expect(schema.table("bad")?.problem != nil)
    #expect(schema.table("lost")?.problem?.message == "no such module: unheard_of")
    let error = #expect(throws: SQLiteError.self) { try rows("beyond", in: snapshot) }
    #expect(error?.code.primary == .damaged && error?.table == "beyond")
  }

  @Test func quotesNames() throws {
    #expect(SQLiteName("a\"b").quoted == Array("\"a\"\"b\"".utf8))
    #expect(SQLiteName([0x61, 0xFF]).text == nil)
    #expect(SQLiteName("SQLite_x").isInternal && !SQLiteName("sqlitex").isInternal)
    #expect(SQLiteName("\u{1B}[2J").display == "\\x1b[2J")
  }
}
