import AccountExport
import Foundation
import Ownership
import RecordsSource
import Testing

@Suite("One person's rows of a shared store")
struct SubjectTests {
  static let shop = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE, password TEXT, town TEXT REFERENCES towns);
    CREATE TABLE towns (code TEXT PRIMARY KEY, title TEXT) WITHOUT ROWID;
    CREATE TABLE orders (nr INTEGER, year INTEGER, user_id INTEGER REFERENCES users, handled_by INTEGER REFERENCES users, PRIMARY KEY (year, nr)) WITHOUT ROWID;
    CREATE TABLE lines (id INTEGER PRIMARY KEY, year INTEGER, nr INTEGER, note BLOB, FOREIGN KEY (year, nr) REFERENCES orders (year, nr));
    CREATE TABLE letters (id INTEGER PRIMARY KEY, sender_id INTEGER REFERENCES users, recipient_id INTEGER REFERENCES users);
    CREATE TABLE follows (user_id INTEGER REFERENCES users, target_user_id INTEGER REFERENCES users);
    CREATE TABLE visits (id INTEGER PRIMARY KEY, user_id INTEGER);
    CREATE VIEW everyone AS SELECT * FROM users;
    INSERT INTO towns VALUES ('TKU', 'Turku'), ('LUN', 'Lund');
    INSERT INTO users VALUES (1, 'Ann', 'a@example.org', 'pw', 'TKU'), (2, 'Bob', 'b@example.org', NULL, 'LUN');
    INSERT INTO orders VALUES (2, 2020, 1, 2), (1, 2021, 1, NULL), (3, 2020, 2, 1), (9, 2022, NULL, NULL);
    INSERT INTO lines VALUES (1, 2020, 2, 'a'), (2, 2020, 3, 'b'), (3, 2021, 1, zeroblob(5000)), (4, NULL, 1, NULL);
    INSERT INTO letters VALUES (1, 1, 2), (2, 2, 1), (3, 2, 2);
    INSERT INTO follows VALUES (1, 2), (2, 1), (2, 2);
    """

  private func selection(_ subjects: String...) throws -> SubjectSelection {
    SubjectSelection(starts: try subjects.map(StartingRow.init(parsing:)))
  }

  @Test("records, lookups, what is left out and why")
  func bundle() async throws {
    let folder = try StoreFolder()
    try folder.run("shop.db", Self.shop)
    let exported = try await folder.export("shop.db", of: selection("users.id=1"))
    let records: (String) -> [String]? = { exported.lines("records/shop/\($0).json") }
    #expect(
      records("users") == [
        #"{"id":1,"name":"Ann","email":"a@example.org","password":{"$redacted":"secret"},"town":"TKU"}"#
      ])
    #expect(records("lookups/towns") == [#"{"code":"TKU","title":"Turku"}"#])
    #expect(
      records("orders") == [
        #"{"nr":2,"year":2020,"user_id":1,"handled_by":2}"#, #"{"nr":1,"year":2021,"user_id":1,"handled_by":null}"#,
      ])
    #expect(records("lines")?.count == 2)
    #expect(records("letters") == [#"{"id":1,"sender_id":1,"recipient_id":2}"#, #"{"id":2,"sender_id":2,"recipient_id":1}"#])
    #expect(records("follows") == [#"{"user_id":1,"target_user_id":2}"#])
    #expect(exported.omissions == ["follows: undecided ×1", "visits: unclaimed"])
    #expect(exported.entries.keys.filter { $0.hasPrefix("records/") && $0.hasSuffix(".json") }.count == 6)
    #expect(exported.entries.keys.contains { $0.hasPrefix("records/shop/files/") })
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("a damaged index may hide rows: its table is named")
  func damagedIndex() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "shop.db",
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY); CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users);
      CREATE INDEX orders_of ON orders (user_id); CREATE TABLE empty (x UNIQUE);
      INSERT INTO users VALUES (1), (2); INSERT INTO orders VALUES (1, 1), (2, 1);
      PRAGMA writable_schema=ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_empty_1') WHERE name = 'orders_of';
      """)
    let exported = try await folder.export("shop.db", of: selection("users.id=1"))
    #expect(exported.lines("records/shop/users.json") == [#"{"id":1}"#])
    #expect(exported.omissions == ["orders: unreadable"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("references stand in the schema where all that they lead to is inside")
  func references() async throws {
    let folder = try StoreFolder()
    try folder.run("shop.db", Self.shop)
    let exported = try await folder.export("shop.db", of: selection("users.email=a@example.org"))
    let package = try #require(exported.entries.first { $0.key.hasSuffix("datapackage.json") }).value
    let text = String(decoding: package, as: UTF8.self).filter { $0 != " " && $0 != "\n" }
    #expect(
      text.contains(#""foreignKeys":[{"fields":["year","nr"],"reference":{"resource":"records/shop/orders","fields":["year","nr"]}}]"#))
    let checked = try #require(text.range(of: #""accountExport":"#))
    #expect(text[checked.upperBound...].contains(#""fields":["handled_by"]"#), "Bob isn't inside")
    #expect(!text[..<checked.lowerBound].contains(#""fields":["handled_by"]"#))
  }

  @Test("several rows are one person")
  func several() async throws {
    let folder = try StoreFolder()
    try folder.run("shop.db", Self.shop)
    let exported = try await folder.export("shop.db", of: selection("users.id=1", "users.name=Bob"))
    #expect(exported.lines("records/shop/users.json")?.count == 2)
    #expect(exported.lines("records/shop/letters.json")?.count == 3)
    #expect(exported.lines("records/shop/lookups/towns.json")?.count == 2)
  }

  @Test(
    "a subject that isn't exactly one row is refused",
    arguments: [
      ("users.id=3", "the subject names no row of users.id"), ("orders.year=2020", "the subject names several rows of orders.year"),
      ("people.id=1", "there is no table people"), ("users.nr=1", "the table users has no column nr"),
      ("everyone.id=1", "there is no table everyone"),
    ])
  func refusals(subject: String, message: String) async throws {
    let folder = try StoreFolder()
    try folder.run("shop.db", Self.shop)
    let selection = try selection(subject)
    let error = try await #require(throws: ExportError.self) { try await folder.export("shop.db", of: selection) }
    #expect(error.code == .nothingRead || error.code == .badInput)
    #expect(String(describing: error).contains(message))
  }

  @Test("a configuration's references, roles and exclusions")
  func configuration() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "s.db",
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT); INSERT INTO users VALUES (1, 'a@x'), (2, 'b@x');
      CREATE TABLE notes (id INTEGER PRIMARY KEY, owner_type TEXT, owner_id INTEGER, readers TEXT);
      INSERT INTO notes VALUES (1, 'User', 1, '[2]'), (2, 'Team', 1, '[1]'), (3, 'User', 2, '[2,1]'), (4, 'User', 2, NULL);
      CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO events VALUES (1, '{"by": {"id": 1}}'), (2, '{"by": {"id": 2}}');
      CREATE TABLE sent (id INTEGER PRIMARY KEY, a INTEGER REFERENCES users, b INTEGER REFERENCES users); INSERT INTO sent VALUES (1, 1, 2), (2, 2, 1);
      CREATE TABLE news (email TEXT);
      """)
    var selection = try selection("users.id=1")
    selection.references = [
      ConfiguredReference(
        from: ["notes.owner_id"], to: ["users.id"], condition: .init(column: "notes.owner_type", value: "User"), role: .owner),
      ConfiguredReference(from: ["notes.readers"], to: ["users.id"], access: .arrayElements, role: .party),
      ConfiguredReference(from: ["events.body"], to: ["users.id"], access: .jsonPath("$.by.id"), role: .owner),
    ]
    selection.roles = [.init(columns: ["sent.a"], role: .owner), .init(columns: ["sent.b"], role: .party)]
    selection.exclusions = ["news": "addresses of all who asked"]
    let exported = try await folder.export("s.db", of: selection)
    let ids = { (name: String) in exported.lines("records/s/\(name).json")?.map { String($0.prefix(while: { $0 != "," })) } }
    #expect(ids("notes") == ["{\"id\":1", "{\"id\":2", "{\"id\":3"])
    #expect(ids("events") == ["{\"id\":1"])
    #expect(ids("sent") == ["{\"id\":1", "{\"id\":2"])
    #expect(exported.omissions == ["news: excluded"])
    #expect(exported.manifest.outcome == .complete)
  }

  @Test("the plan tells the walk, and counts what an export writes")
  func plan() async throws {
    let folder = try StoreFolder()
    try folder.run("shop.db", Self.shop)
    var source = RecordsSource(folder.path("shop.db"))
    source.planFolder = folder.path("")
    source.subject = try selection("users.id=1")
    let plan = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(
      plan.parts.map { "\($0.name) \($0.items ?? -1) \($0.leftOut?.name ?? "")" } == [
        "follows 1 ", "letters 2 ", "lines 2 ", "orders 2 ", "users 1 ", "lookups/towns 1 ", "follows 1 undecided", "visits -1 unclaimed",
      ])
    let walk = try #require(try await source.walk())
    #expect(walk.plan.text(counts: walk).hasPrefix("users [1]  the subject\n"))
    #expect(!walk.isComplete)
    source.subject = nil
    #expect(try await source.walk() == nil)
  }

  @Test("a table that can't be described is missing, whoever's it is")
  func hiddenNumbers() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "s.db",
      "CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT); INSERT INTO users VALUES (1, 'a'); CREATE TABLE odd (rowid, _rowid_, oid);")
    let exported = try await folder.export("s.db", of: selection("users.id=1"))
    #expect(exported.omissions == ["odd: unreadable"])
  }
}
