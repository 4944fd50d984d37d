import AccountExport
import Foundation
import TestSupport
import Testing

private let row = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

/// Stores of a few thousand rows: what comes out is counted against SQL that was written by hand for their tables.
@Suite struct CoreDataCountTests {
  private let library = ModelFixture([
    .init(
      "Item", abstract: true, [.init("title", Kind.string), .init("added", Kind.date)], [.init("shelf", to: "Shelf", inverse: "items")]),
    .init(
      "Book", parent: "Item", [.init("pages", Kind.int16)], [.init("authors", to: "Person", inverse: "books", many: true, ordered: true)]),
    .init("Film", parent: "Item", [.init("minutes", Kind.int16), .init("seen", Kind.boolean)]),
    .init("Person", [.init("name", Kind.string)], [.init("books", to: "Book", inverse: "authors", many: true)]),
    .init(
      "Shelf", [.init("label", Kind.string)],
      [.init("items", to: "Item", inverse: "shelf", many: true, ordered: true), .init("marks", to: "Mark", many: true)]), .init("Mark"),
  ])

  private func tables(_ seed: Int) -> String {
    """
    CREATE TABLE ZITEM (\(row), ZPAGES INTEGER, ZMINUTES INTEGER, ZSEEN INTEGER, ZSHELF INTEGER, Z_FOK_SHELF INTEGER, ZADDED TIMESTAMP, ZTITLE VARCHAR);
    CREATE TABLE ZPERSON (\(row), ZNAME VARCHAR); CREATE TABLE ZSHELF (\(row), ZLABEL VARCHAR); CREATE TABLE ZMARK (\(row), Z5MARKS INTEGER);
    CREATE TABLE Z_2AUTHORS (Z_2BOOKS INTEGER, Z_4AUTHORS INTEGER, Z_FOK_4AUTHORS INTEGER, PRIMARY KEY (Z_2BOOKS, Z_4AUTHORS));
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO ZITEM SELECT i * 3, 2 + (i * \(seed)) % 7 % 2, 1, iif(i % 3, i, NULL), iif(i % 4, i, NULL), i % 2, iif(i % 5, 1 + (i * \(seed)) % 41, NULL),
        (i * 7919) % 1000, iif(i % 6, i / 8.0, NULL), iif(i % 7, 'title ' || i, NULL) FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO ZPERSON SELECT i, 4, 1, iif(i % 3, 'p' || i, NULL) FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO ZSHELF SELECT i, 5, 1, 'shelf' FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO ZMARK SELECT i, 6, 1, iif(i % 3, 1 + i % 40, NULL) FROM n;
    INSERT OR IGNORE INTO Z_2AUTHORS SELECT Z_PK, 1 + (Z_PK * k.i * \(seed)) % 200, (Z_PK * k.i) % 97 FROM ZITEM, (SELECT 1 AS i UNION SELECT 3 UNION SELECT 5) AS k WHERE Z_ENT = 2;
    """
  }

  private func objects(_ exported: ExportedStore, _ entity: String) throws -> [[String: Any]] {
    let bytes = try #require(exported.entries["records/S/\(entity).json"])
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
  }

  @Test("rows, values that aren't null, and links are as many as SQL counts", arguments: [11, 12, 13])
  func counts(_ seed: Int) async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData("S.sqlite", library, tables(seed))
    let exported = try await folder.export("S.sqlite")
    let database = try folder.connection("S.sqlite")
    func one(_ sql: String) throws -> String { try database.lines(sql).first ?? "" }
    let tables = ["Book": ("ZITEM", 2), "Film": ("ZITEM", 3), "Person": ("ZPERSON", 4), "Shelf": ("ZSHELF", 5), "Mark": ("ZMARK", 6)]
    for (entity, (table, number)) in tables {
      let rows = try objects(exported, entity)
      #expect("\(rows.count)" == (try one("SELECT count(*) FROM \(table) WHERE Z_ENT = \(number)")))
      for key in rows.first?.keys.sorted() ?? []
      where ["title", "added", "pages", "minutes", "seen", "name", "label", "shelf"].contains(key) {
        let found = rows.count { !($0[key] is NSNull) }
        #expect(
          "\(found)" == (try one("SELECT count(Z\(key.uppercased())) FROM \(table) WHERE Z_ENT = \(number)")), "\(entity).\(key)"
        )
      }
    }
    func links(_ entity: String, _ key: String) throws -> [String] {
      try objects(exported, entity).flatMap { row in (row[key] as? [String] ?? []).map { "\(row["id"] ?? "")|\($0)" } }
    }
    #expect(
      try links("Shelf", "items")
        == database.lines(
          "SELECT 'Shelf/' || s.Z_PK, iif(i.Z_ENT = 2, 'Book/', 'Film/') || i.Z_PK FROM ZSHELF s JOIN ZITEM i ON i.ZSHELF = s.Z_PK ORDER BY s.Z_PK, i.Z_FOK_SHELF, i.Z_PK"
        ))
    #expect(
      try links("Shelf", "marks")
        == database.lines("SELECT 'Shelf/' || Z5MARKS, 'Mark/' || Z_PK FROM ZMARK WHERE Z5MARKS IS NOT NULL ORDER BY Z5MARKS, Z_PK"))
    #expect(
      try links("Book", "authors")
        == database.lines(
          "SELECT 'Book/' || Z_2BOOKS, 'Person/' || Z_4AUTHORS FROM Z_2AUTHORS ORDER BY Z_2BOOKS, Z_FOK_4AUTHORS, Z_4AUTHORS"))
    #expect(
      try links("Person", "books")
        == database.lines("SELECT 'Person/' || Z_4AUTHORS, 'Book/' || Z_2BOOKS FROM Z_2AUTHORS ORDER BY Z_4AUTHORS, Z_2BOOKS"))
    // Books and films name their missing shelf for themselves.
    let dangling = exported.manifest.omissions.filter { $0.reason == .dangling }
    #expect(dangling.allSatisfy { $0.path == "Shelf/41" })
    #expect("\(dangling.reduce(0) { $0 + ($1.count ?? 0) })" == (try one("SELECT count(*) FROM ZITEM WHERE ZSHELF = 41")))
  }
}
