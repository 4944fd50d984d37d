import AccountExport
import Foundation
import TestSupport
import Testing

/// A form of relationship: the model, the tables and rows, and what each collection must hold.
struct RelationshipForm: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let model: ModelFixture
  let sql: String
  let expected: [String: [String]]
  var omissions: [String] = []
}

/// The columns that every entity's table begins with.
private let row = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

private let forms: [RelationshipForm] = [
  RelationshipForm(
    testDescription: "to-one and its inverse, both ways",
    model: ModelFixture([
      .init("Folder", [.init("name", Kind.string)], [.init("notes", to: "Note", inverse: "folder", many: true)]),
      .init("Note", [], [.init("folder", to: "Folder", inverse: "notes")]),
    ]),
    sql: """
      CREATE TABLE ZFOLDER (\(row), ZNAME VARCHAR); CREATE TABLE ZNOTE (\(row), ZFOLDER INTEGER);
      CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER);
      INSERT INTO ZFOLDER VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (5, 1, 1, NULL);
      INSERT INTO ZNOTE VALUES (1, 2, 1, 2), (2, 2, 1, NULL), (3, 2, 1, 2), (9, 2, 1, 5);
      """,
    expected: [
      "Folder": [
        #"{"id":"Folder/1","name":"a","notes":[]}"#, #"{"id":"Folder/2","name":"b","notes":["Note/1","Note/3"]}"#,
        #"{"id":"Folder/5","name":null,"notes":["Note/9"]}"#,
      ],
      "Note": [
        #"{"id":"Note/1","folder":"Folder/2"}"#, #"{"id":"Note/2","folder":null}"#, #"{"id":"Note/3","folder":"Folder/2"}"#,
        #"{"id":"Note/9","folder":"Folder/5"}"#,
      ],
    ]),
  RelationshipForm(
    testDescription: "ordered to-many: by Z_FOK, rows without an order last",
    model: ModelFixture([
      .init("Folder", [], [.init("notes", to: "Note", inverse: "folder", many: true, ordered: true)]),
      .init("Note", [], [.init("folder", to: "Folder", inverse: "notes")]),
    ]),
    sql: """
      CREATE TABLE ZFOLDER (\(row)); CREATE TABLE ZNOTE (\(row), ZFOLDER INTEGER, Z_FOK_FOLDER INTEGER);
      INSERT INTO ZFOLDER VALUES (1, 1, 1);
      INSERT INTO ZNOTE VALUES (1, 2, 1, 1, 4096), (2, 2, 1, 1, 1024), (3, 2, 1, 1, NULL), (4, 2, 1, 1, 2048);
      """,
    expected: ["Folder": [#"{"id":"Folder/1","notes":["Note/2","Note/4","Note/1","Note/3"]}"#]]),
  RelationshipForm(
    testDescription: "to-one to one of several kinds, with the kind noted beside it",
    model: ModelFixture([
      .init("Item", abstract: true, [], [.init("tags", to: "Tag", inverse: "item", many: true)]), .init("Book", parent: "Item"),
      .init("Film", parent: "Item"), .init("Tag", [], [.init("item", to: "Item", inverse: "tags")]),
    ]),
    sql: """
      CREATE TABLE ZITEM (\(row)); CREATE TABLE ZTAG (\(row), ZITEM INTEGER, Z1_ITEM INTEGER);
      INSERT INTO ZITEM VALUES (1, 2, 1), (2, 3, 1);
      INSERT INTO ZTAG VALUES (1, 4, 1, 2, 3), (2, 4, 1, 1, 2), (3, 4, 1, 77, 3), (4, 4, 1, 78, NULL), (5, 4, 1, 2, 3);
      """,
    expected: [
      "Book": [#"{"id":"Book/1","tags":["Tag/2"]}"#], "Film": [#"{"id":"Film/2","tags":["Tag/1","Tag/5"]}"#],
      "Tag": [
        #"{"id":"Tag/1","item":"Film/2"}"#, #"{"id":"Tag/2","item":"Book/1"}"#, #"{"id":"Tag/3","item":"Film/77"}"#,
        #"{"id":"Tag/4","item":"Item/78"}"#, #"{"id":"Tag/5","item":"Film/2"}"#,
      ],
    ], omissions: ["Film/77: dangling ×1", "Item/78: dangling ×1"]),
  RelationshipForm(
    testDescription: "one to one",
    model: ModelFixture([
      .init("Chat", [], [.init("extra", to: "Extra", inverse: "chat")]), .init("Extra", [], [.init("chat", to: "Chat", inverse: "extra")]),
    ]),
    sql: """
      CREATE TABLE ZCHAT (\(row), ZEXTRA INTEGER); CREATE TABLE ZEXTRA (\(row), ZCHAT INTEGER);
      INSERT INTO ZCHAT VALUES (1, 1, 1, 4); INSERT INTO ZEXTRA VALUES (4, 2, 1, 1);
      """,
    expected: ["Chat": [#"{"id":"Chat/1","extra":"Extra/4"}"#], "Extra": [#"{"id":"Extra/4","chat":"Chat/1"}"#]]),
  RelationshipForm(
    testDescription: "to itself: parents and children",
    model: ModelFixture([
      .init(
        "Folder", [],
        [.init("parent", to: "Folder", inverse: "children"), .init("children", to: "Folder", inverse: "parent", many: true, ordered: true)])
    ]),
    sql: """
      CREATE TABLE ZFOLDER (\(row), ZPARENT INTEGER, Z_FOK_PARENT INTEGER);
      INSERT INTO ZFOLDER VALUES (1, 1, 1, NULL, NULL), (2, 1, 1, 1, 20), (3, 1, 1, 1, 10), (4, 1, 1, 4, 1);
      """,
    expected: [
      "Folder": [
        #"{"id":"Folder/1","children":["Folder/3","Folder/2"],"parent":null}"#, #"{"id":"Folder/2","children":[],"parent":"Folder/1"}"#,
        #"{"id":"Folder/3","children":[],"parent":"Folder/1"}"#, #"{"id":"Folder/4","children":["Folder/4"],"parent":"Folder/4"}"#,
      ]
    ]),
  RelationshipForm(
    testDescription: "many to many, the table named by the other side, ordered on one",
    model: ModelFixture([
      .init("Book", [], [.init("authors", to: "Person", inverse: "books", many: true, ordered: true)]),
      .init("Person", [], [.init("books", to: "Book", inverse: "authors", many: true)]),
    ]),
    sql: """
      CREATE TABLE ZBOOK (\(row)); CREATE TABLE ZPERSON (\(row));
      CREATE TABLE Z_2BOOKS (Z_2AUTHORS INTEGER, Z_1BOOKS INTEGER, Z_FOK_2AUTHORS INTEGER, PRIMARY KEY (Z_2AUTHORS, Z_1BOOKS));
      INSERT INTO ZBOOK VALUES (1, 1, 1), (3, 1, 1); INSERT INTO ZPERSON VALUES (1, 2, 1), (7, 2, 1);
      INSERT INTO Z_2BOOKS VALUES (1, 1, 1024), (7, 1, 512), (1, 3, 1), (55, 3, 2);
      """,
    expected: [
      "Book": [#"{"id":"Book/1","authors":["Person/7","Person/1"]}"#, #"{"id":"Book/3","authors":["Person/1","Person/55"]}"#],
      "Person": [#"{"id":"Person/1","books":["Book/1","Book/3"]}"#, #"{"id":"Person/7","books":["Book/1"]}"#],
    ], omissions: ["Person/55: dangling ×1"]),
  RelationshipForm(
    testDescription: "many to many within one entity, each way with a name",
    model: ModelFixture([
      .init(
        "User", [],
        [.init("bans", to: "User", inverse: "bansInverse", many: true), .init("bansInverse", to: "User", inverse: "bans", many: true)])
    ]),
    sql: """
      CREATE TABLE ZUSER (\(row)); CREATE TABLE Z_1BANSINVERSE (Z_1BANS INTEGER, Z_1BANSINVERSE INTEGER, PRIMARY KEY (Z_1BANS, Z_1BANSINVERSE));
      INSERT INTO ZUSER VALUES (1, 1, 1), (2, 1, 1); INSERT INTO Z_1BANSINVERSE VALUES (2, 1);
      """,
    // A column holds what the relationship of its name leads to: user 1 bans user 2.
    expected: [
      "User": [#"{"id":"User/1","bans":["User/2"],"bansInverse":[]}"#, #"{"id":"User/2","bans":[],"bansInverse":["User/1"]}"#]
    ]),
  RelationshipForm(
    testDescription: "many to many that is its own inverse",
    model: ModelFixture([.init("User", [], [.init("friends", to: "User", inverse: "friends", many: true)])]),
    sql: """
      CREATE TABLE ZUSER (\(row)); CREATE TABLE Z_1FRIENDS (Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE));
      INSERT INTO ZUSER VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1); INSERT INTO Z_1FRIENDS VALUES (1, 3), (3, 1), (1, 2), (2, 1);
      """,
    expected: [
      "User": [
        #"{"id":"User/1","friends":["User/2","User/3"]}"#, #"{"id":"User/2","friends":["User/1"]}"#,
        #"{"id":"User/3","friends":["User/1"]}"#,
      ]
    ]),
  RelationshipForm(
    testDescription: "to-many without an inverse, of a part of an entity's kinds",
    model: ModelFixture([
      .init("Shelf", [], [.init("marks", to: "Mark", many: true, ordered: true)]), .init("Mark", [.init("text", Kind.string)]),
    ]),
    sql: """
      CREATE TABLE ZSHELF (\(row)); CREATE TABLE ZMARK (\(row), Z1MARKS INTEGER, Z_FOK_1MARKS INTEGER, ZTEXT VARCHAR);
      INSERT INTO ZSHELF VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZMARK VALUES (1, 2, 1, 2, 9, 'b'), (2, 2, 1, 2, 3, 'a'), (3, 2, 1, NULL, NULL, NULL), (4, 2, 1, 8, 1, 'lost');
      """,
    expected: [
      "Shelf": [#"{"id":"Shelf/1","marks":[]}"#, #"{"id":"Shelf/2","marks":["Mark/2","Mark/1"]}"#],
      "Mark": [
        #"{"id":"Mark/1","text":"b"}"#, #"{"id":"Mark/2","text":"a"}"#, #"{"id":"Mark/3","text":null}"#, #"{"id":"Mark/4","text":"lost"}"#,
      ],
    ], omissions: ["Shelf/8: dangling"]),
  RelationshipForm(
    testDescription: "columns of one name in several kinds",
    model: ModelFixture([
      .init("Item", abstract: true, [.init("title", Kind.string)]),
      .init("Book", parent: "Item", [.init("note", Kind.string)], [.init("shelf", to: "Shelf", inverse: "books")]),
      .init("Film", parent: "Item", [.init("note", Kind.string)], [.init("shelf", to: "Shelf", inverse: "films")]),
      .init(
        "Shelf", [],
        [.init("books", to: "Book", inverse: "shelf", many: true), .init("films", to: "Film", inverse: "shelf", many: true, ordered: true)]),
    ]),
    sql: """
      CREATE TABLE ZITEM (\(row), ZSHELF INTEGER, ZSHELF1 INTEGER, Z_FOK_SHELF INTEGER, ZTITLE VARCHAR, ZNOTE VARCHAR, ZNOTE1 VARCHAR);
      CREATE TABLE ZSHELF (\(row)); INSERT INTO ZSHELF VALUES (1, 4, 1);
      INSERT INTO ZITEM VALUES (1, 2, 1, 1, NULL, NULL, 'a', 'b', NULL), (2, 3, 1, NULL, 1, 2, 'c', NULL, 'd'), (3, 3, 1, NULL, 1, 1, 'e', NULL, 'f');
      """,
    expected: [
      "Book": [#"{"id":"Book/1","note":"b","title":"a","shelf":"Shelf/1"}"#],
      "Film": [#"{"id":"Film/2","note":"d","title":"c","shelf":"Shelf/1"}"#, #"{"id":"Film/3","note":"f","title":"e","shelf":"Shelf/1"}"#],
      "Shelf": [#"{"id":"Shelf/1","books":["Book/1"],"films":["Film/3","Film/2"]}"#],
    ]),
]

@Suite struct CoreDataRelationshipTests {
  @Test("each form of relationship leads to where it should", arguments: forms)
  func form(_ form: RelationshipForm) async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData("S.sqlite", form.model, form.sql)
    let exported = try await folder.export("S.sqlite")
    for (name, rows) in form.expected { #expect(exported.lines("records/S/\(name).json") == rows, "\(name)") }
    #expect(exported.omissions == (form.omissions + ["Z_MODELCACHE: derived", "Z_PRIMARYKEY: derived"]).sorted())
    #expect(exported.manifest.outcome == .complete)
    #expect(exported.manifest.sources.map(\.schema) == [.declared])
    let entities = form.model.entities.filter { !$0.isAbstract }.map { "records/S/\($0.name).json" }
    #expect(exported.entries.keys.filter { $0.hasPrefix("records/") }.sorted() == (entities + ["records/S/metadata.json"]).sorted())
  }

  @Test("a record with very many links keeps them all, in order")
  func manyLinks() async throws {
    let folder = try StoreFolder()
    let model = ModelFixture([
      .init("Folder", [.init("name", Kind.string)], [.init("notes", to: "Note", inverse: "folder", many: true)]),
      .init("Note", [], [.init("folder", to: "Folder", inverse: "notes")]),
    ])
    let count = 20_000
    try folder.makeCoreData(
      "S.sqlite", model,
      """
      CREATE TABLE ZFOLDER (\(row), ZNAME VARCHAR); CREATE TABLE ZNOTE (\(row), ZFOLDER INTEGER);
      INSERT INTO ZFOLDER VALUES (1, 1, 1, 'few'), (2, 1, 1, 'many'), (3, 1, 1, 'none'), (4, 1, 1, 'exactly');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 4096)) INSERT INTO ZNOTE SELECT i, 2, 1, iif(i <= 2, 1, iif(i <= \(count), 2, 4)) FROM n;
      """)
    let exported = try await folder.export("S.sqlite")
    func array(_ range: ClosedRange<Int>) -> String { "[" + range.map { "\"Note/\($0)\"" }.joined(separator: ",") + "]" }
    #expect(
      exported.lines("records/S/Folder.json") == [
        #"{"id":"Folder/1","name":"few","notes":\#(array(1...2))}"#, #"{"id":"Folder/2","name":"many","notes":\#(array(3...count))}"#,
        #"{"id":"Folder/3","name":"none","notes":[]}"#, #"{"id":"Folder/4","name":"exactly","notes":\#(array(count + 1...count + 4096))}"#,
      ])
  }

  @Test("more to-one relationships than SQLite joins tables")
  func manyRelationships() async throws {
    let folder = try StoreFolder()
    let count = 130
    let links = (1...count).map { ModelFixture.Link("l\($0)", to: "B") }
    try folder.makeCoreData(
      "S.sqlite", ModelFixture([.init("A", [], links), .init("B")]),
      """
      CREATE TABLE ZA (\(row), \((1...count).map { "ZL\($0) INTEGER" }.joined(separator: ", "))); CREATE TABLE ZB (\(row));
      INSERT INTO ZB VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO ZA VALUES (1, 1, 1, \((1...count).map { "\($0 % 2 + 1)" }.joined(separator: ", ")));
      """)
    let exported = try await folder.export("S.sqlite")
    let pairs = links.map(\.name).sorted().map { "\"\($0)\":\"B/\((Int($0.dropFirst()) ?? 0) % 2 + 1)\"" }
    #expect(exported.lines("records/S/A.json") == ["{\"id\":\"A/1\",\(pairs.joined(separator: ","))}"])
  }
}
