import TestSupport
import Testing

@testable import AccountExport

/// Names beside values where there are many of them, or where they are no names.
@Suite struct SiblingsTests {
  private static func masked(_ text: String) -> (text: String, count: Int) {
    var look = TextLook(MaskingRules(ExportRequest()))
    return Array(text.utf8).withUnsafeBufferPointer { utf8 in
      let edits = look.edits(in: utf8)
      var bytes: [UInt8] = []
      edits.apply(to: utf8, into: &bytes)
      return (String(decoding: bytes, as: UTF8.self), edits.counts.count(.secret, .text))
    }
  }

  /// The same in a column of JSON.
  private static func nested(_ json: String) async throws -> (text: String, count: Int) {
    let staged = try await RowWriterTests.collection(
      ["j"],
      [
        { row in
          try row.nested(isLarge: true) { (nested) throws in
            try Array(json.utf8).withUnsafeBytes { try nested.json($0, depth: 100) }
          }
        }
      ])
    return (String(try staged.entry("c.json").text.dropFirst(#"[?{"j":"#.count).dropLast(4)), staged.redactions["c.j", default: 0])
  }

  /// Each word for a name, and each for a value.
  @Test(
    arguments: [
      ("key", "value"), ("name", "val"), ("setting", "values"), ("type", "value"), ("title", "value"), ("id", "value"), ("header", "value"),
      ("key", "data"), ("key", "blob"), ("meta_key", "meta_value"), ("configName", "configValue"), ("k", "v"), ("n", "v"),
      ("FIELD", "VALUE"), ("env.variable", "env.value"), ("key 1", "value 1"),
    ])
  func words(_ name: String, _ value: String) async throws {
    for (is_, masked) in [
      (#"{"\#(name)":"api_token","\#(value)":"x"}"#, #"{"\#(name)":"api_token","\#(value)":?}"#),
      (#"{"\#(value)":"x","\#(name)":"api_token"}"#, #"{"\#(value)":?,"\#(name)":"api_token"}"#),
    ] {
      #expect(Self.masked(is_) == (masked.replacing("?", with: #""[redacted]""#), 1))
      #expect(try await Self.nested(is_) == (masked.replacing("?", with: #"{"$redacted":"secret"}"#), 1))
    }
  }

  /// What is named by a sentence, a line of a text, or a name of something else, is the account's own.
  @Test(
    arguments: [
      #"{"title":"What to do when you have forgotten your password","value":"Ask the desk."}"#,
      #"{"name":"Shopping\npassword","value":"milk"}"#, #"{"name":"colour","value":"red"}"#, #"{"id":"password-hint","value":"dog"}"#,
      #"{"type":"message","value":"my password is on the fridge"}"#, #"{"name":["password"],"value":"x"}"#,
      #"{"name":{"name":"password"},"value":"x"}"#, #"{"content":"x","name":"token"}"#, #"{"id":7,"value":"x"}"#,
    ])
  func others(_ text: String) async throws {
    #expect(Self.masked(text) == (text, 0))
    #expect(try await Self.nested(text) == (text, 0))
  }

  /// Hundreds of names in one object hide nothing by their number: only those of secrets do.
  @Test func manyNames() async throws {
    let names = (0..<700).map { #""a\#($0)_name":"colour""# }.joined(separator: ",")
    let values = (0..<700).map { #""a\#($0)_value":1"# }.joined(separator: ",")
    let text = #"{\#(names),"b_name":"pin",\#(values),"b_value":2}"#
    let masked = #"{\#(names),"b_name":"pin",\#(values),"b_value":?}"#
    #expect(Self.masked(text) == (masked.replacing("?", with: #""[redacted]""#), 1))
    #expect(try await Self.nested(text) == (masked.replacing("?", with: #"{"$redacted":"secret"}"#), 1))
  }

  /// More names of secrets in one object than are kept: each value of their kind is masked from then on.
  @Test func tooManyNames() async throws {
    let names = (0..<300).map { #""a\#($0)_name":"token""# }.joined(separator: ",")
    let text = #"{"b_value":1,\#(names),"c_value":2,"a299_value":3,"c":4}"#
    #expect(Self.masked(text) == (#"{"b_value":1,\#(names),"c_value":"[redacted]","a299_value":"[redacted]","c":4}"#, 2))
    let m = #"{"$redacted":"secret"}"#
    #expect(try await Self.nested(text) == (#"{"b_value":1,\#(names),"c_value":\#(m),"a299_value":\#(m),"c":4}"#, 2))
  }

  /// More values in one object than can wait for a name are masked.
  @Test func tooManyValues() {
    let most = Siblings<Int>.mostWaiting
    let values = (0..<most + 2).map { #""a\#($0)_value":1"# }.joined(separator: ",")
    let masked = Self.masked("{\(values)}")
    #expect(masked.count == 2)
    #expect(masked.text.hasSuffix(#","a\#(most - 1)_value":1,"a\#(most)_value":"[redacted]","a\#(most + 1)_value":"[redacted]"}"#))
  }

  /// The counts of an object hold whatever is taken back in it, and of which reason it was.
  @Test func countsOfWhatIsTakenBack() async throws {
    var request = ExportRequest.fixed
    request.law = "CCPA"
    let staged = try await Staged(request: request) { writer in
      try await writer.value("v") { value in
        try value.beginObject()
        value.key("value")
        try value.beginObject()
        for (key, text) in [("ssn", "1"), ("password", "2"), ("note", #"{"pin":1,"iban":2}"#)] {
          value.key(key)
          value.text(text)
        }
        value.endObject()
        value.key("ssn")
        value.text("3")
        value.key("name")
        value.text("token")
        value.endObject()
      }
    }
    #expect(
      try staged.entry("v.json").text == #"{"value":{"$redacted":"secret"},"ssn":{"$redacted":"regulated"},"name":"token"}"# + "\n")
    #expect(
      staged.tally.redactions == [
        .init(path: "v: value", reason: .secret): .init(count: 1), .init(path: "v: ssn", reason: .regulated): .init(count: 1),
      ])
  }
}
