import AccountExport
import Ownership
import PostgresSource
import TestSupport
import Testing

@Suite("One person's records in PostgreSQL", .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"))
struct SubjectTests {
  private static let shop = """
    CREATE SCHEMA billing;
    CREATE TABLE users (id int PRIMARY KEY, name text, email text);
    CREATE TABLE cities (id int PRIMARY KEY, name text);
    CREATE TABLE profiles (user_id int PRIMARY KEY REFERENCES users, city_id int REFERENCES cities);
    CREATE TABLE billing.invoices (id int PRIMARY KEY, user_id int REFERENCES public.users, total numeric);
    CREATE TABLE messages (id int, sent date, sender_id int REFERENCES users, recipient_id int REFERENCES users, PRIMARY KEY (id, sent))
      PARTITION BY RANGE (sent);
    CREATE TABLE messages_old PARTITION OF messages FOR VALUES FROM ('2020-01-01') TO ('2024-01-01');
    CREATE TABLE messages_new PARTITION OF messages FOR VALUES FROM ('2024-01-01') TO ('2030-01-01');
    CREATE TABLE reviews (id int PRIMARY KEY, doctor_id int REFERENCES users, patient_id int REFERENCES users);
    CREATE TABLE visits (id int, user_email text);
    INSERT INTO users VALUES (1, 'Ann', 'a@x'), (2, 'Bob', 'b@x');
    INSERT INTO cities VALUES (1, 'Lima'), (2, 'Oslo');
    INSERT INTO profiles VALUES (1, 2), (2, 1);
    INSERT INTO billing.invoices VALUES (1, 1, 9.90), (2, 2, 1), (3, 1, 0.00);
    INSERT INTO messages VALUES (1, '2021-01-01', 1, 2), (2, '2025-01-01', 1, 2), (3, '2025-01-01', 2, 1), (4, '2025-01-01', 2, 2);
    INSERT INTO reviews VALUES (1, 1, 2), (2, 2, 2);
    """

  @Test("the walk: own rows, parties, lookups, partitions, schemas, what is undecided and unclaimed")
  func walk() async throws {
    let exported = try await SharedDatabase(Self.shop).export("users.id=1")
    #expect(exported.collections == ["billing.invoices", "lookups/cities", "messages", "profiles", "users"])
    #expect(exported.lines("users") == [#"{"id":1,"name":"Ann","email":"a@x"}"#])
    #expect(exported.lines("profiles") == [#"{"user_id":1,"city_id":2}"#])
    #expect(exported.lines("lookups/cities") == [#"{"id":2,"name":"Oslo"}"#])
    #expect(exported.lines("billing.invoices") == [#"{"id":1,"user_id":1,"total":9.90}"#, #"{"id":3,"user_id":1,"total":0.00}"#])
    #expect(
      exported.lines("messages")?.sorted() == [
        #"{"id":1,"sent":"2021-01-01","sender_id":1,"recipient_id":2}"#, #"{"id":2,"sent":"2025-01-01","sender_id":1,"recipient_id":2}"#,
        #"{"id":3,"sent":"2025-01-01","sender_id":2,"recipient_id":1}"#,
      ])
    #expect(exported.omissions == ["reviews: undecided ×1", "visits: unclaimed"])
  }

  @Test("a person is named by one row", arguments: ["users.id=3", "users.name=Ann", "users.id=x", "users.nothing=1", "nothing.id=1"])
  func subjects(subject: String) async throws {
    let database = try SharedDatabase(Self.shop + "INSERT INTO users VALUES (4, 'Ann', 'c@x')")
    let error = await #expect(throws: ExportError.self) { try await database.export(subject) }
    #expect(error?.code == .nothingRead)
    // The value may be a person's address: it stands in no message.
    let planning = await #expect(throws: ExportError.self) { try await database.source(subject).plan(for: DataSubject(), depth: .counts) }
    #expect(planning?.code == .badInput && planning.map { "\($0)".contains("Ann") } == false)
  }

  /// A cast to `character` keeps one letter, one to a domain rounds: both would name somebody else.
  @Test(
    "the row has the value as it was given, whatever a cast makes of it",
    arguments: [
      ("char(5)", "ABC", "A"), ("bpchar", "ABC", "A"), ("\"char\"", "A", "B"), ("bit(3)", "101", "111"), ("varchar(3)", "ABC", "A"),
      ("rounded", "1.0", "2.0"), ("name", "ABC", "A"), ("int", "42", "4"),
      ("uuid", "3e8f0b3a-0000-4000-8000-000000000001", "3e8f0b3a-0000-4000-8000-000000000002"),
    ])
  func exactValues(type: String, own: String, other: String) async throws {
    let database = try SharedDatabase(
      """
      CREATE DOMAIN rounded AS numeric(6,1);
      CREATE TABLE accounts (code \(type) PRIMARY KEY, name text, email text);
      CREATE TABLE posts (id int PRIMARY KEY, account_code \(type) REFERENCES accounts, t text);
      INSERT INTO accounts VALUES ('\(own)', 'Ann', 'a'), ('\(other)', 'Bob', 'b');
      INSERT INTO posts VALUES (1, '\(own)', 'of Ann'), (2, '\(other)', 'of Bob');
      """)
    let exported = try await database.export("accounts.code=\(own)")
    #expect(exported.lines("accounts")?.count == 1 && exported.lines("accounts")?[0].contains("Ann") == true)
    #expect(exported.lines("posts")?.count == 1 && exported.lines("posts")?[0].contains("of Ann") == true)
    await #expect(throws: ExportError.self) { try await database.export("accounts.code=\(own)\(own)") }
    await #expect(throws: ExportError.self) { try await database.export("accounts.code=\(own)4") }
  }

  @Test("the schema that needs no naming may be named", arguments: ["public.users.id=1", "users.id=1", "Users.id=1"])
  func usualSchema(subject: String) async throws {
    #expect(try await SharedDatabase(Self.shop).export(subject).lines("users")?.count == 1)
  }

  @Test("without a person a shared database is refused")
  func refused() {
    let error = #expect(throws: ExportError.self) { _ = try PostgresSource("postgres://h/shop", subject: SubjectSelection(starts: [])) }
    #expect(error?.code == .badInput && error?.hint == "name the person's row: --subject users.id=42")
  }

  @Test("what the role may not read is named, and nothing is filtered silently")
  func unreadable() async throws {
    let role = "reader\(UInt32.random(in: .min ... .max))"
    let database = try SharedDatabase(
      Self.shop + """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA billing TO \(role); GRANT SELECT ON users, cities, profiles, messages, reviews TO \(role);
        ALTER TABLE profiles ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON profiles USING (city_id = 1)
        """)
    let exported = try await database.export("users.id=1", role: role)
    #expect(exported.omissions == ["billing.invoices: unreadable", "profiles: unreadable", "reviews: undecided ×1", "visits: unclaimed"])
    // Partitions are read by the right to their table.
    #expect(exported.lines("messages")?.count == 3)
  }

  @Test("composite keys, keys of a partition, inherited rows, names that need quotes, texts that compare without case")
  func keys() async throws {
    let database = try SharedDatabase(
      """
      CREATE TABLE "Us""ers" ("Id" text, region int, name text, email text, PRIMARY KEY (region, "Id"));
      CREATE TABLE posts (id int, uid text, region int) PARTITION BY LIST (region);
      CREATE TABLE posts_1 PARTITION OF posts FOR VALUES IN (1); CREATE TABLE posts_2 PARTITION OF posts FOR VALUES IN (2);
      ALTER TABLE posts_1 ADD FOREIGN KEY (uid, region) REFERENCES "Us""ers" ("Id", region);
      CREATE TABLE notes (id int PRIMARY KEY, region int, uid text, FOREIGN KEY (region, uid) REFERENCES "Us""ers");
      CREATE TABLE long_notes (extra text) INHERITS (notes);
      INSERT INTO "Us""ers" VALUES ('a', 1, 'A', 'a@x'), ('b', 1, 'B', 'b@x'), ('a', 2, 'C', 'c@x');
      INSERT INTO posts VALUES (1, 'a', 1), (2, 'b', 1); INSERT INTO notes VALUES (1, 1, 'a'), (2, 2, 'a'); INSERT INTO long_notes VALUES (3, 1, 'a', 'x');
      """)
    let exported = try await database.export(#"Us"ers.name=A"#)
    #expect(exported.lines("posts") == [#"{"id":1,"uid":"a","region":1}"#])
    #expect(exported.lines("notes") == [#"{"id":1,"region":1,"uid":"a"}"#, #"{"id":3,"region":1,"uid":"a"}"#])
    // The column that the inheriting table adds is not inside.
    #expect(exported.omissions == ["long_notes: unclaimed"])
  }

  @Test("references that the configuration names: polymorphic ones, elements of arrays, places in JSON")
  func configured() async throws {
    let database = try SharedDatabase(
      """
      CREATE TABLE users (id int PRIMARY KEY, name text, email text);
      CREATE TABLE notes (id int, owner_type text, owner_ref text); CREATE TABLE groups (id int, members int[]); CREATE TABLE events (id int, data jsonb);
      INSERT INTO users VALUES (1, 'A', 'a@x'), (2, 'B', 'b@x'); INSERT INTO notes VALUES (1, 'User', '1'), (2, 'Team', '1'), (3, 'User', '2');
      INSERT INTO groups VALUES (1, '{2,1}'), (2, '{2}'), (3, NULL); INSERT INTO events VALUES (1, '{"actor": {"id": 1}}'), (2, '{"actor": {"id": 2}}'), (3, '{}');
      """)
    var subject = SubjectSelection(starts: [try StartingRow(parsing: "users.id=1")])
    subject.references = [
      .init(from: ["notes.owner_ref"], to: ["users.id"], condition: .init(column: "notes.owner_type", value: "User"), role: .owner),
      .init(from: ["groups.members"], to: ["users.id"], access: .arrayElements, role: .owner),
      .init(from: ["events.data"], to: ["users.id"], access: .jsonPath("$.actor.id"), role: .owner),
    ]
    let source = try database.source(subject)
    let plan = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(plan.parts.map { "\($0.name) \($0.items ?? -1)" }.sorted() == ["events 1", "groups 1", "notes 1", "users 1"])
  }

  @Test("blanks that fill up a key are no part of it", arguments: ["char(5)", "bpchar", "padded"])
  func paddedKeys(type: String) async throws {
    let database = try SharedDatabase(
      """
      CREATE DOMAIN padded AS char(5);
      CREATE TABLE users (code \(type) PRIMARY KEY, name text, email text); INSERT INTO users VALUES ('AB', 'A', 'a@x'), ('A', 'B', 'b@x');
      CREATE TABLE notes (id int, owner text); INSERT INTO notes VALUES (1, 'AB'), (2, 'A');
      CREATE TABLE groups (id int, members text[]); INSERT INTO groups VALUES (1, '{A,AB}'), (2, '{A}');
      CREATE TABLE events (id int, data jsonb); INSERT INTO events VALUES (1, '{"by": "AB"}'), (2, '{"by": "A"}');
      """)
    var subject = SubjectSelection(starts: [try StartingRow(parsing: "users.code=AB")])
    subject.references = [
      .init(from: ["notes.owner"], to: ["users.code"], role: .owner),
      .init(from: ["groups.members"], to: ["users.code"], access: .arrayElements, role: .owner),
      .init(from: ["events.data"], to: ["users.code"], access: .jsonPath("$.by"), role: .owner),
    ]
    let plan = try await database.source(subject).plan(for: DataSubject(), depth: .counts)
    #expect(plan.parts.map { "\($0.name) \($0.items ?? -1)" }.sorted() == ["events 1", "groups 1", "notes 1", "users 1"])
  }

  @Test("the same database gives the same bytes, and a walk of more rows than one question holds is whole")
  func many() async throws {
    let database = try SharedDatabase(
      """
      CREATE TABLE users (id int PRIMARY KEY, name text, email text); CREATE TABLE posts (id int PRIMARY KEY, user_id int REFERENCES users, body text);
      CREATE TABLE parts (id int PRIMARY KEY, post_id int REFERENCES posts); CREATE INDEX ON posts (user_id); CREATE INDEX ON parts (post_id);
      INSERT INTO users SELECT i, 'n', 'e' || i FROM generate_series(1, 100) i;
      INSERT INTO posts SELECT i, i % 10 + 1, 'b' || i FROM generate_series(1, 20000) i; INSERT INTO parts SELECT i, i FROM generate_series(1, 20000) i;
      """)
    let (one, two) = (try await database.export("users.id=3"), try await database.export("users.id=3"))
    #expect(one.lines("posts")?.count == 2000 && one.lines("parts")?.count == 2000)
    #expect(one.entries == two.entries)
  }
}
