import AccountExport
import Foundation
import TestSupport
import Testing

private let row = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

@Suite struct CoreDataAttributeTests {
  /// Exports one entity `A` with one attribute `x` in a column of a type, a row for each value.
  private func values(_ type: Int64, _ column: String, _ values: [String]) async throws -> [String] {
    let folder = try StoreFolder()
    let rows = values.enumerated().map { "INSERT INTO ZA VALUES (\($0 + 1), 1, 1, \($1));" }.joined(separator: "\n")
    try folder.makeCoreData("S.sqlite", ModelFixture([.init("A", [.init("x", type)])]), "CREATE TABLE ZA (\(row), ZX \(column));\n" + rows)
    let exported = try await folder.export("S.sqlite")
    #expect(exported.manifest.outcome == .complete)
    let lines = try #require(exported.lines("records/S/A.json"))
    return lines.enumerated().map { index, line in
      #expect(line.hasPrefix("{\"id\":\"A/\(index + 1)\",\"x\":"))
      return String(line.dropFirst("{\"id\":\"A/\(index + 1)\",\"x\":".count).dropLast())
    }
  }

  @Test("integers and booleans; another number in a boolean column is none of the two")
  func integers() async throws {
    #expect(
      try await values(Kind.int64, "INTEGER", ["1", "-9223372036854775808", "NULL", "1.5", "'text'"])
        == ["1", "-9223372036854775808", "null", "1.5", "\"text\""])
    #expect(
      try await values(Kind.boolean, "INTEGER", ["0", "1", "2", "-1", "NULL", "0.5"]) == ["false", "true", "2", "-1", "null", "0.5"])
  }

  @Test("doubles stay doubles, even where an integer is stored")
  func doubles() async throws {
    #expect(
      try await values(Kind.double, "FLOAT", ["4", "0.1", "-0.5", "9e999", "NULL"])
        == ["4.0", "0.1", "-0.5", #"{"$number":"Infinity"}"#, "null"])
    // No affinity: the integer is stored as it is. 2^53 + 1 is no double.
    #expect(try await values(Kind.double, "", ["4", "9007199254740993"]) == ["4.0", "9007199254740993"])
    #expect(try await values(Kind.float, "FLOAT", ["0.100000001490116"]) == ["0.100000001490116"])
  }

  @Test("decimals keep all their digits, however they are stored")
  func decimals() async throws {
    #expect(
      try await values(Kind.decimal, "", ["12", "1.5", "'1.50'", "'-0.00'", "'123456789012345678901234567890.5'", "'1e-7'"])
        == ["12", "1.5", "1.50", "-0.00", "123456789012345678901234567890.5", "1e-7"])
    #expect(
      try await values(Kind.decimal, "", ["'NaN'", "'01'", "'.5'", "'1.'", "'+1'", "'1e'", "''", "'-'"])
        == [#"{"$number":"NaN"}"#, "\"01\"", "\".5\"", "\"1.\"", "\"+1\"", "\"1e\"", "\"\"", "\"-\""])
  }

  @Test("dates are RFC 3339 with the digits that they have, and numbers outside the calendar's years")
  func dates() async throws {
    #expect(
      try await values(Kind.date, "TIMESTAMP", ["0", "700000000.25", "-978307200", "-63113904001", "-63113904000"])
        == [
          "\"2001-01-01T00:00:00Z\"", "\"2023-03-08T20:26:40.25Z\"", "\"1970-01-01T00:00:00Z\"", #"{"$date":-62135596801}"#,
          "\"0001-01-01T00:00:00Z\"",
        ])
    #expect(
      try await values(Kind.date, "TIMESTAMP", ["252423993599", "252423993600", "9e999", "-9e999", "'soon'", "NULL"])
        == [
          "\"9999-12-31T23:59:59Z\"", #"{"$date":253402300800}"#, #"{"$date":{"$number":"Infinity"}}"#,
          #"{"$date":{"$number":"-Infinity"}}"#, "\"soon\"", "null",
        ])
  }

  @Test("texts, URIs and UUIDs; a UUID of another length is bytes")
  func texts() async throws {
    #expect(
      try await values(Kind.string, "VARCHAR", ["'é\"'", "''", "CAST(x'c328' AS TEXT)"]) == [#""é\"""#, "\"\"", #"{"$base64":"wyg="}"#])
    #expect(try await values(Kind.uri, "VARCHAR", ["'https://example.org/~a'"]) == ["\"https://example.org/~a\""])
    #expect(
      try await values(Kind.uuid, "BLOB", ["x'000102030405060708090a0b0c0d0eff'", "x'0001'", "'text'"])
        == ["\"00010203-0405-0607-0809-0A0B0C0D0EFF\"", #"{"$base64":"AAE="}"#, "\"text\""])
  }

  @Test("secrets in texts that are JSON, and in archives beside a name")
  func secretsInside() async throws {
    #expect(
      try await values(Kind.string, "VARCHAR", [#"'{"apiKey":"k","n":[1]}'"#, #"'{"apiKey":"k"'"#])
        == [#""{\"apiKey\":\"[redacted]\",\"n\":[1]}""#, #""{\"apiKey\":\"k\"""#])
    let archive = archived([("value", .text("x")), ("name", .text("api_token"))])
    #expect(
      try await values(Kind.transformable, "BLOB", [hex(archive)]) == [#"{"$archive":{"value":{"$redacted":"secret"},"name":"api_token"}}"#]
    )
  }

  @Test("transformables and bytes: archives are decoded, all else stays bytes")
  func transformables() async throws {
    let archive = archived([("zoom", .real(1.5)), ("$x", .text("sea"))])
    let base64 = Data(archive).base64EncodedString()
    for type in [Kind.transformable, Kind.binary] {
      #expect(
        try await values(
          type, "BLOB", [hex(archive), hex(Array("{\"json\": 1}".utf8)), "x''", hex(ListValue.array([.text("plain list")]).binary)])
          == [
            #"{"$archive":{"zoom":1.5,"$$x":"sea"},"$base64":"\#(base64)"}"#, #"{"$base64":"eyJqc29uIjogMX0="}"#, #"{"$base64":""}"#,
            #"{"$base64":"\#(Data(ListValue.array([.text("plain list")]).binary).base64EncodedString())"}"#,
          ])
    }
  }

  @Test("a large archive is decoded, its bytes in a file beside it; a huge value is only bytes", arguments: [20_000, 400_000])
  func largeArchives(_ count: Int) async throws {
    let folder = try StoreFolder()
    let archive = archived([("text", .text(String(repeating: "x", count: count)))])
    let model = ModelFixture([.init("A", [.init("data", Kind.transformable), .init("z", Kind.string)])])
    try folder.makeCoreData(
      "S.sqlite", model,
      "CREATE TABLE ZA (\(row), ZDATA BLOB, ZZ VARCHAR); INSERT INTO ZA VALUES (1, 1, 1, \(hex(archive)), 'after'), (2, 1, 1, NULL, NULL);")
    let exported = try await folder.export("S.sqlite")
    let lines = try #require(exported.lines("records/S/A.json"))
    let text = String(repeating: "x", count: count)
    #expect(lines[0].hasPrefix(#"{"id":"A/1","data":{"$archive":{"text":"\#(text)"},"$file":"records/S/files/A/1.bin","bytes":"#))
    #expect(lines[0].hasSuffix(#""},"z":"after"}"#))
    #expect(lines[1] == #"{"id":"A/2","data":null,"z":null}"#)
    #expect(exported.entries["records/S/files/A/1.bin"] == archive)
  }

  @Test("derived attributes are there, transient ones are not; a composite one is an object")
  func specialAttributes() async throws {
    let folder = try StoreFolder()
    let address = ModelFixture.Attribute(
      "address", Kind.composite,
      elements: [
        .init("street", Kind.string), .init("since", Kind.date),
        .init("place", Kind.composite, elements: [.init("lat", Kind.double), .init("photo", Kind.binary)]),
        .init("zipped", Kind.string),
      ])
    let model = ModelFixture([
      .init("P", [.init("count", Kind.int64, derived: true), .init("draft", Kind.string, transient: true), address])
    ])
    try folder.makeCoreData(
      "S.sqlite", model,
      """
      CREATE TABLE ZP (\(row), ZCOUNT INTEGER, ZSINCE TIMESTAMP, ZLAT FLOAT, ZSTREET VARCHAR, ZZIPPED VARCHAR, ZPHOTO BLOB);
      INSERT INTO ZP VALUES (1, 1, 1, 3, 0, 1.5, 'Main', 'x', x'00'), (2, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL);
      """)
    let exported = try await folder.export("S.sqlite")
    #expect(
      exported.lines("records/S/P.json") == [
        #"{"id":"P/1","address":{"street":"Main","since":"2001-01-01T00:00:00Z","place":{"lat":1.5,"photo":{"$base64":"AA=="}},"zipped":"x"},"count":3}"#,
        #"{"id":"P/2","address":{"street":null,"since":null,"place":{"lat":null,"photo":null},"zipped":null},"count":null}"#,
      ])
  }

  @Test("secrets are masked by the attributes' names, within composites and archives too")
  func secrets() async throws {
    let folder = try StoreFolder()
    let login = ModelFixture.Attribute("login", Kind.composite, elements: [.init("user", Kind.string), .init("password", Kind.string)])
    let model = ModelFixture([
      .init("Account", [.init("accessToken", Kind.string), .init("settings", Kind.transformable), login], [.init("apiKey", to: "Key")]),
      .init("Key"),
    ])
    try folder.makeCoreData(
      "S.sqlite", model,
      """
      CREATE TABLE ZACCOUNT (\(row), ZAPIKEY INTEGER, ZACCESSTOKEN VARCHAR, ZPASSWORD VARCHAR, ZUSER VARCHAR, ZSETTINGS BLOB); CREATE TABLE ZKEY (\(row));
      INSERT INTO ZKEY VALUES (4, 2, 1);
      INSERT INTO ZACCOUNT VALUES (1, 1, 1, 4, 'abc', 'hunter2', 'mira', \(hex(archived([("password", .text("p")), ("zoom", .integer(2))]))));
      """)
    let exported = try await folder.export("S.sqlite")
    #expect(
      exported.lines("records/S/Account.json") == [
        #"{"id":"Account/1","accessToken":{"$redacted":"secret"},"login":{"user":"mira","password":{"$redacted":"secret"}},"settings":{"$archive":{"password":{"$redacted":"secret"},"zoom":2}},"apiKey":"Key/4"}"#
      ])
    #expect(
      exported.manifest.redactions.map { "\($0.path) ×\($0.count)" }.sorted() == [
        "Account.accessToken ×1", "Account.login ×1", "Account.settings ×1",
      ])
  }

  @Test("an attribute called id stands in the place of the records' own key")
  func identifierAttribute() async throws {
    let folder = try StoreFolder()
    try folder.makeCoreData(
      "S.sqlite", ModelFixture([.init("A", [.init("id", Kind.uuid), .init("b", Kind.string)])]),
      "CREATE TABLE ZA (\(row), ZID BLOB, ZB VARCHAR); INSERT INTO ZA VALUES (1, 1, 1, x'000102030405060708090a0b0c0d0eff', 'x');")
    let exported = try await folder.export("S.sqlite")
    #expect(exported.lines("records/S/A.json") == [#"{"id":"00010203-0405-0607-0809-0A0B0C0D0EFF","b":"x"}"#])
  }
}
