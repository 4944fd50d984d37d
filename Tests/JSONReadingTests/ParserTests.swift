import JSONReading
import Testing

/// Reads text; the error's description where it is none.
func parse(_ text: String, _ dialect: JSONParser.Dialect = .strict) throws(JSONError) -> JSONValue {
  try JSONParser.parse(Array(text.utf8), dialect: dialect)
}

@Suite struct ParserTests {
  @Test func values() throws {
    let tree = try parse(#" {"a": [1, -2.50e+3, true, false, null, "x"], "b": {}, "c": []} "#)
    #expect(tree["a"] == .array([.number("1"), .number("-2.50e+3"), .bool(true), .bool(false), .null, .string("x")]))
    #expect(tree["b"] == .object([]))
    #expect(tree["c"]?.elements == [])
    #expect(tree.members?.map(\.key) == ["a", "b", "c"])
    #expect(tree["d"] == nil)
  }

  @Test func positionsAreLinesAndCodePoints() throws {
    let tree = try parse("{\r\n  \"é\": 1, \"b\":\n\t[],\r\"c\": {\"d\": 2}}")
    #expect(tree.member("é")?.position == JSONPosition(line: 2, column: 3))
    #expect(tree.member("é")?.valuePosition == JSONPosition(line: 2, column: 8))
    #expect(tree.member("b")?.position == JSONPosition(line: 2, column: 11))
    #expect(tree.member("b")?.valuePosition == JSONPosition(line: 3, column: 2))
    #expect(tree["c"]?.member("d")?.position == JSONPosition(line: 4, column: 7))
  }

  @Test(arguments: strictTexts)
  func acceptsJSON(text: String) throws {
    _ = try parse(text)
    // JSON5 is a superset.
    #expect(try parse(text, .json5) == parse(text))
  }

  @Test(arguments: notStrictTexts)
  func refusesWhatIsNoJSON(text: String) {
    #expect(throws: JSONError.self) { try parse(text) }
  }

  @Test(arguments: notUTF8)
  func refusesWhatIsNoUTF8(bytes: [UInt8]) {
    for dialect in [JSONParser.Dialect.strict, .json5] {
      let error = #expect(throws: JSONError.self) { try JSONParser.parse([0x22] + bytes + [0x22], dialect: dialect) }
      #expect(error?.code == .invalidUTF8)
    }
  }

  @Test func escapes() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000\u20AC""#) == .string("\"\\/\u{8}\u{c}\n\r\té😀\0€"))
  }

  @Test(arguments: [
    (#""\ud800""#, [0xED, 0xA0, 0x80]),
    (#""a\udfffb""#, [0x61, 0xED, 0xBF, 0xBF, 0x62]),
    (#""\ud83d\ud83d\ude00""#, [0xED, 0xA0, 0xBD, 0xF0, 0x9F, 0x98, 0x80]),
    (#""\ude00\ud83d""#, [0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD]),
    (#""\ud83d\n""#, [0xED, 0xA0, 0xBD, 0x0A]),
  ])
  func halfSurrogatePairsAreKept(text: String, wtf8: [UInt8]) throws {
    #expect(try parse(text) == .invalidString(wtf8))
    let object = try parse("{\(text): 1}")
    #expect(object.members?.first?.invalidKey == wtf8)
    #expect(object.members?.first?.key.contains("\u{FFFD}") == true)
  }

  @Test func duplicateKeysAreNamed() throws {
    let text = "{\"a\": 1,\n \"b\\u0062\": 2, \"bb\": 3}"
    let error = #expect(throws: JSONError.self) { try parse(text) }
    #expect(error?.code == .duplicateKey)
    #expect(error?.description == #"2:16: the key "bb" comes twice in one object"#)
    let kept = try JSONParser.parse(Array(text.utf8), duplicateKeys: .kept)
    #expect(kept.members?.map(\.key) == ["a", "bb", "bb"])
  }

  @Test(arguments: [3, 15, 16, 17, 40, 5000])
  func duplicatesAreFoundAmongMany(count: Int) throws {
    let members = (0..<count).map { "\"key\($0)\":\($0)" }
    #expect(try parse("{" + members.joined(separator: ",") + "}").members?.count == count)
    for twice in [0, count / 2, count - 1] {
      let error = #expect(throws: JSONError.self) { try parse("{" + (members + ["\"key\(twice)\":0"]).joined(separator: ",") + "}") }
      #expect(error?.message == "the key \"key\(twice)\" comes twice in one object")
    }
  }

  /// To Swift both are the same string; in a file they are two keys.
  @Test func keysInNFCAndNFDDiffer() throws {
    let tree = try parse("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
    #expect(tree["\u{E9}"] == .number("1"))
    #expect(tree["e\u{301}"] == .number("2"))
    #expect(try parse(#"{"\ud800": 1, "\ud801": 2, "\ufffd": 3}"#).members?.count == 3)
  }

  @Test func limits() throws {
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    _ = try parse(deep)
    #expect(
      throws: JSONError(code: .tooDeep, message: "nested deeper than 512 levels", offset: 512, position: JSONPosition(line: 1, column: 513))
    ) {
      try parse("[" + deep + "]")
    }
    let error = #expect(throws: JSONError.self) { try JSONParser.parse(Array("[1, 2]".utf8), limits: .init(bytes: 5)) }
    #expect(error?.code == .tooLong)
    #expect(try JSONParser.parse(Array("[1,2]".utf8), limits: .init(depth: 1, bytes: 5)).elements?.count == 2)
  }

  @Test(arguments: [
    ("", "1:1: expected a value, found the end of the text"),
    ("[1 2]", "1:4: expected ',' or ']', found '2'"),
    ("{\"a\" 1}", "1:6: expected ':' after the key, found '1'"),
    ("{\n  a: 1}", "2:3: expected a key in double quotes or '}', found 'a'"),
    ("{\"a\": 1,}", "1:9: expected a key in double quotes, found '}'"),
    ("{\"a\": 1", "1:8: expected ',' or '}', found the end of the text"),
    ("[1] é", "1:5: expected the end of the text, found 'é'"),
    ("\"abc", "1:1: the string has no end"),
    ("\"a\tb\"", "1:3: expected an escape in place of a control character, found U+0009"),
    ("\"\\q\"", "1:3: expected one of \"\\/bfnrtu after the backslash, found 'q'"),
    ("tru", "1:1: expected a value; did you mean true?"),
    ("012", "1:1: a number can't begin with a zero before other digits"),
    ("1.", "1:3: expected a digit, found the end of the text"),
    ("['a']", "1:2: expected a value, found \"'\""),
  ])
  func errorsSayWhatWasExpected(text: String, message: String) {
    let error = #expect(throws: JSONError.self) { try parse(text) }
    #expect(error?.description == message)
  }

  @Test func aByteOrderMarkIsPassedOver() throws {
    #expect(try parse("\u{FEFF}[1]") == .array([.number("1")]))
    #expect(throws: JSONError.self) { try parse("\u{FEFF}\u{FEFF}[1]") }
  }

  @Test(
    arguments: [
      ("12", 12, 12, 12.0), ("-12", -12, nil, -12.0), ("9223372036854775808", nil, 9_223_372_036_854_775_808, 9_223_372_036_854_775_808.0),
      ("-9223372036854775808", Int64.min, nil, -9_223_372_036_854_775_808.0),
      ("18446744073709551616", nil, nil, 18_446_744_073_709_551_616.0),
      ("1.0", nil, nil, 1.0), ("1e3", nil, nil, 1000.0), ("1e999", nil, nil, nil), ("-0", 0, 0, -0.0), ("0x1F", 31, 31, 31.0),
      ("-0x1f", -31, nil, -31.0),
      ("+7", 7, 7, 7.0), (".5", nil, nil, 0.5), ("-.5e1", nil, nil, -5.0), ("5.", nil, nil, 5.0), ("5.e1", nil, nil, 50.0),
      ("-Infinity", nil, nil, -Double.infinity), ("+Infinity", nil, nil, Double.infinity),
    ] as [(String, Int64?, UInt64?, Double?)])
  func numbers(text: String, integer: Int64?, unsigned: UInt64?, double: Double?) throws {
    let value = try parse(text, .json5)
    #expect(value == .number(text))
    #expect(value.integer == integer)
    #expect(value.unsigned == unsigned)
    #expect(value.double == double)
  }
}
