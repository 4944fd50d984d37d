import AccountExport
import TestSupport
import Testing

@Suite("Values of PostgreSQL", .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"))
struct ValueTests {
  /// The type, the value in SQL, and what the row says.
  @Test(arguments: [
    ("smallint", "'-32768'", "-32768"), ("bigint", "'9223372036854775807'", "9223372036854775807"),
    ("bigint", "'-9223372036854775808'", "-9223372036854775808"), ("oid", "'4294967295'", "4294967295"), ("int", "NULL", "null"),
    ("bool", "true", "true"), ("bool", "false", "false"),
    ("float8", "1", "1.0"), ("float8", "0.1", "0.1"), ("float8", "'NaN'", #"{"$number":"NaN"}"#),
    ("float8", "'-Infinity'", #"{"$number":"-Infinity"}"#),
    ("float8", "1e300", "1e+300"), ("float4", "0.1", "0.1"), ("float4", "16777216", "1.6777216e+07"), ("float8", "'-0'", "-0.0"),
    ("numeric", "'1.00'", "1.00"), ("numeric", "'-0.000000000000000000001'", "-0.000000000000000000001"),
    ("numeric(40,2)", "'12345678901234567890123456789012345678.90'", "12345678901234567890123456789012345678.90"),
    ("numeric", "'NaN'", #"{"$number":"NaN"}"#), ("numeric", "'Infinity'", #"{"$number":"Infinity"}"#),
    ("text", "''", #""""#), ("text", "E'a\\n\\\"😀'", #""a\n\"😀""#), ("char(4)", "'ab'", #""ab  ""#), ("varchar", "'x'", #""x""#),
    ("\"char\"", "'q'", #""q""#), ("name", "'n'", #""n""#),
    ("uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", #""a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11""#),
    ("timestamptz", "'2024-02-01 10:00:00.5+02'", #""2024-02-01T08:00:00.5Z""#),
    ("timestamptz", "'1969-12-31 23:59:59.999999Z'", #""1969-12-31T23:59:59.999999Z""#),
    ("timestamptz", "'infinity'", #""infinity""#), ("timestamptz", "'10000-01-01Z'", #"{"$date":253402300800}"#),
    ("timestamptz", "'0001-01-01Z'", #""0001-01-01T00:00:00Z""#),
    ("timestamp", "'2024-02-01 10:00:00.120'", #""2024-02-01T10:00:00.12""#), ("timestamp", "'-infinity'", #""-infinity""#),
    ("timestamp", "'0044-03-15 12:00:00 BC'", #""0044-03-15 12:00:00 BC""#),
    ("date", "'2024-02-29'", #""2024-02-29""#), ("time", "'10:00'", #""10:00:00""#), ("interval", "'1 day 2 hours'", #""1 day 02:00:00""#),
    ("bytea", #"'\x00ff'"#, #"{"$base64":"AP8="}"#), ("bytea", "''", #"{"$base64":""}"#),
    ("jsonb", #"'{"$a": 1.50, "b": [null, true, "x"]}'"#, #"{"b":[null,true,"x"],"$$a":1.50}"#),
    ("json", #"'  {"b": 1e400, "a": 12345678901234567890.10} '"#, #"{"b":1e400,"a":12345678901234567890.10}"#),
    ("json", "'null'", "null"), ("json", "'\"t\"'", #""t""#), ("jsonb", "NULL", "null"),
    // One that JSON in UTF-8 can't hold stays the text it is.
    ("json", #"'"\ud800"'"#, #""\"\\ud800\"""#),
    ("int[]", "'{1,NULL,3}'", "[1,null,3]"), ("int[]", "'{}'", "[]"), ("int[]", "'[0:1]={1,2}'", "[1,2]"),
    ("int[]", "'{{1,2},{3,4}}'", "[[1,2],[3,4]]"),
    ("text[]", #"ARRAY['a"b', 'c\d', 'NULL', '', 'x,y', '{z}', NULL]"#, #"["a\"b","c\\d","NULL","","x,y","{z}",null]"#),
    ("bytea[]", #"ARRAY['\x01'::bytea]"#, #"[{"$base64":"AQ=="}]"#), ("box[]", "ARRAY[box '(1,1),(0,0)', NULL]", #"["(1,1),(0,0)",null]"#),
    ("timestamptz[]", "ARRAY['2024-02-01Z'::timestamptz]", #"["2024-02-01T00:00:00Z"]"#),
    ("jsonb[]", #"ARRAY['{"$k":1}'::jsonb]"#, #"[{"$$k":1}]"#),
    // Inside of others, only that one value is text.
    ("json[]", #"ARRAY['{"a":1}', '{"a":"\ud800"}']::json[]"#, #"[{"a":1},"{\"a\":\"\\ud800\"}"]"#),
    ("int2vector", "'1 2'", #""1 2""#), ("int4range", "'[1,5)'", #""[1,5)""#), ("inet", "'10.0.0.1/8'", #""10.0.0.1/8""#),
    ("xml", "'<a/>'", #""<a/>""#), ("tsvector", "'b a'", #""'a' 'b'""#), ("point", "'(1,2)'", #""(1,2)""#),
    ("money", "'12.5'", #""$12.50""#),
    ("mood", "'so ok'", #""so ok""#), ("positive", "7", "7"), ("positives", "'{1,2}'", "[1,2]"),
    ("place", #"ROW(1, 'a"b(,)\', NULL, ARRAY[1, 2])"#, #"{"$$n":1,"label":"a\"b(,)\\","at":null,"list":[1,2]}"#),
    ("place", "ROW(NULL, '', '2024-02-01Z', NULL)", #"{"$$n":null,"label":"","at":"2024-02-01T00:00:00Z","list":null}"#),
    ("place[]", "ARRAY[ROW(1, 'x \"y\"', NULL, '{}')::place, NULL]", #"[{"$$n":1,"label":"x \"y\"","at":null,"list":[]},null]"#),
  ])
  func value(type: String, sql: String, expected: String) async throws {
    let database = try SharedDatabase(
      Self.types + "CREATE TABLE users (id int PRIMARY KEY, v \(type)); INSERT INTO users VALUES (1, \(sql))")
    let exported = try await database.export("users.id=1")
    #expect(exported.lines("users") == [#"{"id":1,"v":\#(expected)}"#])
  }

  private static let types = """
    CREATE TYPE mood AS ENUM ('so ok'); CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE DOMAIN positives AS int[];
    CREATE TYPE place AS ("$n" int, label text, at timestamptz, list int[]);
    """

  @Test("secrets: columns as a whole, keys inside JSON, forms of hashes inside values")
  func secrets() async throws {
    let database = try SharedDatabase(
      #"""
      CREATE TABLE users (id int PRIMARY KEY, api_tokens text[], passwords jsonb, settings jsonb, notes text[], meta_key text, meta_value jsonb);
      INSERT INTO users VALUES (1, '{a,b}', '{}', '{"theme": "dark", "apiKey": "k", "deep": [{"password": {"v": 1}, "token_type": "x", "secret": null}]}',
        ARRAY['plain', '$2b$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'], 'session_tokens', '[1]')
      """#)
    let exported = try await database.export("users.id=1")
    let mask = #"{"$redacted":"secret"}"#
    #expect(
      exported.lines("users") == [
        #"{"id":1,"api_tokens":\#(mask),"passwords":{},"settings":{"deep":[{"secret":null,"password":\#(mask),"token_type":"x"}],"theme":"dark","apiKey":\#(mask)},"#
          + #""notes":["plain",\#(mask)],"meta_key":"session_tokens","meta_value":\#(mask)}"#
      ])
    #expect(
      exported.manifest.redactions.map { "\($0.path) ×\($0.count)" }.sorted() == [
        "users.api_tokens ×1", "users.meta_value ×1", "users.notes ×1", "users.settings ×2",
      ])
  }

  @Test("secrets: beside a name, in JSON that stays text, as keys, and in what is made from them", arguments: [0, 400_000])
  func named(length: Int) async throws {
    let long = "repeat('z', \(length))"
    let database = try SharedDatabase(
      #"""
      CREATE TABLE users (id int, token text, pairs jsonb, half json, note text, doc jsonb, made text GENERATED ALWAYS AS (upper(token)) STORED,
        key text GENERATED ALWAYS AS (doc ->> 'api_key') STORED, theme text GENERATED ALWAYS AS (doc ->> 'theme') STORED, PRIMARY KEY (id, token));
      INSERT INTO users SELECT 1, 't',
        jsonb_build_array(jsonb_build_object('val', \#(long) || 'v', 'name', 'session_token'), '{"key": "apiKey", "value": [1]}'::jsonb),
        ('{"a": "\ud800' || \#(long) || '", "password": "p"}')::json, '{"b": "' || \#(long) || '", "pin": 1234}',
        '{"theme": "dark", "api_key": "k"}'
      """#)
    let exported = try await database.export("users.id=1")
    let (m, z) = (#"{"$redacted":"secret"}"#, String(repeating: "z", count: length))
    #expect(
      exported.lines("users") == [
        #"{"id":1,"token":1,"pairs":[{"val":\#(m),"name":"session_token"},{"key":"apiKey","value":\#(m)}],"#
          + #""half":"{\"a\": \"\\ud800\#(z)\", \"password\": \"[redacted]\"}","note":"{\"b\": \"\#(z)\", \"pin\": \"[redacted]\"}","#
          + #""doc":{"theme":"dark","api_key":\#(m)},"made":\#(m),"key":\#(m),"theme":"dark"}"#
      ])
    #expect(
      exported.manifest.redactions.map { "\($0.path) \($0.count) \($0.inText) \($0.asNumber)" } == [
        "users.doc 1 0 0", "users.half 1 1 0", "users.key 1 0 0", "users.made 1 0 0", "users.note 1 1 0", "users.pairs 2 0 0",
        "users.token 1 0 1",
      ])
  }

  @Test("secrets: beside, and in, what only PostgreSQL takes for JSON")
  func halfJSON() async throws {
    let half = #"'{"password":"LEAK","a":"\ud800"}'"#
    let database = try SharedDatabase(
      """
      CREATE TYPE login AS (name text, password text, more json);
      CREATE TABLE users (id int PRIMARY KEY, one login, several login[], list json[]);
      INSERT INTO users VALUES (1, ROW('x', 'LEAK', \(half)), ARRAY[ROW('y', 'LEAK', \(half))::login], ARRAY[\(half)::json])
      """)
    let exported = try await database.export("users.id=1")
    let (m, text) = (#"{"$redacted":"secret"}"#, #""{\"password\":\"[redacted]\",\"a\":\"\\ud800\"}""#)
    #expect(
      exported.lines("users") == [
        #"{"id":1,"one":{"name":"x","password":\#(m),"more":\#(text)},"several":[{"name":"y","password":\#(m),"more":\#(text)}],"list":[\#(text)]}"#
      ])
  }

  @Test("settings of the database that change how values and names are printed")
  func quotedNames() async throws {
    let database = try SharedDatabase(
      """
      CREATE TABLE users (id int PRIMARY KEY, b bool, j jsonb, t timestamptz); INSERT INTO users VALUES (1, true, '{"a":1}', '2024-01-01Z');
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET quote_all_identifiers = on', current_database()); END $$
      """)
    let exported = try await database.export("users.id=1")
    #expect(exported.lines("users") == [#"{"id":1,"b":true,"j":{"a":1},"t":"2024-01-01T00:00:00Z"}"#])
  }

  @Test("values longer than a row should hold come in pieces", arguments: [300_000, 3_000_000])
  func long(length: Int) async throws {
    let database = try SharedDatabase(
      """
      CREATE TABLE users (id int PRIMARY KEY, a text, b bytea, c jsonb, d text[], e xml, f json, z int);
      INSERT INTO users SELECT 1, repeat('é', \(length / 2)), decode(repeat('00ff', \(length / 2)), 'hex'),
        jsonb_build_object('$x', repeat('ab', \(length / 2)), 'password', repeat('s', \(length))), ARRAY[repeat('"', \(length)), NULL],
        ('<a>' || repeat('x', \(length)) || '</a>')::xml, ('[' || repeat('1,', \(length / 2)) || '2]')::json, 5;
      INSERT INTO users (id) VALUES (2)
      """)
    let exported = try await database.export("users.id=1")
    let line = try #require(exported.lines("users")?.first)
    let expected =
      #"{"id":1,"a":""# + String(repeating: "é", count: length / 2) + #"","b":{"$file":"records/db/files/users/1.bin","bytes":\#(length),"#
    #expect(line.hasPrefix(expected))
    #expect(line.contains(#""c":{"$$x":""# + String(repeating: "ab", count: length / 2) + #"","password":{"$redacted":"secret"}},"#))
    #expect(line.contains(#""d":[""# + String(repeating: #"\""#, count: length) + #"",null],"#))
    #expect(line.contains(#""e":"<a>"# + String(repeating: "x", count: length) + #"</a>","#))
    #expect(line.hasSuffix(#""f":["# + String(repeating: "1,", count: length / 2) + #"2],"z":5}"#))
    #expect(exported.entries["files/users/1.bin"] == Array(repeating: [0, 0xFF], count: length / 2).flatMap { $0 })
    #expect(exported.omissions == [])
  }
}
