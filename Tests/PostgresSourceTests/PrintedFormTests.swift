import AccountExport
import Testing

@testable import PostgresSource

@Suite("Forms in which PostgreSQL prints values")
struct PrintedFormTests {
  /// All tokens of an array's text, or nil where it is none.
  private func array(_ text: [UInt8]) -> [String]? {
    text.withUnsafeBufferPointer { text in
      do {
        var array = try ArrayText(text, delimiter: UInt8(ascii: ","))
        var tokens: [String] = []
        while let token = try array.next() {
          switch token {
          case .open: tokens.append("{")
          case .close: tokens.append("}")
          case .null: tokens.append("null")
          case .plain(let range): tokens.append("=" + String(decoding: text[range], as: UTF8.self))
          case .escaped: tokens.append("=" + String(decoding: array.unescaped, as: UTF8.self))
          }
        }
        return tokens
      } catch { return nil }
    }
  }

  @Test(arguments: [
    ("{}", ["{", "}"]), (#"{a,"b c",NULL,"NULL","\"\\"}"#, ["{", "=a", "=b c", "null", "=NULL", #"="\"#, "}"]),
    ("[2:3][1:1]={{1},{2}}", ["{", "{", "=1", "}", "{", "=2", "}", "}"]), ("{null}", ["{", "=null", "}"]),
  ])
  func arrays(text: String, expected: [String]) { #expect(array(Array(text.utf8)) == expected) }

  @Test(
    "what is no array",
    arguments: [
      "", "{", "}", "{1", "{1,}", "{,1}", "{1}}", "{1}x", "{\"a}", "{\"a\\", "{\"a\\\"", "[1:2]", "{a\"b}", "{1{2}}", "{\"a\"b}", "1 2",
      "{{1}{2}}",
    ])
  func noArrays(text: String) { #expect(array(Array(text.utf8)) == nil) }

  private func composite(_ text: [UInt8], count: Int) -> [String]? {
    text.withUnsafeBufferPointer { text in
      do {
        var composite = try CompositeText(text)
        var members: [String] = []
        for index in 0..<count {
          switch try composite.next(isLast: index == count - 1) {
          case .null: members.append("null")
          case .plain(let range): members.append("=" + String(decoding: text[range], as: UTF8.self))
          case .escaped: members.append("=" + String(decoding: composite.unescaped, as: UTF8.self))
          }
        }
        return members
      } catch { return nil }
    }
  }

  @Test(arguments: [
    ("(1,,\"\")", ["=1", "null", "="]), (#"("a""b","c\\d","(,)")"#, [#"=a"b"#, #"=c\d"#, "=(,)"]), ("()", ["null"]), ("(NULL)", ["=NULL"]),
  ])
  func composites(text: String, expected: [String]) { #expect(composite(Array(text.utf8), count: expected.count) == expected) }

  @Test("what is no composite", arguments: ["", "(", "(1", "(1,2", "(1,2)x", "(\"1,2)", "1,2", "(1,2,3)", "(1)", "(1,\"2\\"])
  func noComposites(text: String) { #expect(composite(Array(text.utf8), count: 2) == nil) }

  @Test("damaged texts end in an answer", arguments: 0..<20)
  func damage(seed: UInt64) {
    var state = seed &+ 1
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let alphabet = Array(#"{}[]=,"\()NULL:1a "#.utf8) + [0, 0xFF]
    for _ in 0..<2000 {
      let text = (0..<random(24)).map { _ in alphabet[random(alphabet.count)] }
      if let tokens = array(text) { #expect(tokens.filter { $0 == "{" }.count == tokens.filter { $0 == "}" }.count) }
      if let members = composite(text, count: 2) { #expect(members.count == 2) }
      text.withUnsafeBufferPointer { _ = PrintedTime($0) }
    }
  }

  @Test(
    "times",
    arguments: [
      ("1970-01-01 00:00:00+00", 0, true), ("2000-03-01 00:00:00", 951_868_800, true), ("1969-12-31 23:59:59.5+00", -1, true),
      ("0001-01-01 00:00:00", -62_135_596_800, true), ("0001-12-31 00:00:00 BC", -62_135_683_200, false),
      ("294276-12-31 23:59:59", 9_224_318_015_999, false),
    ])
  func times(text: String, seconds: Int64, isPlain: Bool) {
    Array(text.utf8).withUnsafeBufferPointer { text in
      let time = PrintedTime(text)
      #expect(time?.moment.seconds == seconds)
      #expect(time?.isPlain == isPlain)
    }
  }

  @Test(
    "what is no time",
    arguments: [
      "", "infinity", "2024-02-01", "2024-02-01 08:00", "2024-13-01 00:00:00", "2024-02-01 08:00:00+01", "2024-02-01 08:00:00 BC ",
    ])
  func noTimes(text: String) { Array(text.utf8).withUnsafeBufferPointer { #expect(PrintedTime($0) == nil) } }
}
