import TestSupport
import Testing

@testable import AccountExport

/// JSON inside of texts: the text stays text, and what is secret in it is replaced within it.
@Suite struct TextLookTests {
  private static func edits(_ text: String) -> TextEdits {
    var look = TextLook(MaskingRules(ExportRequest()))
    return Array(text.utf8).withUnsafeBufferPointer { look.edits(in: $0) }
  }

  private static func masked(_ text: String) -> (text: String, count: Int) {
    let edits = edits(text)
    var bytes: [UInt8] = []
    Array(text.utf8).withUnsafeBufferPointer { edits.apply(to: $0, into: &bytes) }
    return (String(decoding: bytes, as: UTF8.self), edits.counts.count(.secret, .text))
  }

  static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhb"

  @Test(
    arguments: [
      // Every kind of value under a key that names a secret.
      (#"{"password":"x"}"#, #"{"password":"[redacted]"}"#, 1), (#"{"token": 7 , "a":1}"#, #"{"token": "[redacted]" , "a":1}"#, 1),
      (#"{"tokens":["a",{"b":1}],"c":[]}"#, #"{"tokens":"[redacted]","c":[]}"#, 1),
      (#"{"apiKey":{"password":"x","y":1}}"#, #"{"apiKey":"[redacted]"}"#, 1), (#"[{"secret":-1.5e3}]"#, #"[{"secret":"[redacted]"}]"#, 1),
      (#"{"a":{"b":[{"pass\u0077ord":"\u00e9\n"}]}}"#, #"{"a":{"b":[{"pass\u0077ord":"[redacted]"}]}}"#, 1),
      ("  {\n\t\"password\" : \"x\"\r\n}  ", "  {\n\t\"password\" : \"[redacted]\"\r\n}  ", 1),
      (#"{"password":"a","password":"b"}"#, #"{"password":"[redacted]","password":"[redacted]"}"#, 2),
      // Beside a sibling that names it, before or behind.
      (#"{"name":"session_token","value":"x"}"#, #"{"name":"session_token","value":"[redacted]"}"#, 1),
      (#"{"value":"x","y":1,"name":"session_token"}"#, #"{"value":"[redacted]","y":1,"name":"session_token"}"#, 1),
      (#"{"data":{"a":[1],"password":"p"},"key":"apiKey"}"#, #"{"data":"[redacted]","key":"apiKey"}"#, 1),
      (#"{"option_value":1,"value":2,"option_name":"pin"}"#, #"{"option_value":"[redacted]","value":"[redacted]","option_name":"pin"}"#, 2),
      (#"[{"key":"a","value":1},{"key":"token","value":2}]"#, #"[{"key":"a","value":1},{"key":"token","value":"[redacted]"}]"#, 1),
      // By its own form.
      (#"{"note":"\#(jwt)","list":["\#(jwt)"]}"#, #"{"note":"[redacted]","list":["[redacted]"]}"#, 2),
      // JSON in a string of JSON, and once more.
      (#"{"a":"{\"password\":\"x\"}"}"#, #"{"a":"{\"password\":\"[redacted]\"}"}"#, 1),
      (#"{"a":"{\"b\":\"{\\\"token\\\":1,\\\"c\\\":2}\"}"}"#, #"{"a":"{\"b\":\"{\\\"token\\\":\\\"[redacted]\\\",\\\"c\\\":2}\"}"}"#, 1),
      (#"{"value":"{\"password\":1}","name":"x"}"#, #"{"value":"{\"password\":\"[redacted]\"}","name":"x"}"#, 1),
      (#"{"value":"{\"password\":1}","name":"token"}"#, #"{"value":"[redacted]","name":"token"}"#, 1),
      // Half a surrogate pair is no UTF-8, but JSON all the same.
      (
        #"{"a":"\ud83d","b":"\udc00\ud800\ud800A\ud800\n","password":"x"}"#,
        #"{"a":"\ud83d","b":"\udc00\ud800\ud800A\ud800\n","password":"[redacted]"}"#, 1
      ),
    ] as [(String, String, Int)])
  func secrets(_ text: (is: String, becomes: String, count: Int)) {
    let masked = Self.masked(text.is)
    #expect(masked.text == text.becomes)
    #expect(masked.count == text.count)
  }

  @Test(
    arguments: [
      "", "{", "{}", "[]", "[1,2]", #"{"title":"x","password_hint":"dog","token_type":"bearer"}"#,
      // Nothing to hide.
      #"{"password":null,"token":"","secret":[],"apiKey":{},"otp":true,"salt":[ ],"pwd":{ }}"#,
      // No JSON from begin to end.
      #"{"password":"x""#, #"{"password":"x"} and more"#, #"{'password':'x'}"#, #"{"password":x}"#, "{password: 1}", #"{"password":"x"}{}"#,
      #"say {"password":"x"}"#, "[link](https://example.com/?token=x)", "{\"password\":\"\u{1}\"}",
      // Siblings that name nothing, of another object, or too far away.
      #"{"name":"colour","value":"x"}"#, #"{"name":"token","values_count":1}"#, #"{"name":"token","x":{"value":1}}"#,
      #"[{"name":"token"},{"value":1}]"#, #"{"value":"x","name":null}"#, #"{"value":null,"name":"token"}"#,
      #"{"a_value":1,"b_name":"token"}"#,
      #"{"name":"token","title":"secret"}"#, #"{"value":[],"name":"token"}"#,
      // A string that only begins as JSON does.
      #"{"a":"{\"password\":1"}"#, #"{"a":"[not json]"}"#,
    ])
  func others(_ text: String) {
    #expect(Self.edits(text).isEmpty)
    #expect(Self.masked(text).text == text)
  }

  /// A byte order mark stands before many a JSON text, and is read over by programs; it stays.
  @Test(arguments: [3, 40]) func behindAMark(piece: Int) async throws {
    let text = "\u{FEFF} {\"a\":\"\u{FEFF}{\\\"pin\\\":1}\",\"token\":7}"
    let expected = "\u{FEFF} {\"a\":\"\u{FEFF}{\\\"pin\\\":\\\"[redacted]\\\"}\",\"token\":\"[redacted]\"}"
    #expect(Self.masked(text) == (expected, 2))
    let bytes = Array(text.utf8)
    let staged = try await RowWriterTests.collection(
      ["a", "b"],
      [
        { row in
          row.text(text)
          var place = 0
          _ = try row.largeText { buffer in
            let count = min(piece, bytes.count - place)
            buffer.copyBytes(from: bytes[place..<place + count])
            place += count
            return count
          }
        }
      ])
    let string = "\"" + Self.escaped(expected) + "\""
    #expect(try staged.entry("c.json").text == "[\n{\"a\":\(string),\"b\":\(string)}\n]\n")
  }

  /// Messages and documents that people write stay byte for byte, in columns, in JSON, and where they are long.
  @Test(
    arguments: [
      "hi, the wifi password is hunter2",
      "password: hunter2",
      "token=abc&user=mira",
      "[password: hunter2]",
      "{password}",
      "{{secret}}",
      "[1] see the token below",
      "{\"password\": \"x\"",
      "{\"password\": \"x\",}",
      "{'password': 'x'}",
      "// {\"password\":\"x\"}",
      "{\"password\":\"x\"}\n{\"password\":\"y\"}",
      "```json\n{\"password\":\"x\"}\n```",
      "[secret](https://example.com)",
      "$5 for the cookie",
      "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
      "eyes wide open. really. yes.",
      "{SHA} is short",
      "{\"a\":1,\"b\":[\"password\",\"x\"]}",
      "{\"text\":\"my password is x\",\"from\":\"token\"}",
      "\"password\"",
      "[\"token\",\"secret\"]",
      "{\"message\":{\"title\":\"secret\",\"body\":\"v\"}}",
      "\u{FEFF}password",
      "\u{FEFF}",
      "\u{FF08}password\u{FF09}",
      "{",
      "[",
      "{}",
      " [ ] ",
      "{\"e\":1e999}",
      "{\"password_hint\":\"dog\",\"tokens_used\":5}",
    ])
  func whatPeopleWriteStays(_ text: String) async throws {
    let bytes = Array(text.utf8)
    let staged = try await RowWriterTests.collection(
      ["body", "long", "json"],
      [
        { row in
          row.text(text)
          var isDone = false
          _ = try row.largeText { buffer in
            defer { isDone = true }
            if isDone { return 0 }
            buffer.copyBytes(from: bytes)
            return bytes.count
          }
          try row.nested { (nested) throws in
            try nested.beginArray()
            try bytes.withUnsafeBufferPointer { try nested.text($0) }
            nested.endArray()
          }
        }
      ])
    let string = "\"" + Self.escaped(text) + "\""
    #expect(try staged.entry("c.json").text == "[\n{\"body\":\(string),\"long\":\(string),\"json\":[\(string)]}\n]\n")
    #expect(staged.redactions == [:])
  }

  @Test func stringsInStringsAreBounded() {
    var text = #"{"password":1}"#
    for _ in 0..<8 {
      var writer = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      writer = #"{"a":"\#(writer)"}"#
      text = writer
    }
    #expect(Self.edits(text).isEmpty, "what lies this deep is not looked at")
  }

  @Test func deepTexts() {
    let text = String(repeating: "[", count: 50_000) + #"{"token":1}"# + String(repeating: "]", count: 50_000)
    #expect(Self.masked(text).count == 1)
  }

  /// The same in a row, whatever the text's length, and the same in a value with values in it.
  @Test(arguments: [0, 100, 200_000]) func inRows(_ padding: Int) async throws {
    let filler = String(repeating: "é\"\n\u{1}x", count: padding / 6)
    let text = #"{"a":"\#(Self.escaped(filler))","password":"p","b":{"value":"v","name":"pin"},"c":"{\"token\":\"t\"}"}"#
    let expected =
      #"{"a":"\#(Self.escaped(filler))","password":"[redacted]","b":{"value":"[redacted]","name":"pin"},"c":"{\"token\":\"[redacted]\"}"}"#
    let bytes = Array(text.utf8)
    let staged = try await RowWriterTests.collection(
      ["small", "large", "nested"],
      [
        { row in
          row.text(text)
          var place = 0
          let isText = try row.largeText { buffer in
            let count = min(buffer.count, bytes.count - place, 1 + place % 40_000)
            buffer.copyBytes(from: bytes[place..<place + count])
            place += count
            return count
          }
          #expect(isText)
          try row.nested(isLarge: true) { nested in
            try nested.beginArray()
            try bytes.withUnsafeBufferPointer { try nested.text($0) }
            nested.beginText()
            try bytes.withUnsafeBufferPointer { bytes in
              let middle = bytes.count / 2
              try nested.appendText(UnsafeBufferPointer(rebasing: bytes[..<middle]))
              try nested.appendText(UnsafeBufferPointer(rebasing: bytes[middle...]))
            }
            try nested.endText()
            nested.integer(7)
            nested.endArray()
          }
        }
      ])
    let string = "\"" + Self.escaped(expected) + "\""
    let written = try staged.entry("c.json").text
    #expect(written == "[\n{\"small\":\(string),\"large\":\(string),\"nested\":[\(string),\(string),7]}\n]\n")
    #expect(staged.redactions == ["c.small": 3, "c.large": 3, "c.nested": 6])
    #expect(staged.tally.redactions.allSatisfy { $0.value.inText == $0.value.count })
    #expect(try staged.entry("c.json").table?.kinds == [.text, .text, .array])
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\u{1}": escaped += "\\u0001"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// More secrets than can be kept in mind: the text is masked as a whole, and nothing of it leaves.
  @Test func tooManySecrets() async throws {
    let text = Array(("[" + String(repeating: #"{"pin":1},"#, count: TextLook.mostEdits + 1) + "0]").utf8)
    let staged = try await RowWriterTests.collection(
      ["a", "b"],
      [
        { row in
          var place = 0
          _ = try row.largeText { buffer in
            let count = min(buffer.count, text.count - place)
            buffer.copyBytes(from: text[place..<place + count])
            place += count
            return count
          }
          row.integer(1)
        }
      ])
    #expect(try staged.entry("c.json").text == "[\n{\"a\":{\"$redacted\":\"secret\"},\"b\":1}\n]\n")
    #expect(staged.redactions == ["c.a": 1])
    #expect(try staged.entry("c.json").table?.kinds == [.object, .integer])
  }
}
