import AccountExport
import Foundation
import TestSupport
import Testing

@testable import RecordsSource

private let row = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

@Suite struct CoreDataStoreTests {
  private let notes = ModelFixture([
    .init("Base", abstract: true, [.init("created", Kind.date)]), .init("Note", parent: "Base", [.init("title", Kind.string)]),
    .init("Empty", [.init("x", Kind.string)]),
  ])
  private let tables = """
    CREATE TABLE ZBASE (\(row), ZCREATED TIMESTAMP, ZTITLE VARCHAR); CREATE TABLE ZEMPTY (\(row), ZX VARCHAR);
    INSERT INTO ZBASE VALUES (1, 2, 1, 0, 'a'), (2, 2, 1, 1.5, NULL);
    """

  @Test("what Core Data keeps for itself: metadata, history and join tables of others")
  func bookkeeping() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData(
      "S.sqlite", notes,
      tables + """
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1);
        CREATE TABLE ACHANGE (\(row), ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZTOMBSTONE0 VARCHAR); CREATE TABLE ATRANSACTION (\(row), ZTIMESTAMP FLOAT);
        INSERT INTO ACHANGE VALUES (1, 16001, NULL, 2, 2, 'deleted title'); INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 700000000.5);
        CREATE TABLE Z_9STRANGERS (Z_9A INTEGER, Z_8B INTEGER); INSERT INTO Z_9STRANGERS VALUES (1, 2);
        """)
    let exported = try await folder.export("S.sqlite")
    #expect(exported.text("records/S/metadata.json") == #"{"NSStoreType":"SQLite"}"# + "\n")
    #expect(
      exported.lines("records/S/ACHANGE.json") == [
        #"{"Z_PK":1,"Z_ENT":16001,"Z_OPT":null,"ZCHANGETYPE":2,"ZENTITY":2,"ZTOMBSTONE0":"deleted title"}"#
      ])
    #expect(exported.lines("records/S/ATRANSACTION.json") == [#"{"Z_PK":1,"Z_ENT":16002,"Z_OPT":1,"ZTIMESTAMP":700000000.5}"#])
    #expect(exported.lines("records/S/Z_9STRANGERS.json") == [#"{"Z_9A":1,"Z_8B":2}"#])
    #expect(exported.text("records/S/Empty.json") == "[]\n")
    #expect(exported.entries["records/S/Base.json"] == nil)
    #expect(exported.omissions == ["Z_MODELCACHE: derived", "Z_PRIMARYKEY: derived"])
    #expect(exported.manifest.outcome == .complete)
  }

  @Test("without a model, the numbers and the columns tell what they can")
  func withoutModel() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData("S.sqlite", notes, cache: [], tables + "CREATE TABLE Z_1TAGS (Z_1A INTEGER); INSERT INTO Z_1TAGS VALUES (1);")
    let exported = try await folder.export("S.sqlite")
    #expect(exported.manifest.sources.map(\.schema) == [.inferred])
    #expect(
      exported.lines("records/S/Note.json") == [
        #"{"id":"Note/1","CREATED":"2001-01-01T00:00:00Z","TITLE":"a"}"#,
        #"{"id":"Note/2","CREATED":"2001-01-01T00:00:01.5Z","TITLE":null}"#,
      ])
    #expect(exported.text("records/S/Empty.json") == "[]\n")
    #expect(exported.entries["records/S/Base.json"] == nil)
    #expect(exported.lines("records/S/Z_1TAGS.json") == [#"{"Z_1A":1}"#])
    #expect(exported.omissions == ["Z_PRIMARYKEY: derived"])
    #expect(exported.manifest.outcome == .complete)
  }

  @Test(
    "a model that can't be read is as none, and said to be so",
    arguments: [
      Array("garbage".utf8), storedDeflate(Array("no archive".utf8)),
      ModelFixture([.init("Base", parent: "Note"), .init("Note", parent: "Base")]).cache,
    ])
  func brokenModel(_ cache: [UInt8]) async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData("S.sqlite", notes, cache: cache, tables)
    let exported = try await folder.export("S.sqlite")
    #expect(exported.manifest.sources.map(\.schema) == [.inferred])
    #expect(exported.lines("records/S/Note.json")?.count == 2)
    #expect(exported.omissions == ["Z_MODELCACHE: derived", "Z_PRIMARYKEY: derived"])
  }

  @Test("rows that say to be of no known entity are written as they are, and columns of no property are named")
  func strangers() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData(
      "S.sqlite", notes,
      tables + """
        ALTER TABLE ZBASE ADD COLUMN ZOLD VARCHAR; ALTER TABLE ZBASE ADD COLUMN ZOLDER VARCHAR;
        INSERT INTO ZBASE VALUES (7, 99, 1, 0, 'x', 'old', NULL), (8, NULL, 1, 0, 'y', NULL, NULL), (-9, 1, 1, 0, NULL, NULL, NULL);
        """)
    let exported = try await folder.export("S.sqlite")
    #expect(exported.lines("records/S/Base.json") == [#"{"id":"Base/-9","created":"2001-01-01T00:00:00Z"}"#])
    #expect(exported.lines("records/S/Note.json")?.count == 2)
    #expect(
      exported.lines("records/S/ZBASE.json") == [
        #"{"Z_PK":7,"Z_ENT":99,"Z_OPT":1,"ZCREATED":0,"ZTITLE":"x","ZOLD":"old","ZOLDER":null}"#,
        #"{"Z_PK":8,"Z_ENT":null,"Z_OPT":1,"ZCREATED":0,"ZTITLE":"y","ZOLD":null,"ZOLDER":null}"#,
      ])
    #expect(exported.omissions == ["ZBASE.ZOLD: unclaimed ×1", "Z_MODELCACHE: derived", "Z_PRIMARYKEY: derived"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("properties without a column, entities without a table, and tables without a key")
  func missingParts() async throws {
    let folder = try StoreFolder()
    let model = ModelFixture([
      .init(
        "A", [.init("gone", Kind.string), .init("here", Kind.string)],
        [.init("b", to: "B"), .init("cs", to: "C", many: true), .init("lost", to: "B")]),
      .init("B", [.init("x", Kind.string)]), .init("C"),
    ])
    try folder.makeCoreData(
      "S.sqlite", model,
      """
      CREATE TABLE ZA (\(row), ZHERE VARCHAR, ZB INTEGER); CREATE TABLE ZC (Z_PK TEXT, Z_ENT INTEGER, Z1CS INTEGER);
      INSERT INTO ZA VALUES (1, 1, 1, 'x', 5); INSERT INTO ZC VALUES ('k', 3, 1);
      """)
    let exported = try await folder.export("S.sqlite")
    #expect(exported.lines("records/S/A.json") == [#"{"id":"A/1","here":"x","b":"B/5"}"#])
    #expect(exported.text("records/S/B.json") == "[]\n")
    #expect(exported.lines("records/S/ZC.json") == [#"{"Z_PK":"k","Z_ENT":3,"Z1CS":1}"#])
    #expect(exported.omissions == ["B/5: dangling ×1", "Z_MODELCACHE: derived", "Z_PRIMARYKEY: derived"])
  }

  @Test("links that are no numbers are named, and others are kept")
  func strangeLinks() async throws {
    let folder = try StoreFolder()
    let model = ModelFixture([
      .init("A", [], [.init("b", to: "B"), .init("bs", to: "B", inverse: "as", many: true), .init("cs", to: "C", many: true)]),
      .init("B", [], [.init("as", to: "A", inverse: "bs", many: true)]), .init("C"),
    ])
    try folder.makeCoreData(
      "S.sqlite", model,
      """
      CREATE TABLE ZA (\(row), ZB); CREATE TABLE ZB (\(row)); CREATE TABLE ZC (\(row), Z1CS);
      CREATE TABLE Z_1BS (Z_1AS, Z_2BS);
      INSERT INTO ZA VALUES (1, 1, 1, 'text'), (2, 1, 1, x'00'), (3, 1, 1, 1.5), (4, 1, 1, 1);
      INSERT INTO ZB VALUES (1, 2, 1); INSERT INTO ZC VALUES (1, 3, 1, 'odd'), (2, 3, 1, 4);
      INSERT INTO Z_1BS VALUES (1, 'odd'), (NULL, 1), (1, 1);
      """)
    let exported = try await folder.export("S.sqlite")
    #expect(
      exported.lines("records/S/A.json") == [
        #"{"id":"A/1","b":null,"bs":["B/1"],"cs":[]}"#, #"{"id":"A/2","b":null,"bs":[],"cs":[]}"#,
        #"{"id":"A/3","b":null,"bs":[],"cs":[]}"#,
        #"{"id":"A/4","b":"B/1","bs":[],"cs":["C/2"]}"#,
      ])
    #expect(
      exported.omissions == [
        "A.b: unreadable ×3", "A.bs: unreadable ×2", "A.cs: unreadable ×1", "B.as: unreadable ×2", "Z_MODELCACHE: derived",
        "Z_PRIMARYKEY: derived",
      ])
  }

  @Test(
    "where the entities' numbers contradict each other, every table is written as it is",
    arguments: ["(1, 'A'), (1, 'B')", "(1, 'A'), (2, 'A')", "(1, NULL)", "('x', 'A')", "(1, '')"])
  func brokenNumbers(_ rows: String) async throws {
    let folder = try StoreFolder()
    try folder.run(
      "S.sqlite",
      """
      CREATE TABLE Z_METADATA (Z_PLIST BLOB); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER); INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME) VALUES \(rows);
      CREATE TABLE ZA (\(row)); INSERT INTO ZA VALUES (1, 1, 1);
      """)
    let exported = try await folder.export("S.sqlite")
    #expect(exported.lines("records/S/ZA.json") == [#"{"Z_PK":1,"Z_ENT":1,"Z_OPT":1}"#])
    #expect(exported.manifest.sources.map(\.schema) == [.inferred])
    #expect(exported.omissions == ["Z_PRIMARYKEY: derived"])
  }

  @Test("inheritance that goes round in circles ends, with a model and without", arguments: [nil, [UInt8]()])
  func circles(_ cache: [UInt8]?) async throws {
    let folder = try StoreFolder()
    let model = ModelFixture([.init("A", parent: "B"), .init("B", parent: "A")])
    try folder.makeCoreData("S.sqlite", model, cache: cache, "CREATE TABLE ZA (\(row)); INSERT INTO ZA VALUES (1, 1, 1);")
    let exported = try await folder.export("S.sqlite")
    #expect(exported.manifest.sources.map(\.schema) == [.inferred])
    #expect(exported.lines("records/S/A.json") == [#"{"id":"A/1"}"#])
  }

  @Test("a damaged table takes no other entity down")
  func damagedTable() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData(
      "S.sqlite", notes,
      tables + "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'ZEMPTY';")
    let exported = try await folder.export("S.sqlite")
    #expect(exported.lines("records/S/Note.json")?.count == 2)
    #expect(exported.omissions.contains("Empty: failed ×0"))
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("an unreadable property list of the store's own leaves its table as it is")
  func brokenMetadata() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData("S.sqlite", notes, tables + "UPDATE Z_METADATA SET Z_PLIST = x'00';")
    let exported = try await folder.export("S.sqlite")
    #expect(exported.entries["records/S/metadata.json"] == nil)
    #expect(exported.lines("records/S/Z_METADATA.json") == [#"{"Z_VERSION":1,"Z_UUID":"A0B1","Z_PLIST":{"$base64":"AA=="}}"#])
  }

  @Test("an entity called metadata gets another file, and keeps its name")
  func metadataEntity() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData(
      "S.sqlite", ModelFixture([.init("Metadata")]), "CREATE TABLE ZMETADATA (\(row)); INSERT INTO ZMETADATA VALUES (1, 1, 1);")
    let exported = try await folder.export("S.sqlite")
    #expect(exported.text("records/S/metadata.json") == #"{"NSStoreType":"SQLite"}"# + "\n")
    #expect(exported.lines("records/S/Metadata-2.json") == [#"{"id":"Metadata/1"}"#])
  }

  @Test("a log that adds rows, and one that deletes them, counts")
  func logs() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData("S.sqlite", notes, tables)
    let app = try folder.connection("S.sqlite")
    try app.run(
      "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; INSERT INTO ZBASE VALUES (3, 2, 1, 2, 'added'); DELETE FROM ZBASE WHERE Z_PK = 1;"
    )
    let exported = try await folder.export("S.sqlite")
    #expect(
      exported.lines("records/S/Note.json") == [
        #"{"id":"Note/2","created":"2001-01-01T00:00:01.5Z","title":null}"#,
        #"{"id":"Note/3","created":"2001-01-01T00:00:02Z","title":"added"}"#,
      ])
    try app.run("SELECT 1")
  }

  @Test("a plan names the entities with their rows")
  func plan() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData("S.sqlite", notes, tables + "CREATE TABLE Other (x); INSERT INTO Other VALUES (1);")
    let plan = try await RecordsSource(folder.path("S.sqlite")).plan(for: DataSubject(), depth: .counts)
    #expect(
      plan.parts.map { "\($0.name) \($0.items ?? -1) \($0.leftOut?.name ?? "")" } == [
        "Note 2 ", "Empty 0 ", "Other 1 ", "Z_MODELCACHE -1 derived", "Z_PRIMARYKEY -1 derived",
      ])
    #expect(plan.items == 3)
  }

  @Test("every source holds to the same rules")
  func conformance() async throws {
    let folder = try StoreFolder()
    let model = ModelFixture([
      .init(
        "Folder", [.init("name", Kind.string), .init("data", Kind.transformable)],
        [.init("notes", to: "Note", inverse: "folder", many: true, ordered: true)]),
      .init(
        "Note", [.init("at", Kind.date)],
        [.init("folder", to: "Folder", inverse: "notes"), .init("tags", to: "Note", inverse: "tags", many: true)]),
    ])
    try folder.makeCoreData(
      "S.sqlite", model,
      """
      CREATE TABLE ZFOLDER (\(row), ZNAME VARCHAR, ZDATA BLOB); CREATE TABLE ZNOTE (\(row), ZFOLDER INTEGER, Z_FOK_FOLDER INTEGER, ZAT TIMESTAMP);
      CREATE TABLE Z_2TAGS (Z_2TAGS INTEGER, REFLEXIVE INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO ZNOTE SELECT i, 2, 1, i % 7, -i, i / 4.0 FROM n;
      INSERT INTO ZFOLDER SELECT Z_PK, 1, 1, 'n' || Z_PK, \(hex(archived([("a", .text("b"))]))) FROM ZNOTE WHERE Z_PK <= 7;
      INSERT INTO Z_2TAGS SELECT Z_PK, Z_PK % 5 + 1 FROM ZNOTE;
      INSERT INTO ZFOLDER VALUES (0, 1, 1, NULL, zeroblob(9000));
      """)
    let path = folder.path("S.sqlite")
    let bundle = try await checkExportSource { RecordsSource(path) }
    #expect(try bundle.rows("data/records/S/Note.json").count == 300)
  }
}
