import JSONReading
import Testing

@Suite struct JSON5Tests {
  @Test func theExampleOfItsPage() throws {
    let tree = try parse(
      #"""
      {
        // comments
        unquoted: 'and you can quote me on that',
        singleQuotes: 'I can use "double quotes" here',
        lineBreaks: "Look, Mom! \
      No \\n's!",
        hexadecimal: 0xdecaf,
        leadingDecimalPoint: .8675309, andTrailing: 8675309.,
        positiveSign: +1,
        trailingComma: 'in objects', andIn: ['arrays',],
        "backwardsCompatible": "with JSON", /* and block
        comments */
      }
      """#, .json5)
    #expect(tree["unquoted"] == .string("and you can quote me on that"))
    #expect(tree["singleQuotes"] == .string("I can use \"double quotes\" here"))
    #expect(tree["lineBreaks"] == .string("Look, Mom! No \\n's!"))
    #expect(tree["hexadecimal"]?.integer == 0xdecaf)
    #expect(tree["leadingDecimalPoint"]?.double == 0.8675309)
    #expect(tree["andTrailing"]?.double == 8_675_309)
    #expect(tree["positiveSign"]?.integer == 1)
    #expect(tree["andIn"] == .array([.string("arrays")]))
    #expect(tree.member("backwardsCompatible")?.position == JSONPosition(line: 11, column: 3))
    #expect(tree.members?.count == 10)
  }

  @Test(arguments: [
    ("''", JSONValue.string("")),
    (#"'\'\"\v\0\x41\a\é'"#, .string("'\"\u{B}\0Aaé")),
    ("'a\\\nb\\\r\nc\\\rd\\\u{2028}e\\\u{2029}f'", .string("abcdef")),
    ("'\u{2028}\u{2029}\t\u{1}'", .string("\u{2028}\u{2029}\t\u{1}")),
    ("'\\x00\\xfF'", .string("\0ÿ")),
    ("\u{FEFF}\u{A0}\u{B}\u{C}\u{2028}\u{3000}1\u{2029}", .number("1")),
    ("[]//", .array([])), ("/**/[/***/]/**/", .array([])), ("[1,]", .array([.number("1")])),
    ("NaN", .number("NaN")), ("-NaN", .number("-NaN")), ("Infinity", .number("Infinity")), ("+.1e-5", .number("+.1e-5")),
    ("0.", .number("0.")),
    ("0XaBc", .number("0XaBc")), ("0e0", .number("0e0")), ("// a\r1", .number("1")), ("// a\u{2028}1", .number("1")),
  ])
  func accepts(text: String, value: JSONValue) throws {
    #expect(try parse(text, .json5) == value)
  }

  @Test(arguments: ["a", "$", "_a$1", "ünïcode", "null", "a\u{200C}b", "\\u0061b", "\u{2160}", "Infinity", "ー", "a\u{301}"])
  func keysWithoutQuotes(key: String) throws {
    let tree = try parse("{\(key): 1}", .json5)
    #expect(tree.members?.first?.key.utf8.elementsEqual(key.replacing("\\u0061", with: "a").utf8) == true)
  }

  @Test(arguments: [
    "", "{", "[", "{1: 2}", "{a b: 1}", "{a}", "{a:}", "{,}", "[,]", "[1,,]", "{a: 1,,}", "{-a: 1}", "{a-b: 1}", "{\\u0020: 1}",
    "{\\u0031a: 1}", "{\\x61: 1}",
    "'\n'", "'\r'", "'", "'\"", "'\\1'", "'\\9'", "'\\01'", "'\\x4'", "'\\u12'", "010", "0x", "0xG", ".", "+", "-", "1e", "1e+", ".e1",
    "--1", "+-1", "- 1", "1_0",
    "infinity", "Infinit", "nan", "undefined", "/", "/*", "/* *", "1 /", "#", "1 2", "[1 2]", "{a: 1 b: 2}", "{\"a\": 1, a: 2}",
    "\u{200B}1", "0b1", "0o7", "1n", "`a`",
  ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try parse(text, .json5) }
  }

  @Test(arguments: [
    ("{a: 1\n b: 2}", "2:2: expected ',' or '}', found 'b'"),
    ("{\n\n1: 2}", "3:1: expected a key or '}', found '1'"),
    ("[/* x", "1:2: the comment has no end: expected '*/'"),
    ("'a\nb'", "1:3: expected the end of the string in its line, found U+000A"),
    ("'\\7'", "1:3: a backslash before a digit, other than \\0, is no escape"),
  ])
  func errorsSayWhatWasExpected(text: String, message: String) {
    let error = #expect(throws: JSONError.self) { try parse(text, .json5) }
    #expect(error?.description == message)
  }
}
