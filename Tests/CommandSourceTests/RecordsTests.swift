import AccountExport
import CommandSource
import Testing

@Suite struct RecordsTests {
  @Test func declaredColumns() async throws {
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "notes", "columns": ["id", "title", {"name": "made", "type": "datetime"}], "primaryKey": ["id"]}"#,
        #"{"record": {"title": "Groceries", "id": 1, "made": "2026-11-30T10:15:00.25Z"}}"#,
        #"{"record": {"id": 2, "made": {"$date": "2024-02-29T00:00:00Z"}}}"#))
    #expect(
      export.rows("notes") == [
        #"{"id":1,"title":"Groceries","made":"2026-11-30T10:15:00.25Z"}"#, #"{"id":2,"title":null,"made":"2024-02-29T00:00:00Z"}"#,
      ])
    #expect(export.outcome == .complete)
    #expect(export.omissions == [])
    #expect(export.manifest.sources.first?.items == 2)
    #expect(export.manifest.sources.first?.schema == .declared)
    #expect(try export.types("notes") == ["id": "integer", "title": "string", "made": "datetime"])
    let schema = try export.resource("notes")["schema"] as? [String: Any]
    #expect(schema?["primaryKey"] as? [String] == ["id"])
  }

  @Test func columnsOfTheRecords() async throws {
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "a"}"#, #"{"record": {"x": 1}}"#, #"{"record": {}}"#, #"{"record": {"y": [1], "x": 2}}"#,
        #"{"collection": "none"}"#, #"{"collection": "b", "columns": ["z"]}"#, #"{"record": {"z": 9}}"#))
    #expect(export.rows("a") == [#"{"x":1,"y":null}"#, #"{"x":null,"y":null}"#, #"{"x":2,"y":[1]}"#])
    #expect(export.rows("none") == [])
    #expect(export.rows("b") == [#"{"z":9}"#])
    #expect(export.manifest.sources.first?.schema == .inferred)
    #expect(export.outcome == .complete)
  }

  /// Each value, as the program and as the bundle writes it.
  @Test(arguments: [
    ("1.50", "1.50"), ("-0", "-0"), ("1e400", "1e400"), ("9223372036854775807", "9223372036854775807"),
    ("18446744073709551615", "18446744073709551615"), ("-9223372036854775808", "-9223372036854775808"),
    ("123456789012345678901234567890.123456789012345678901234567890", "123456789012345678901234567890.123456789012345678901234567890"),
    ("true", "true"), ("null", "null"), (#""""#, #""""#),
    (#""a\u0000b\u00e9\ud83d\ude00\/\"\\\n""#, "\"a\\u0000b\u{e9}\u{1F600}/\\\"\\\\\\n\""),
    (#"[1, [], {}, {"a": [true, null]}]"#, #"[1,[],{},{"a":[true,null]}]"#),
    (#"{"$base64": "AP8="}"#, #"{"$base64":"AP8="}"#), (#"{"$base64": "AP8"}"#, #"{"$base64":"AP8="}"#),
    (#"{"$base64": ""}"#, #"{"$base64":""}"#),
    (#"{"$base64": "\/\u002B\/\/"}"#, #"{"$base64":"/+//"}"#),
    (#"{"$date": "2026-11-30T10:15:00Z"}"#, #"{"$date":"2026-11-30T10:15:00Z"}"#), (#"{"$date": -1e15}"#, #"{"$date":-1e15}"#),
    (#"{"$number": "NaN"}"#, #"{"$number":"NaN"}"#), (#"{"$number": "-Infinity"}"#, #"{"$number":"-Infinity"}"#),
    (#"{"$redacted": "third-party"}"#, #"{"$redacted":"third-party"}"#),
    (#"{ "$$base64" : "no form" , "$$$": 1 }"#, #"{"$$base64":"no form","$$$":1}"#),
    (
      #"{"a": {"$base64": "AP8="}, "b": [{"$date": "0001-01-01T00:00:00Z"}]}"#,
      #"{"a":{"$base64":"AP8="},"b":[{"$date":"0001-01-01T00:00:00Z"}]}"#
    ),
  ])
  func values(written: String, expected: String) async throws {
    let header = #"{"collection": "c", "columns": ["v", "id"]}"#
    let export = try await ExportedCommand(lines: lines(header, #"{"record": {"id": 7, "v": \#(written)}}"#))
    #expect(export.rows("c") == [#"{"v":\#(expected),"id":7}"#])
    #expect(export.omissions == [])
  }

  /// A key that begins with `$` is doubled by the program, in records and in objects; the header has the name itself.
  @Test func dollars() async throws {
    let export = try await ExportedCommand(
      lines: lines(#"{"collection": "c", "columns": ["$x", "$$y"]}"#, #"{"record": {"$$x": 1, "$$$y": {"$$z": 2}}}"#))
    #expect(export.rows("c") == [#"{"$$x":1,"$$$y":{"$$z":2}}"#])
  }

  /// What is wrong with a record is named with its line, and the others are there.
  @Test(arguments: [
    #"{"a": 1, "a": 2}"#, #"{"a": {"b": 1, "b": 2}}"#, #"{"a": "\#u{1}"}"#, #"{"a": 01}"#, #"{"a": 1,}"#, #"{"a": 1"#, #"{"b": 1}"#,
    #"[1]"#, "1", "null",
    #""text""#, #"{"a": 1}, "more": 2"#, #"{"a": 1}} {"#, #"{"a": "\ud800"}"#, #"{"$a": 1}"#, #"{"a": {"$base64": "A"}}"#,
    #"{"a": {"$base64": "AA=A"}}"#,
    #"{"a": {"$base64": "AB=="}}"#, #"{"a": {"$base64": 1}}"#, #"{"a": {"$date": "2026-02-29T00:00:00Z"}}"#,
    #"{"a": {"$date": "yesterday"}}"#,
    #"{"a": {"$date": true}}"#, #"{"a": {"$number": "1"}}"#, #"{"a": {"$file": "records/x"}}"#, #"{"a": {"$base64": "", "b": 1}}"#,
    #"{"a": {"b": 1, "$base64": ""}}"#, #"{"a": {"$redacted": "why"}}"#, #"{"a": {"$missing": {}}}"#,
    #"{"a": \#(String(repeating: "[", count: 600))\#(String(repeating: "]", count: 600))}"#,
  ])
  func badRecords(record: String) async throws {
    for columns in [#", "columns": ["a"]"#, ""] {
      if columns.isEmpty && record == #"{"b": 1}"# { continue }
      let export = try await ExportedCommand(
        lines: lines(
          #"{"collection": "c"\#(columns)}"#, #"{"record": {"a": 1}}"#, #"{"record": \#(record)}"#, #"{"record": {"a": 2}}"#))
      #expect(export.rows("c") == [#"{"a":1}"#, #"{"a":2}"#])
      #expect(export.omissions == ["c: unreadable ×1"])
      #expect(export.outcome == .partial)
      let detail = try #require(export.report.first)
      #expect(detail.hasPrefix("c: line 4: "))
    }
  }

  @Test func badUTF8() async throws {
    let export = try await ExportedCommand(
      #"printf '{"protocol":1}\n{"collection":"c"}\n{"record":{"a":"\377"}}\n{"record":{"\300\200":1}}\n{"record":{"a":"ok"}}\n{"record":{"a":"'; head -c 5 /dev/zero; printf '"}}\n{"end":true}\n'"#
    )
    #expect(export.rows("c") == [#"{"a":"ok"}"#])
    #expect(export.omissions == ["c: unreadable ×3"])
    #expect(export.report.first?.contains("line 3: bytes that are no UTF-8; line 4: ") == true)
  }

  @Test func lineEndsOfAllKindsAndAByteOrderMark() async throws {
    let export = try await ExportedCommand(
      #"printf '\357\273\277{"protocol":1}\r\n\r\n  \n{ "collection" : "c" }\r\n\t{ "record" :{"a":1} }\r\n{"end":true}'"#)
    #expect(export.rows("c") == [#"{"a":1}"#])
    #expect(export.outcome == .complete)
  }

  /// Something printed beside the protocol is named, and is no reason to lose the rest.
  @Test func strayLines() async throws {
    let export = try await ExportedCommand(
      lines: lines(#"{"collection": "c"}"#, "Loading 3 records …", #"{"record": {"a": 1}}"#, "[]", "42"))
    #expect(export.rows("c") == [#"{"a":1}"#])
    #expect(export.omissions == ["(lines): unreadable ×3"])
  }

  @Test func manyBadRecordsAreOneOmission() async throws {
    let export = try await ExportedCommand(
      #"echo '{"protocol":1}'; echo '{"collection":"c"}'; yes '{"record": nothing}' | head -n 5000; echo '{"record":{"a":1}}'; echo '{"end":true,"records":5001}'"#
    )
    #expect(export.omissions == ["c: unreadable ×5000"])
    #expect(export.report.first?.hasSuffix("; and 4980 more") == true)
    #expect(export.rows("c") == [#"{"a":1}"#])
  }

  @Test func secretsAreMasked() async throws {
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "c", "columns": ["password", "j", "meta_value", "meta_key"]}"#,
        #"{"record": {"password": "x", "j": {"deep": [{"api_key": "k", "n": 1}]}, "meta_value": "v", "meta_key": "session_tokens"}}"#,
        #"{"record": {"password": {"$base64": "AAAA"}, "j": {"token": {"$redacted": "secret"}}}}"#,
        #"{"record": {"j": {"$redacted": "regulated"}}}"#))
    #expect(
      export.rows("c") == [
        #"{"password":{"$redacted":"secret"},"j":{"deep":[{"api_key":{"$redacted":"secret"},"n":1}]},"meta_value":{"$redacted":"secret"},"meta_key":"session_tokens"}"#,
        #"{"password":{"$redacted":"secret"},"j":{"token":{"$redacted":"secret"}},"meta_value":null,"meta_key":null}"#,
        #"{"password":null,"j":{"$redacted":"regulated"},"meta_value":null,"meta_key":null}"#,
      ])
    let told = export.manifest.redactions.map { "\($0.path): \($0.reason.name) ×\($0.count)" }
    #expect(told == ["c.j: regulated ×1", "c.j: secret ×2", "c.meta_value: secret ×1", "c.password: secret ×2"])
  }

  /// What the program masked is counted with its reason, but not within what is masked as a whole.
  @Test func masksOfTheProgram() async throws {
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "c", "columns": ["id", "password", "j"]}"#,
        #"{"record": {"id": 1, "password": {"old": {"$redacted": "secret"}}, "j": {"a": [{"$redacted": "third-party"}]}}}"#,
        #"{"record": {"id": 2, "password": {"old": {"$redacted": "regulated"}}, "j": {"token": [{"$redacted": "regulated"}]}}}"#,
        #"{"record": {"id": 3, "j": [{"$redacted": "regulated"}, {"$unknown": 1}]}}"#))
    #expect(
      export.rows("c") == [
        #"{"id":1,"password":{"$redacted":"secret"},"j":{"a":[{"$redacted":"third-party"}]}}"#,
        #"{"id":2,"password":{"$redacted":"secret"},"j":{"token":{"$redacted":"secret"}}}"#,
      ])
    let told = export.manifest.redactions.map { "\($0.path): \($0.reason.name) ×\($0.count)" }
    #expect(told == ["c.j: secret ×1", "c.j: third-party ×1", "c.password: secret ×2"])
  }

  /// What a program writes is masked as all else: beside a name, in a text that is JSON, in long values too.
  @Test(arguments: [(0, 0, 0), (70_000, 0, 0), (0, 70_000, 0), (0, 0, 70_000)])
  func secretsInValues(first: Int, second: Int, third: Int) async throws {
    let (x, y, z) = (String(repeating: "x", count: first), String(repeating: "y", count: second), String(repeating: "z", count: third))
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "c", "columns": ["value", "name", "j"]}"#,
        #"{"record": {"name": "pin", "value": "1\#(x)", "j": [{"value": {"a": ["x\#(y)"]}, "name": "api_token"}]}}"#,
        #"{"record": {"name": "size", "value": "{\"token\": 1, \"s\": \"\#(z)\"}", "j": {"t": "{\"k\":\"otp\",\"v\":2}"}}}"#))
    let mask = #"{"$redacted":"secret"}"#
    #expect(
      export.rows("c") == [
        #"{"value":\#(mask),"name":"pin","j":[{"value":\#(mask),"name":"api_token"}]}"#,
        #"{"value":"{\"token\": \"[redacted]\", \"s\": \"\#(z)\"}","name":"size","j":{"t":"{\"k\":\"otp\",\"v\":\"[redacted]\"}"}}"#,
      ])
    #expect(export.manifest.redactions.map { "\($0.path) \($0.count) \($0.inText)" } == ["c.j 2 1", "c.value 2 1"])
  }

  /// A snapshot's time may be written with any fraction, zeros at its end too; a column's stays as it is written. Manifests tell seconds.
  @Test(arguments: [
    ("2026-11-30T10:00:00.000Z", "2026-11-30T10:00:00Z"), ("2026-11-30T10:00:00.120Z", "2026-11-30T10:00:00Z"),
    ("2026-11-30T10:00:00.123456789Z", "2026-11-30T10:00:00Z"),
  ])
  func snapshots(written: String, time: String) async throws {
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "c", "columns": [{"name": "at", "type": "datetime"}]}"#, #"{"record": {"at": "\#(written)"}}"#,
        #"{"snapshot": "\#(written)"}"#))
    #expect(export.outcome == .complete)
    #expect(export.rows("c") == [#"{"at":"\#(written)"}"#])
    #expect(export.manifest.sources.first?.snapshotTime?.rfc3339 == time)
  }

  /// A detail is cut between two characters; the report of a program that talks too much stays small.
  @Test(arguments: [(1024, "x", 1024), (1025, "x", 1024), (100_000, "x", 1024), (600, "é", 1024), (400, "\u{20AC}", 1023)])
  func longDetails(count: Int, character: String, kept: Int) async throws {
    let detail = String(repeating: character, count: count)
    let export = try await ExportedCommand(lines: lines(#"{"omission": "likes", "detail": "\#(detail)"}"#))
    #expect(export.report == ["likes: " + String(repeating: character, count: kept / character.utf8.count)])
  }

  @Test func omissionsSnapshotAndMissingFiles() async throws {
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "c", "columns": ["f"]}"#,
        #"{"omission": "attachments/9", "reason": "limit", "count": 3, "bytes": 5, "detail": "HTTP 413"}"#,
        #"{"record": {"f": {"$missing": "a.jpg"}}}"#, #"{"omission": "likes"}"#, #"{"snapshot": "2026-11-30T10:00:00Z"}"#))
    #expect(export.rows("c") == [#"{"f":{"$missing":"a.jpg"}}"#])
    #expect(export.omissions == ["c: missing-file ×1", "attachments/9: limit ×3", "likes: unreadable"])
    #expect(export.report.contains("attachments/9: HTTP 413"))
    #expect(export.manifest.sources.first?.snapshotTime?.rfc3339 == "2026-11-30T10:00:00Z")
    #expect(!export.entries.values.contains { String(decoding: $0, as: UTF8.self).contains("HTTP 413") })
  }

  /// A primary key that is none, or can't be proven, is not claimed: a reader would refuse the table.
  @Test(arguments: [
    (["1", "2", "10"], true), (["2", "1", "3"], true), (["1", "1"], false), (["1", "null"], false), (["1", "1.0"], false),
    (["\"a\"", "\"\\u0061\""], false),
    (["\"a\"", "\"b\""], true), (["1", "\"1\""], true), (["1", "true"], false), (["{}", "1"], false),
  ])
  func primaryKeys(values: [String], isProven: Bool) async throws {
    let records = values.map { #"{"record": {"id": \#($0)}}"# }.joined(separator: "\n")
    let export = try await ExportedCommand(
      lines: lines(#"{"collection": "c", "columns": ["id"], "primaryKey": ["id"]}"#, records))
    let schema = try export.resource("c")["schema"] as? [String: Any]
    #expect((schema?["primaryKey"] != nil) == isProven)
    #expect(export.rows("c")?.count == values.count)
  }

  @Test func lookupsAndForeignKeys() async throws {
    let export = try await ExportedCommand(
      lines: lines(
        #"{"collection": "city", "columns": ["id"], "lookup": true}"#, #"{"record": {"id": 1}}"#,
        #"{"collection": "c", "columns": ["city_token"], "foreignKeys": [{"columns": ["city_token"], "collection": "city", "referenced": ["id"]}]}"#,
        #"{"record": {"city_token": 1}}"#))
    #expect(export.rows("lookups/city") == [#"{"id":1}"#])
    // A foreign key is no secret, whatever its name.
    #expect(export.rows("c") == [#"{"city_token":1}"#])
  }
}
