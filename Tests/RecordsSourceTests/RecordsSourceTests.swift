import AccountExport
import Files
import Foundation
import RecordsSource
import Testing

@Suite struct RecordsSourceTests {
  @Test func writesEveryTable() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "My Notes.sqlite",
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, "$x" REAL, data, size AS (length(title)));
      INSERT INTO note (title, "$x", data) VALUES ('b"\u{1}', 0.1, x'00ff'), (NULL, 1, -0.5), (CAST(x'c328' AS TEXT), 9e999, 9223372036854775807);
      CREATE TABLE pair (a, b, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO pair VALUES (1, 'z'), (2, 'a');
      CREATE TABLE hollow (x); CREATE VIEW seen AS SELECT * FROM note;
      CREATE VIRTUAL TABLE found USING fts5 (body); INSERT INTO found VALUES ('word');
      """)
    let exported = try await folder.export("My Notes.sqlite")
    #expect(
      exported.lines("records/My Notes/note.json") == [
        #"{"id":1,"title":"b\"\u0001","$$x":0.1,"data":{"$base64":"AP8="},"size":3}"#,
        #"{"id":2,"title":null,"$$x":1.0,"data":-0.5,"size":null}"#,
        #"{"id":3,"title":{"$base64":"wyg="},"$$x":{"$number":"Infinity"},"data":9223372036854775807,"size":2}"#,
      ])
    #expect(exported.lines("records/My Notes/pair.json") == [#"{"a":2,"b":"a"}"#, #"{"a":1,"b":"z"}"#])
    #expect(exported.text("records/My Notes/hollow.json") == "[]\n")
    #expect(exported.lines("records/My Notes/found.json") == [#"{"body":"word"}"#])
    #expect(
      exported.omissions == [
        "found_config: derived", "found_content: derived", "found_data: derived", "found_docsize: derived", "found_idx: derived",
        "seen: derived", "sqlite_sequence: derived",
      ])
    #expect(exported.manifest.outcome == .complete)
  }

  @Test func namesWhatCannotBeRead() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "a.db",
      """
      CREATE TABLE good (x); INSERT INTO good VALUES (1); CREATE TABLE lost_content (x); INSERT INTO lost_content VALUES ('kept');
      PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES ('table', 'bad', 'bad', 0, 'CREATE TABLE bad('),
      ('table', 'beyond', 'beyond', 9999, 'CREATE TABLE beyond(x)'), ('table', 'lost', 'lost', 0, 'CREATE VIRTUAL TABLE lost USING nothing(a)');
      """)
    let exported = try await folder.export("a.db")
    #expect(exported.omissions == ["bad: unreadable", "beyond: failed ×0", "lost: unreadable"])
    #expect(exported.lines("records/a/good.json") == [#"{"x":1}"#])
    #expect(exported.lines("records/a/lost_content.json") == [#"{"x":"kept"}"#])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test func refusesAStoreThatIsNone() async throws {
    let folder = try StoreFolder()
    try Data("no database, but text".utf8).write(to: folder.url.appendingPathComponent("a.db"))
    let error = await #expect(throws: ExportError.self) { _ = try await folder.export("a.db") }
    #expect(error?.code == .nothingRead)
  }

  @Test func takesNoBytesForAnEmptyStore() async throws {
    let folder = try StoreFolder()
    try Data().write(to: folder.url.appendingPathComponent("a.db"))
    let exported = try await folder.export("a.db")
    #expect(exported.entries.keys.filter { $0.hasPrefix("records/") } == [])
    #expect(exported.manifest.outcome == .complete)
  }

  /// A key's columns, and those that they refer to, are no secrets for their names.
  @Test func masksByNameButNoKeys() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "a.db",
      """
      CREATE TABLE token (session_token TEXT PRIMARY KEY, api_key BLOB);
      CREATE TABLE use (id INTEGER PRIMARY KEY, Session_Token REFERENCES TOKEN, password);
      INSERT INTO token VALUES ('t1', x'01'); INSERT INTO use VALUES (1, 't1', 5), (2, NULL, NULL), (3, 't1', '');
      CREATE TABLE meta (meta_value, meta_key); INSERT INTO meta VALUES ('shown', 'nickname'), ('hidden', 'session_tokens');
      INSERT INTO meta VALUES (CAST(zeroblob(400000) AS TEXT), 'session_tokens');
      """)
    let exported = try await folder.export("a.db")
    #expect(exported.lines("records/a/token.json") == [#"{"session_token":"t1","api_key":{"$redacted":"secret"}}"#])
    #expect(
      exported.lines("records/a/use.json") == [
        #"{"id":1,"Session_Token":"t1","password":{"$redacted":"secret"}}"#, #"{"id":2,"Session_Token":null,"password":null}"#,
        #"{"id":3,"Session_Token":"t1","password":""}"#,
      ])
    #expect(
      exported.lines("records/a/meta.json") == [
        #"{"meta_value":"shown","meta_key":"nickname"}"#, #"{"meta_value":{"$redacted":"secret"},"meta_key":"session_tokens"}"#,
        #"{"meta_value":{"$redacted":"secret"},"meta_key":"session_tokens"}"#,
      ])
  }

  static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]

  /// Long values: text stays text, in the row; bytes, and text that is no text, get files of their own.
  @Test(arguments: encodings) func writesLongValues(encoding: String) async throws {
    let folder = try StoreFolder()
    let unit = encoding == "UTF-8" ? "'\\xff'" : "''"
    try folder.run(
      "a.db",
      """
      PRAGMA encoding='\(encoding)'; CREATE TABLE t (id INTEGER PRIMARY KEY, v, w); -- \(unit)
      INSERT INTO t VALUES (1, replace(hex(zeroblob(150000)), '0', 'é'), 'after'), (2, zeroblob(4096), 1), (3, zeroblob(4097), 2),
        (4, zeroblob(900000), 3), (5, replace(hex(zeroblob(3000)), '0', 'é'), 4);
      INSERT INTO t VALUES (6, CAST(CAST(replace(hex(zeroblob(2500)), '0', 'é') AS BLOB) || x'FFDC' AS TEXT), 5);
      UPDATE t SET v = CAST(x'\(String(repeating: "dcff", count: 2500))' AS TEXT) WHERE id = 6;
      """)
    let exported = try await folder.export("a.db")
    let rows = try #require(exported.lines("records/a/t.json"))
    #expect(rows.count == 6)
    #expect(rows[0] == #"{"id":1,"v":"\#(String(repeating: "é", count: 300_000))","w":"after"}"#)
    #expect(rows[1].contains(#""$base64""#))
    #expect(rows[2].contains(#"{"$file":"records/a/files/t/1.bin","bytes":4097,"sha256":"#))
    #expect(rows[3].contains(#"{"$file":"records/a/files/t/2.bin","bytes":900000,"sha256":"#))
    #expect(rows[4] == #"{"id":5,"v":"\#(String(repeating: "é", count: 6000))","w":4}"#)
    #expect(exported.entries["records/a/files/t/2.bin"] == [UInt8](repeating: 0, count: 900_000))
    if encoding == "UTF-8" { #expect(rows[5].contains(#""bytes":5000"#) || rows[5].contains(#""bytes":10000"#)) }
    #expect(exported.manifest.outcome == .complete)
  }

  @Test func keepsTheNamesOfTables() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "a.db",
      #"CREATE TABLE "a/b" (x); CREATE TABLE "files" (x); CREATE TABLE "metadata" (x); CREATE TABLE "con" (x); CREATE TABLE "" (""); INSERT INTO "" VALUES (1); CREATE TABLE "$t"(x); INSERT INTO "a/b" VALUES (2)"#
    )
    let exported = try await folder.export("a.db")
    let files = exported.entries.keys.filter { $0.hasPrefix("records/a/") }
    #expect(files.count == 6)
    #expect(exported.manifest.outcome == .complete)
    let package = try #require(exported.text(exported.entries.keys.first { $0.hasSuffix("/datapackage.json") } ?? ""))
    #expect(package.contains(#""title":"a/b""#) || package.contains(#""title": "a/b""#))
  }

  @Test func plansWithoutWriting() async throws {
    let folder = try StoreFolder()
    try folder.run("a.db", "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT 1; CREATE TABLE u (x)")
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    var source = RecordsSource(folder.path("a.db"))
    source.planFolder = folder.path("")
    let plan = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(plan.items == 2 && plan.parts.map(\.name) == ["t", "u", "v"])
    #expect(plan.parts.map(\.items) == [2, 0, nil] && plan.parts[2].leftOut?.name == "derived")
    #expect(try await source.plan(for: DataSubject(), depth: .sizes).copiedBytes == 12288)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == before)
  }
}
