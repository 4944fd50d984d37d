import JSONReading
import Testing

@Suite struct ScannerTests {
  @Test func events() {
    let text = #" {"a\n": [1, -2.5e3, true, false, null, "x\u00e9\ud83d\ude00y"], "": {}} "#
    #expect(
      scan(Array(text.utf8)).events == [
        "{", "key a\n", "[", "number 1", "number -2.5e3", "true", "false", "null", "string xé😀y", "]", "key ", "{", "}", "}",
      ])
  }

  @Test(arguments: strictTexts)
  func acceptsJSON(text: String) throws {
    let result = scan(Array(text.utf8))
    #expect(result.error == nil)
    #expect(try result.events == JSONReadingTests.events(of: parse(text)))
  }

  @Test(arguments: notStrictTexts)
  func refusesWhatIsNoJSON(text: String) {
    #expect(scan(Array(text.utf8)).error != nil)
  }

  @Test(arguments: notUTF8)
  func refusesWhatIsNoUTF8(bytes: [UInt8]) {
    for text in [[0x22] + bytes + [0x22], [0x7B, 0x22] + bytes + [0x22], [0x22, 0x61, 0x22] + bytes] {
      #expect(scan(text).error != nil)
    }
    #expect(scan([0x22] + bytes + [0x22]).error?.code == .invalidUTF8)
  }

  @Test(arguments: [#""\ud800""#, #""\udc00""#, #""\ud800a""#, #""\ud800\n""#, #""\ud800\ud800""#, #""\ud800\u0041""#, #"{"\udfff":1}"#])
  func refusesHalfSurrogatePairs(text: String) {
    #expect(scan(Array(text.utf8)).error?.code == .unpairedSurrogate)
  }

  @Test(arguments: [
    (#""\ud800""#, "\u{FFFD}"), (#""\udc00x""#, "\u{FFFD}x"), (#""\ud800a""#, "\u{FFFD}a"), (#""\ud800\n""#, "\u{FFFD}\n"),
    (#""\ud800\ud801\ud83d\ude00""#, "\u{FFFD}\u{FFFD}😀"), (#""\ud800\u0041""#, "\u{FFFD}A"), (#""\udfff\udfff""#, "\u{FFFD}\u{FFFD}"),
    (#""\ud83d\ude00\ud83d""#, "😀\u{FFFD}"),
  ])
  func replacesHalfSurrogatePairs(text: (is: String, becomes: String)) throws {
    for cut in 0...text.is.utf8.count {
      let found = try offsets(text.is, cutAt: cut, limits: .init(replacesHalfPairs: true))
      #expect(found.strings == [text.becomes])
      #expect(found.values == [text.is])
    }
  }

  /// The bytes of each value, containers behind what they hold.
  @Test(arguments: [
    ("7", ["7"]), (" -1.5e3 ", ["-1.5e3"]), ("true", ["true"]), (#" "a\"b" "#, [#""a\"b""#]), ("[]", ["[]"]), ("{ }", ["{ }"]),
    (#"{"a": 1,"b":[null , "x"] }"#, ["1", "null", #""x""#, #"[null , "x"]"#, #"{"a": 1,"b":[null , "x"] }"#]),
    ("[12,{\"k\":false}]", ["12", "false", "{\"k\":false}", "[12,{\"k\":false}]"]),
    ("[\"é\u{1F600}\"]", ["\"é\u{1F600}\"", "[\"é\u{1F600}\"]"]),
  ])
  func tellsWhereValuesStand(text: (is: String, values: [String])) throws {
    for cut in 0...text.is.utf8.count { #expect(try offsets(text.is, cutAt: cut).values == text.values) }
  }

  private func offsets(_ text: String, cutAt cut: Int, limits: JSONScanner.Limits = .init()) throws -> (values: [String], strings: [String])
  {
    let bytes = Array(text.utf8)
    var handler = Offsets()
    var scanner = JSONScanner(limits: limits)
    try bytes[..<cut].withUnsafeBytes { try scanner.feed($0, handler: &handler) }
    try bytes[cut...].withUnsafeBytes { try scanner.feed($0, handler: &handler) }
    try scanner.finish(handler: &handler)
    #expect(handler.begun.isEmpty)
    return (handler.values.map { String(decoding: bytes[$0], as: UTF8.self) }, handler.strings)
  }

  private struct Offsets: JSONEventHandler {
    var begun: [Int] = []
    var values: [Range<Int>] = []
    var strings: [String] = []
    private var bytes: [UInt8] = []

    mutating func valueBegins(at offset: Int) { begun.append(offset) }
    mutating func valueEnds(at offset: Int) { values.append(begun.removeLast()..<offset) }
    mutating func beginString() { bytes = [] }
    mutating func stringPart(_ utf8: UnsafeRawBufferPointer) { bytes += utf8 }
    mutating func endString() { strings.append(String(decoding: bytes, as: UTF8.self)) }
  }

  /// However the text is cut, the events and the error, with its place, are the same.
  @Test(arguments: chunkedTexts)
  func anyCutGivesTheSame(text: String) {
    let bytes = Array(text.utf8)
    checkEveryCut(bytes)
    // The end of the text is a cut too, and a byte that is wrong another.
    for end in bytes.indices {
      checkEveryCut(Array(bytes[..<end]), pairs: false)
    }
  }

  @Test(arguments: notUTF8)
  func anyCutGivesTheSameError(bytes: [UInt8]) {
    checkEveryCut(Array("[\"é".utf8) + bytes + Array("\"]".utf8))
  }

  private func checkEveryCut(_ bytes: [UInt8], pairs: Bool = true) {
    let whole = scan(bytes)
    #expect(scan(bytes, cutAt: Array(bytes.indices)) == whole)
    for first in 0...bytes.count {
      #expect(scan(bytes, cutAt: [first]) == whole)
      guard pairs && bytes.count <= 60 else { continue }
      for second in first...bytes.count where scan(bytes, cutAt: [first, second]) != whole {
        Issue.record("cut at \(first) and \(second)")
      }
    }
  }

  @Test(arguments: [
    ("[1,\n2,\r\n 3 4]", 11, 3, "expected ',' or ']', found '4'"), ("", 0, 1, "expected a value, found the end of the text"),
    ("\r\r\n\n[1", 6, 4, "expected ',' or ']', found the end of the text"), ("{\"a\":1,}", 7, 1, "expected a key, found '}'"),
    ("{\"a\" 1}", 5, 1, "expected ':' after the key, found '1'"), ("trux", 3, 1, "expected the rest of true, found 'x'"),
    ("[\"\\q\"]", 3, 1, "expected one of \"\\/bfnrtu after the backslash, found 'q'"),
    ("[01]", 2, 1, "expected no digit behind a leading zero, found '1'"),
    ("[1.]", 3, 1, "expected a digit, found ']'"), ("[] []", 3, 1, "expected the end of the text, found '['"),
    ("\u{FEFF}1", 0, 1, "expected a value, found a byte 0xef"),
    ("[\"a\u{1}\"]", 3, 1, "expected an escape in place of a control character"),
    ("[\"abc", 5, 1, "expected the end of the string, found the end of the text"),
  ])
  func errorsSayWhereAndWhatWasExpected(text: String, offset: Int, line: Int, message: String) {
    let error = scan(Array(text.utf8)).error
    #expect(error?.offset == offset)
    #expect(error?.position.line == line)
    #expect(error?.message == message)
  }

  @Test func limits() {
    let deep = [UInt8](repeating: 0x5B, count: 512) + [UInt8](repeating: 0x5D, count: 512)
    #expect(scan(deep).error == nil)
    #expect(scan([0x5B] + deep).error?.code == .tooDeep)
    #expect(scan([0x5B] + deep).error?.offset == 512)
    for text in ["{\"12345678\":1}", "[12345678]", "{\"1\\u00324567\":1}"] {
      let bytes = Array(text.utf8)
      let limits = JSONScanner.Limits(tokenBytes: 6)
      #expect(scan(bytes, limits: limits).error?.code == (text.contains("\\") ? nil : .tooLong))
      #expect(scan(bytes, cutAt: Array(bytes.indices), limits: limits).error?.code == (text.contains("\\") ? nil : .tooLong))
    }
    // A string has no limit.
    #expect(scan(Array("\"0123456789\"".utf8), limits: .init(tokenBytes: 2)).error == nil)
  }

  @Test func anErrorStays() throws {
    var scanner = JSONScanner()
    var handler = JSONValidityHandler()
    var errors: [JSONError] = []
    for text in ["[1", " 2", "]"] {
      var text = text
      let result = text.withUTF8 { bytes in
        Result { () throws(JSONError) in try scanner.feed(UnsafeRawBufferPointer(bytes), handler: &handler) }
      }
      if case .failure(let error) = result { errors.append(error) }
    }
    let last = #expect(throws: JSONError.self) { try scanner.finish(handler: &handler) }
    #expect(errors.count == 2)
    #expect(Set(errors.map(\.offset)) == [3])
    #expect(last?.offset == 3)
  }

  @Test func whatTheHandlerRefusesGetsItsPlace() {
    struct Picky: JSONEventHandler {
      mutating func null() throws(JSONError) { throw JSONError(code: .refused, message: "no nulls here") }
    }
    var scanner = JSONScanner()
    var handler = Picky()
    let error = #expect(throws: JSONError.self) {
      try Array("[1,\nnull]".utf8).withUnsafeBytes { try scanner.feed($0, handler: &handler) }
    }
    #expect(error?.code == .refused)
    #expect(error?.message == "no nulls here")
    #expect(error?.offset == 8)
    #expect(error?.position.line == 2)
  }

  /// Texts that are nearly JSON: the scanner and the tree parser, which share no code for it, agree on each.
  @Test func scannerAndParserAgree() throws {
    var random = SeededGenerator(seed: 11)
    let pool = chunkedTexts.map { Array($0.utf8) }
    let bytes = Array("{}[]:,\"\\/0123456789.-+eEtrufalsn \n\tbdD8".utf8) + [0xC3, 0xA9, 0xED, 0xA0, 0xF0, 0x9F, 0x00, 0x1F, 0x7F]
    var accepted = 0
    for _ in 0..<20_000 {
      var text = pool.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty {
        let place = text.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = bytes.randomElement(using: &random) ?? 0
        case 1: text.remove(at: place)
        default: text.insert(bytes.randomElement(using: &random) ?? 0, at: place)
        }
      }
      let cuts = (0..<2).map { _ in Int.random(in: 0...text.count, using: &random) }.sorted()
      let scanned = scan(text, cutAt: cuts)
      let parsed = Result { try JSONParser.parse(text, duplicateKeys: .kept) }
      switch parsed {
      case .success(let tree):
        let holdsHalfPair = scanned.error?.code == .unpairedSurrogate
        #expect(holdsHalfPair || scanned.events == JSONReadingTests.events(of: tree) && scanned.error == nil)
        accepted += 1
      case .failure: #expect(scanned.error != nil)
      }
    }
    #expect(accepted > 5000)
  }
}

/// Texts with everything that a cut may go through.
let chunkedTexts = [
  #"{"key":"value","k\u0065y2":"\ud83d\ude00\n\\\"é€😀"}"#,
  #"[-0,-12.50e+10,0.1E-2,1e5,123456789]"#,
  "[true,false,null,[],{},\"\"]\r\n",
  "-1.5e3", "null", "\"abcdefghijklmnop é qrstuvwxyz\"", "{\"\u{10FFFF}\u{800}\":\"\\u0000\\/\\b\\f\\r\\t\"}", " \r\n\t[ 1 ,\r\n2 ] \r",
  #"{"a":{"b":[{"c":[[1],[2,{"d":null}]]}]}}"#,
]
