import AccountExport
import Testing

/// What the schema of a store tells of its secrets.
@Suite struct MaskingTests {
  @Test func generatedColumnsThatCopySecrets() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "a.db",
      """
      CREATE TABLE users (
        "upper, (x)" TEXT GENERATED ALWAYS AS (upper("password")) VIRTUAL, id INTEGER PRIMARY KEY, password TEXT CHECK (length(password) > 0),
        doc TEXT, -- , api_key AS (password)
        login AS (json_extract(doc, '$.login')), api AS (json_extract(doc, '$.api_key')) STORED, [len] INT AS (length(login)), last AS (api));
      INSERT INTO users (id, password, doc) VALUES (1, 'p', '{"login":"ann","api_key":"k"}');
      """)
    let exported = try await folder.export("a.db")
    let m = #"{"$redacted":"secret"}"#
    #expect(
      exported.lines("records/a/users.json") == [
        #"{"upper, (x)":\#(m),"id":1,"password":\#(m),"doc":"{\"login\":\"ann\",\"api_key\":\"[redacted]\"}","login":"ann","api":\#(m),"len":3,"last":\#(m)}"#
      ])
    #expect(
      exported.manifest.redactions.map { "\($0.path) \($0.count) \($0.inText)" } == [
        "users.api 1 0", "users.doc 1 1", "users.last 1 0", "users.password 1 0", "users.upper, (x) 1 0",
      ])
  }

  @Test func keysThatAreSecrets() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "a.db",
      """
      CREATE TABLE session (token TEXT PRIMARY KEY, agent); INSERT INTO session VALUES ('b', 1), ('a', 2);
      CREATE TABLE device (id INT, secret TEXT, PRIMARY KEY (id, secret)) WITHOUT ROWID; INSERT INTO device VALUES (1, 'x'), (1, 'y'), (2, 'x');
      CREATE TABLE key (token TEXT PRIMARY KEY); CREATE TABLE use (token REFERENCES key); INSERT INTO key VALUES ('k'); INSERT INTO use VALUES ('k');
      """)
    let exported = try await folder.export("a.db")
    #expect(exported.lines("records/a/session.json") == [#"{"token":1,"agent":2}"#, #"{"token":2,"agent":1}"#])
    #expect(exported.lines("records/a/device.json") == [#"{"id":1,"secret":1}"#, #"{"id":1,"secret":2}"#, #"{"id":2,"secret":1}"#])
    #expect(exported.lines("records/a/use.json") == [#"{"token":"k"}"#])
    #expect(exported.manifest.redactions.map { "\($0.path) \($0.count) \($0.asNumber)" } == ["device.secret 3 3", "session.token 2 2"])
  }
}
