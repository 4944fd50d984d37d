import TestSupport
import Testing

@Suite("The order of rows from PostgreSQL", .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"))
struct RowOrderTests {
  private static let users = """
    CREATE TABLE users (id int PRIMARY KEY, name text, email text); INSERT INTO users VALUES (1, 'Ann', 'a@x');

    """

  private static func ids(_ exported: ExportedDatabase, _ collection: String) -> [String] {
    (exported.lines(collection) ?? []).map { line in String(line.prefix { $0 != "," }.dropFirst(#"{"id":"#.count)) }
  }

  @Test("rows come by their primary key, wherever they lie, also over many batches and with long values between")
  func key() async throws {
    let database = try SharedDatabase(
      Self.users + """
        CREATE TABLE notes (id int PRIMARY KEY, user_id int REFERENCES users, body text);
        INSERT INTO notes SELECT i, 1, CASE WHEN i % 700 < 3 THEN repeat('x', 300000) ELSE 'short' END FROM generate_series(1, 2500) i ORDER BY i * 7919 % 2503;
        """)
    let before = try await database.export("users.id=1")
    #expect(Self.ids(before, "notes") == (1...2500).map(String.init))
    try database.run("UPDATE notes SET body = body WHERE id % 3 = 0")
    let after = try await database.export("users.id=1")
    #expect(before.entries["notes.json"] == after.entries["notes.json"])
  }

  @Test("more rows than are sorted come all the same, each once")
  func many() async throws {
    let database = try SharedDatabase(
      Self.users + """
        CREATE TABLE notes (id int PRIMARY KEY, user_id int REFERENCES users);
        INSERT INTO notes SELECT i, 1 FROM generate_series(1, 200300) i; UPDATE notes SET user_id = 1 WHERE id <= 100;
        """)
    let ids = Self.ids(try await database.export("users.id=1"), "notes")
    let asTheyLie: [String] = Array(101...200_300).map(String.init) + Array(1...100).map(String.init)
    #expect(ids == asTheyLie)
  }

  /// A scan of a whole table that is larger than a quarter of the server's buffers (128 MB by default) begins where the last one was left.
  @Test("rows that the server gives in another order than they lie in come as they lie, each once")
  func elsewhereBegun() async throws {
    let database = try SharedDatabase(
      Self.users + """
        CREATE TABLE notes (id int PRIMARY KEY, user_id int REFERENCES users, body text);
        INSERT INTO notes SELECT i, 1, repeat(i::text, 200 / length(i::text)) FROM generate_series(1, 201000) i;
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_tidscan = off', current_database()); END $$;
        BEGIN; DECLARE half CURSOR FOR SELECT * FROM notes; MOVE 120000 FROM half; COMMIT;
        """)
    try database.run("DO $$ BEGIN IF (SELECT id FROM notes LIMIT 1) = 1 THEN RAISE 'the scan begins at the first row'; END IF; END $$")
    let ids = Self.ids(try await database.export("users.id=1"), "notes")
    #expect(ids == (1...201_000).map(String.init))
  }

  @Test("texts are in the order of their bytes, whatever the collation, and keys of several columns in theirs")
  func texts() async throws {
    let database = try SharedDatabase(
      Self.users + """
        CREATE COLLATION german (provider = icu, locale = 'de-DE'); CREATE DOMAIN code AS text COLLATE german;
        CREATE TABLE notes (id text COLLATE german PRIMARY KEY, user_id int REFERENCES users);
        INSERT INTO notes SELECT v, 1 FROM unnest(ARRAY['ä', 'b', 'A', 'a', 'B', 'z']) v;
        CREATE TABLE parts (id code, number int, user_id int REFERENCES users, PRIMARY KEY (number, id));
        INSERT INTO parts VALUES ('b', 1, 1), ('B', 2, 1), ('a', 2, 1), ('A', 1, 1);
        """)
    let exported = try await database.export("users.id=1")
    #expect(Self.ids(exported, "notes") == ["A", "B", "a", "b", "z", "ä"].map { "\"\($0)\"" })
    #expect(Self.ids(exported, "parts") == ["A", "b", "B", "a"].map { "\"\($0)\"" })
  }

  @Test("partitions are one table; rows of inheriting tables and those without a key are in an order too")
  func parts() async throws {
    let database = try SharedDatabase(
      Self.users + """
        CREATE TABLE notes (id int PRIMARY KEY, user_id int REFERENCES users) PARTITION BY HASH (id);
        CREATE TABLE notes_0 PARTITION OF notes FOR VALUES WITH (MODULUS 2, REMAINDER 0);
        CREATE TABLE notes_1 PARTITION OF notes FOR VALUES WITH (MODULUS 2, REMAINDER 1);
        INSERT INTO notes SELECT i, 1 FROM generate_series(12, 1, -1) i;
        CREATE TABLE visits (id int PRIMARY KEY, user_id int REFERENCES users);
        CREATE TABLE long_visits (FOREIGN KEY (user_id) REFERENCES users) INHERITS (visits);
        INSERT INTO long_visits VALUES (2, 1), (1, 1), (1, 1); INSERT INTO visits VALUES (3, 1), (1, 1);
        CREATE TABLE loose (id int, user_id int REFERENCES users); INSERT INTO loose VALUES (2, 1), (1, 1), (3, 1);
        """)
    let exported = try await database.export("users.id=1")
    #expect(Self.ids(exported, "notes") == (1...12).map(String.init))
    #expect(Self.ids(exported, "visits") == ["1", "1", "1", "2", "3"])
    #expect(Self.ids(exported, "loose") == ["2", "1", "3"])
  }
}
