import Testing

@testable import AccountExport

@Suite("Rows of JSON as CSV")
struct CSVRowsTests {
  /// The lines of rows that come in pieces of so many bytes.
  private func lines(_ json: String, pieces: Int = .max) -> String {
    var rows = CSVRows()
    Array(json.utf8).withBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + min(pieces, bytes.count))
        rows.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
    }
    return String(decoding: rows.output, as: UTF8.self)
  }

  static let values: [(json: String, csv: String)] = [
    ("null", ""), ("true", "true"), ("false", "false"), ("0", "0"), ("-17", "-17"), ("1.5e-300", "1.5e-300"),
    ("18446744073709551615", "18446744073709551615"),
    (#""""#, #""""#), (#""a""#, #""a""#), (#""say \"hi\", you""#, #""say ""hi"", you""#), (#""a\\b\/c""#, #""a\b/c""#),
    (#""a\r\nb\nc\td\be\f""#, "\"a\r\nb\nc\td\u{8}e\u{C}\""), (#""\u0000x\u0000""#, "\"\u{2400}x\u{2400}\""),
    (#""\u00e4\u6f22""#, "\"ä漢\""), (#""\ud83d\ude00!""#, "\"😀!\""), (#""\ud83d""#, "\"\u{FFFD}\""), (#""\ud83dx""#, "\"\u{FFFD}x\""),
    (#""\ude00\ud83d\ud83d\ude00""#, "\"\u{FFFD}\u{FFFD}😀\""), (#""مرحبا 日本語 😀 üöäß""#, #""مرحبا 日本語 😀 üöäß""#),
    // What a spreadsheet takes for a formula, and what it doesn't.
    (#""=1+1""#, #""'=1+1""#), (#""+a""#, #""'+a""#), (#""-a""#, #""'-a""#), (#""@a""#, #""'@a""#), (#""-5""#, #""'-5""#),
    (#""\t=a""#, "\"'\t=a\""), (#""\r=a""#, "\"'\r=a\""), (#""\u003d1""#, #""'=1""#), (#""'=a""#, #""'=a""#), (#"" =a""#, #"" =a""#),
    (#""\uFEFF=a""#, "\"\u{FEFF}=a\""), (#""a=1""#, #""a=1""#),
    // Values with values in them, and masked ones.
    ("[]", #""[]""#), ("{}", #""{}""#), ("[1,[2],{}]", #""[1,[2],{}]""#), (#"["a","b\"]"]"#, #""[""a"",""b\""]""]""#),
    (#"{"a":{"b":"}\\"},"c":[]}"#, #""{""a"":{""b"":""}\\""},""c"":[]}""#), (#"{"$base64":"AAE="}"#, #""{""$base64"":""AAE=""}""#),
    (#"{"$number":"NaN"}"#, #""{""$number"":""NaN""}""#), (#"{"$redacted":"secret"}"#, #""[secret]""#),
    (#"{"$redacted":"third-party","pseudonym":"aB-3"}"#, #""[third-party aB-3]""#), (#"{"$$redacted":"x"}"#, #""{""$$redacted"":""x""}""#),
    (#"{"$redact":"x"}"#, #""{""$redact"":""x""}""#), (#"[{"$redacted":"secret"}]"#, #""[{""$redacted"":""secret""}]""#),
    (#"{"$redacted":7}"#, #""{""$redacted"":7}""#),
    ("\"" + String(repeating: "long", count: 50_000) + "\"", "\"" + String(repeating: "long", count: 50_000) + "\""),
  ]

  @Test("a value, wherever the JSON is cut", arguments: values)
  func value(json: String, csv: String) {
    let rows = "[\n{\"a,\\\"b\":1,\"b\":\(json)},\n{\"a,\\\"b\":\(json),\"b\":2}\n]\n"
    let expected = "1,\(csv)\r\n\(csv),2\r\n"
    for pieces in json.utf8.count < 1000 ? [.max, 1, 2, 3, 7] : [.max, 4099] { #expect(lines(rows, pieces: pieces) == expected) }
  }

  @Test("all of them in one row")
  func row() {
    let json = "[\n{" + Self.values.enumerated().map { "\"k\($0)\":\($1.json)" }.joined(separator: ",") + "}\n]\n"
    #expect(lines(json) == Self.values.map(\.csv).joined(separator: ",") + "\r\n")
  }

  @Test(
    "no rows are no lines, and a row of one null is a line of its own",
    arguments: [("[]\n", ""), ("[\n{\"a\":null},\n{\"a\":1}\n]\n", "\"\"\r\n1\r\n")])
  func few(json: String, csv: String) { #expect(lines(json) == csv) }

  @Test("the first line has the columns' names, each once, and none that is a formula")
  func header() {
    let header = CSVHeader(columns: ["id", "=cmd", "'=cmd", "", "a,\"b\"", "x\0", "\u{FEFF}", "é", "e\u{301}", "-", "\t"])
    #expect(header.labels == ["id", "'=cmd", "''=cmd", "column 4", "a,\"b\"", "x\u{2400}", "\u{FEFF}", "é", "e\u{301}", "'-", "'\t"])
    #expect(
      String(decoding: CSVHeader(columns: ["=a", "b\"c\nd"]).line, as: UTF8.self) == "\u{FEFF}\"'=a\",\"b\"\"c\nd\"\r\n")
  }
}

@Suite("Looking at CSV")
struct CSVFactsTests {
  private func facts(_ text: String, pieces: Int) throws -> CSVFacts.Found {
    var facts = try CSVFacts()
    Array(text.utf8).withBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        facts.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + pieces)]))
      }
    }
    return try facts.finish()
  }

  @Test(
    "rows are counted, also where fields have lines in them",
    arguments: [
      ("\u{FEFF}\"a\"\r\n", 0), ("\u{FEFF}\"a\",\"b\"\r\n1,\r\n,\"x\r\n\"\"y\"\r\n", 2), ("\u{FEFF}\"a\"\r\n\"\"\r\n-1.5e9\r\ntrue\r\n", 3),
    ])
  func rows(text: String, rows: Int) throws {
    for pieces in [1, 2, 5, 1000] {
      let facts = try facts(text, pieces: pieces)
      #expect(facts.problem == nil && facts.rows == rows)
    }
  }

  @Test(
    "what is no CSV of this format is told",
    arguments: [
      "", "\"a\"\r\n", "\u{FEFF}", "\u{FEFF}\"a\"", "\u{FEFF}\"a\"\n", "\u{FEFF}\"a\"\r", "\u{FEFF}\"a\"\r\n1", "\u{FEFF}\"a\"\r\n\"1\r\n",
      "\u{FEFF}\"a\"\r\n\"1\"2\r\n", "\u{FEFF}\"a\"\r\n1\"\r\n", "\u{FEFF}\"a\"\r\n1,2\r\n", "\u{FEFF}\"a\",\"b\"\r\n1\r\n",
      "\u{FEFF}\"a\"\r\n1 \r\n",
      "\u{FEFF}\"a\"\r\n\0\r\n",
    ])
  func damaged(text: String) throws {
    for pieces in [1, 3, 1000] { #expect(try facts(text, pieces: pieces).problem != nil) }
  }

  @Test("the first line's fields are told apart from others")
  func labels() throws {
    let facts = try facts("\u{FEFF}\"a\"\"b\",c\r\n1,\"a\"\r\n", pieces: 2)
    #expect(try facts.labels == CSVFacts.digest(of: ["a\"b", "c"]))
    #expect(try facts.labels != CSVFacts.digest(of: ["a\"bc"]))
    #expect(try facts.labels != CSVFacts.digest(of: ["a\"b", "c", ""]))
  }
}
