import PostgresReading
import Synchronization
import TestSupport
import Testing

@Suite("Reading PostgreSQL", .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"))
struct PostgresReadingTests {
  @Test("one snapshot, in which nothing can be written and values print one way")
  func snapshot() throws {
    let database = try TestDatabase("CREATE TABLE t (id int); INSERT INTO t VALUES (1)")
    let connection = try database.reading()
    #expect(try connection.column("SELECT count(*) FROM public.t") == ["1"])
    try TestDatabase.connect(database.name).execute("INSERT INTO t VALUES (2)")
    #expect(try connection.column("SELECT count(*) FROM public.t") == ["1"])
    #expect(
      try connection.column(
        "SELECT current_setting(name) FROM unnest($1::text[]) name",
        [
          PostgresSyntax.array([
            "timezone", "datestyle", "row_security", "search_path", "intervalstyle", "bytea_output", "transaction_isolation",
          ])
        ])
        == ["UTC", "ISO, YMD", "off", "\"\"", "postgres", "hex", "repeatable read"])
    let error = #expect(throws: PostgresError.self) { try connection.execute("INSERT INTO public.t VALUES (3)") }
    #expect(error?.state?.code == "25006")
  }

  @Test("rows stream, nulls and zero bytes are told apart, and one that throws leaves the transaction usable")
  func streams() throws {
    let connection = try TestDatabase().reading()
    var sum = 0
    try connection.forEachRow("SELECT i, NULL, '' FROM generate_series(1, 100000) i") { row in
      sum += row.integer(0) ?? 0
      #expect(row.value(1) == nil)
      #expect(row.value(2)?.count == 0)
    }
    #expect(sum == 5_000_050_000)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try connection.forEachRow("SELECT i FROM generate_series(1, 100000) i") { if $0.integer(0) == 3 { throw Stop() } }
    }
    #expect(try connection.column("SELECT 1") == ["1"])
    try connection.begin("SELECT convert_to('aé', 'UTF8')", format: .binary)
    #expect(try connection.nextValue() == [0x61, 0xC3, 0xA9])
    try connection.passOver()
  }

  @Test("what an attempt has begun is gone whatever ends it, cursors too, and the transaction goes on")
  func attempts() throws {
    let connection = try TestDatabase().reading()
    struct Stop: Error {}
    let declaration = "DECLARE c NO SCROLL CURSOR FOR SELECT i FROM generate_series(1, 5000) i"
    for _ in 0..<2 {
      #expect(throws: Stop.self) {
        try connection.attempt {
          try connection.execute(declaration)
          try connection.forEachRow("FETCH 1000 FROM c") { if $0.integer(0) == 700 { throw Stop() } }
        }
      }
      #expect(throws: PostgresError.self) {
        try connection.attempt {
          try connection.execute(declaration)
          try connection.execute("SELECT 1 / 0")
        }
      }
    }
    #expect(try connection.column("SELECT 1") == ["1"])
  }

  @Test(
    "a password that isn't escaped is taken for nothing else, and stands in no message",
    arguments: [
      "postgres://ann:WRONG@SECRET@127.0.0.1:1/db", "postgres://ann:SECRET/x@127.0.0.1:1/db", "POSTGRES://ann:SECRET@127.0.0.1:1/db",
      "postgresql://ann:SECRET@WORD@[::1]:1/db", "postgres://ann:SE:CRET/@127.0.0.1/db", "postgres://ann:x@127.0.0.1:SECRET/db",
    ])
  func oddPasswords(url: String) throws {
    #expect(PostgresTarget.isURL(url))
    let error = #expect(throws: PostgresError.self) { _ = try PostgresConnection.open(PostgresTarget(url)) }
    #expect(error.map { "\($0)".contains("SECRET") || "\($0)".contains("WORD") } == false)
  }

  @Test("what fails is told by its state, never by what is in a row")
  func errors() throws {
    let database = try TestDatabase("CREATE TABLE t (v text); INSERT INTO t VALUES ('hunter2')")
    let connection = try database.reading()
    let error = #expect(throws: PostgresError.self) {
      try connection.attempt { try connection.column("SELECT v::int FROM public.t WHERE v = $1", ["hunter2"]) }
    }
    #expect(error?.state?.code == "22P02")
    #expect(error.map { "\($0)".contains("hunter2") } == false)
    // The transaction goes on, since the statement was only tried.
    #expect(try connection.column("SELECT v FROM public.t") == ["hunter2"])
    let missing = #expect(throws: PostgresError.self) { try connection.column("SELECT 1 FROM public.nothing") }
    #expect(missing.map { "\($0)" } == "read: relation \"public.nothing\" does not exist (42P01)")
    #expect(throws: PostgresError.self) { try TestDatabase().reading().column("SELECT $1::text", ["a\0b"]) }
  }

  @Test("a policy is an error, never a filtered answer")
  func policies() throws {
    let role = "limited\(UInt32.random(in: .min ... .max))"
    let database = try TestDatabase(
      """
      CREATE TABLE t (owner text); INSERT INTO t VALUES ('a'), ('b'); ALTER TABLE t ENABLE ROW LEVEL SECURITY;
      CREATE POLICY p ON t USING (owner = 'a'); CREATE ROLE \(role) LOGIN; GRANT SELECT ON t TO \(role)
      """)
    let connection = try database.reading(role: role)
    let error = #expect(throws: PostgresError.self) { try connection.column("SELECT owner FROM public.t") }
    #expect(error?.state == .insufficientPrivilege)
  }

  @Test("a statement is cancelled in the server")
  func cancels() throws {
    let target = try PostgresTarget(PostgresServer.shared().url("postgres"))
    let shared = Counter()
    let connection = try PostgresConnection.open(target) { shared.next() > 2 }
    #expect(throws: CancellationError.self) { try connection.forEachRow("SELECT pg_sleep(3600)") { _ in } }
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
  }

  @Test(
    "a password stands in no error and no description",
    arguments: ["postgres://ann:p%zzword@/x", "postgres://ann:hush%2Fhush@127.0.0.1:1/x"])
  func passwords(url: String) throws {
    let error = #expect(throws: PostgresError.self) { _ = try PostgresConnection.open(try PostgresTarget(url)) }
    let text = error.map { "\($0)" } ?? "word hush"
    #expect(!text.contains("word@") && !text.contains("zz") && !text.contains("hush"))
    if !url.contains("zz") {
      let target = try PostgresTarget(url)
      var dumped = ""
      dump(target, to: &dumped)
      #expect(!dumped.contains("hush") && "\(target)" == "the database x on 127.0.0.1")
    }
  }

  @Test("names and arrays are quoted", arguments: ["plain", "a\"b", "a\\b", "a,b{c}", "", "NULL", "ä 😀"])
  func quoting(text: String) throws {
    let connection = try TestDatabase().reading()
    #expect(try connection.column("SELECT unnest($1::text[])", [PostgresSyntax.array([text, nil])]) == [text, nil])
    if !text.isEmpty {
      #expect(try connection.column("SELECT \(PostgresSyntax.quoted(text)) FROM (SELECT 7) t(\(PostgresSyntax.quoted(text)))") == ["7"])
    }
  }

  @Test("a database without encoding gives its bytes")
  func anyBytes() throws {
    let database = try TestDatabase(options: "TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'")
    let connection = try database.reading()
    try connection.begin("SELECT convert_from('\\xff61'::bytea, 'SQL_ASCII')")
    #expect(try connection.nextValue() == [0xFF, 0x61])
    try connection.passOver()
  }
}

extension PostgresConnection {
  /// The first value of the next row, copied while the row is there.
  fileprivate func nextValue() throws -> [UInt8]? {
    guard let row = try next() else { return nil }
    return row.value(0).map { Array($0) }
  }
}
