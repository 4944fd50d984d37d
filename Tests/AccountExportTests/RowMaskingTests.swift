import TestSupport
import Testing

@testable import AccountExport

/// Values that a sibling names: `meta_key` says what `meta_value` is, before it or after.
@Suite struct RowMaskingTests {
  private static let mask = #"{"$redacted":"secret"}"#

  private static func row(_ columns: [String], announce: String? = nil, _ body: @escaping (inout RowWriter) throws -> Void) async throws
    -> (text: String, staged: Staged)
  {
    let staged = try await RowWriterTests.collection(columns, [body])
    let text = try staged.entry("c.json").text
    return (String(text.dropFirst(2).dropLast(3)), staged)
  }

  @Test(arguments: ["session_tokens", "apiKey", "smtp_pass"]) func namedBefore(_ name: String) async throws {
    let (text, staged) = try await Self.row(["id", "meta_key", "meta_value"]) {
      $0.integer(1); $0.text(name); $0.text("x")
    }
    #expect(text == #"{"id":1,"meta_key":"\#(name)","meta_value":\#(Self.mask)}"#)
    #expect(staged.redactions == ["c.meta_value": 1])
  }

  @Test(arguments: [
    ("text", #""x""#), ("integer", "7"), ("no bytes", #"{"$base64":""}"#), ("bytes", #"{"$base64":"AQ=="}"#), ("real", "0.5"),
    ("empty", #""""#), ("null", "null"),
    ("true", "true"),
  ])
  func namedAfter(_ value: (kind: String, plain: String)) async throws {
    func write(_ row: inout RowWriter) throws {
      switch value.kind {
      case "text": row.text("x")
      case "integer": row.integer(7)
      case "bytes": try [1 as UInt8].withUnsafeBytes { try row.bytes($0) }
      case "no bytes": try row.bytes(UnsafeRawBufferPointer(start: nil, count: 0))
      case "real": row.real(0.5)
      case "empty": row.text("")
      case "true": row.boolean(true)
      default: row.null()
      }
    }
    let isKept = ["empty", "null", "true", "no bytes"].contains(value.kind)
    let (text, staged) = try await Self.row(["value", "n", "key"]) {
      try write(&$0); $0.integer(3); $0.text("reset_token")
    }
    #expect(text == #"{"value":\#(isKept ? value.plain : Self.mask),"n":3,"key":"reset_token"}"#)
    #expect(staged.redactions == (isKept ? [:] : ["c.value": 1]))
    let (plain, unmasked) = try await Self.row(["value", "n", "key"]) {
      try write(&$0); $0.integer(3); $0.text("colour")
    }
    #expect(plain == #"{"value":\#(value.plain),"n":3,"key":"colour"}"#)
    #expect(unmasked.redactions.isEmpty)
  }

  @Test func severalPairsInOneRow() async throws {
    let (text, staged) = try await Self.row(["a_value", "b_value", "a_key", "b_key", "c"]) { row in
      row.text("a long value that is longer than the mask is")
      row.text("b")
      row.text("token")
      row.text("password")
      row.text("c")
    }
    #expect(text == #"{"a_value":\#(Self.mask),"b_value":\#(Self.mask),"a_key":"token","b_key":"password","c":"c"}"#)
    #expect(staged.redactions == ["c.a_value": 1, "c.b_value": 1])
    #expect(try staged.entry("c.json").table?.kinds == [.object, .object, .text, .text, .text])
  }

  @Test func eachRowBeginsAnew() async throws {
    let staged = try await RowWriterTests.collection(
      ["key", "value"],
      [
        {
          $0.text("token"); $0.text("a")
        },
        {
          $0.text("colour"); $0.text("b")
        },
        {
          $0.null(); $0.text("c")
        },
      ])
    let lines = try staged.entry("c.json").text.split(separator: "\n").dropFirst().dropLast().map { $0.split(separator: "value\":")[1] }
    #expect(lines == ["\(Self.mask)},", "\"b\"},", "\"c\"}"])
  }

  /// What has a file of its own is taken back with its file.
  @Test(arguments: [("session_token", true), ("session_token", false), ("colour", true), ("colour", false)])
  func largeBytesNamedAfter(_ name: String, isAnnounced: Bool) async throws {
    let isSecret = name == "session_token"
    let (text, staged) = try await Self.row(["value", "key"]) { row in
      if isAnnounced { Array(name.utf8).withUnsafeBufferPointer { row.announce(column: 1, $0) } }
      try [UInt8](repeating: 1, count: 5000).withUnsafeBytes { try row.bytes($0) }
      row.text(name)
    }
    #expect(text.contains("$file") != isSecret)
    #expect(text.contains("$redacted") == isSecret)
    #expect(staged.entries.count == (isSecret ? 1 : 2))
    #expect(staged.redactions == (isSecret ? ["c.value": 1] : [:]))
  }

  /// A long text has left the buffer when its name comes, and is taken back from where it is: told beforehand or not.
  @Test(arguments: [("session_token", true), ("session_token", false), ("colour", true), ("colour", false)], [100, 1 << 20])
  func longTextNamedAfter(_ name: (text: String, isAnnounced: Bool), memory: Int) async throws {
    var limits = ExportLimits()
    limits.stagedCollection = memory
    let staged = try await RowWriterTests.collection(
      ["value", "n", "key", "last"], limits: limits,
      [
        { row in
          row.text("before"); row.integer(1); row.text("colour"); row.integer(0)
        },
        { row in
          if name.isAnnounced { Array(name.text.utf8).withUnsafeBufferPointer { row.announce(column: 2, $0) } }
          try Self.writeLongText(&row)
          row.integer(7)
          row.text(name.text)
          row.integer(8)
        },
        { row in
          row.text("after"); row.integer(2); row.text("token"); row.integer(9)
        },
      ])
    let isSecret = name.text != "colour"
    let value = isSecret ? Self.mask : "\"" + String(repeating: "a", count: 150_000) + "\""
    #expect(
      try staged.entry("c.json").text == """
        [
        {"value":"before","n":1,"key":"colour","last":0},
        {"value":\(value),"n":7,"key":"\(name.text)","last":8},
        {"value":\(Self.mask),"n":2,"key":"token","last":9}
        ]

        """)
    #expect(staged.redactions == ["c.value": isSecret ? 2 : 1])
  }

  /// A long text takes what stands before it out of the buffer; that is masked there, though the mask is longer than it.
  @Test(arguments: ["session_token", "colour"], [100, 1 << 20]) func shortValueBeforeALongText(_ name: String, memory: Int) async throws {
    var limits = ExportLimits()
    limits.stagedCollection = memory
    let staged = try await RowWriterTests.collection(
      ["value", "body", "key"], limits: limits,
      [
        { row in
          row.text("v")
          try Self.writeLongText(&row)
          row.text(name)
        }
      ])
    let text = try staged.entry("c.json").text
    #expect(text.hasPrefix(name == "colour" ? "[\n" + #"{"value":"v","body":"aaa"# : "[\n" + #"{"value":\#(Self.mask),"body":"aaa"#))
    #expect(text.hasSuffix(#"aaa","key":"\#(name)"}"# + "\n]\n"))
    #expect(staged.redactions == (name == "colour" ? [:] : ["c.value": 1]))
  }

  private static func writeLongText(_ row: inout RowWriter) throws {
    var left = 150_000
    let isText = try row.largeText { buffer in
      let count = min(left, buffer.count)
      buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 0x61)
      left -= count
      return count
    }
    #expect(isText)
  }

  /// What is masked inside a value goes with the value when that is masked as a whole.
  @Test(arguments: ["session_token", "colour"]) func nestedNamedAfter(_ name: String) async throws {
    let (text, staged) = try await Self.row(["value", "key"]) { row in
      try row.nested { nested in
        try nested.beginObject()
        for key in ["password", "token"] {
          Array(key.utf8).withUnsafeBufferPointer { nested.key($0) }
          nested.integer(1)
        }
        Array("data".utf8).withUnsafeBufferPointer { nested.key($0) }
        try [UInt8](repeating: 1, count: 5000).withUnsafeBytes { try nested.bytes($0) }
        nested.endObject()
      }
      row.text(name)
    }
    let m = Self.mask
    #expect(text.hasPrefix(name == "colour" ? #"{"value":{"password":\#(m),"token":\#(m),"data":{"$file":"# : #"{"value":\#(m),"key":"#))
    #expect(text.hasSuffix(#","key":"\#(name)"}"#))
    #expect(staged.redactions == ["c.value": name == "colour" ? 2 : 1])
    #expect(staged.entries.count == (name == "colour" ? 2 : 1), "a masked value has a file")
  }

  /// A value that can't be finished leaves nothing, and its column waits for another.
  @Test(arguments: [false, true]) func nestedThatThrows(_ isLarge: Bool) async throws {
    let (text, staged) = try await Self.row(["a", "v", "z"]) { row in
      row.integer(1)
      do {
        try row.nested(isLarge: isLarge) { nested in
          try nested.beginArray()
          let long = [UInt8](repeating: 0x61, count: 100_000)
          try long.withUnsafeBufferPointer { try nested.text($0) }
          try long.withUnsafeBytes { try nested.bytes($0) }
          try nested.beginObject()
          Array("token".utf8).withUnsafeBufferPointer { nested.key($0) }
          nested.integer(1)
          throw Planned("no JSON")
        }
        Issue.record("what the body threw is gone")
      } catch is Planned { row.text("raw") }
      row.integer(2)
    }
    #expect(text == #"{"a":1,"v":"raw","z":2}"#)
    #expect(staged.redactions.isEmpty && staged.entries.count == 1)
  }

  @Test func keysAreNoSecretsByTheirNames() async throws {
    let staged = try await Staged { writer in
      let columns: [CollectionDescription.Column] = [.init("token", isKey: true), .init("token_id"), .init("reset_token")]
      try await writer.collection(CollectionDescription("c", columns: columns)) { records in
        try records.row {
          $0.integer(1); $0.integer(2); $0.integer(3)
        }
      }
    }
    #expect(try staged.entry("c.json").text == "[\n{\"token\":1,\"token_id\":2,\"reset_token\":\(Self.mask)}\n]\n")
  }

  @Test func maskingCanBeSwitchedOff() async throws {
    var request = ExportRequest.fixed
    request.secrets.isEnabled = false
    let staged = try await Staged(request: request) { writer in
      try await writer.collection(CollectionDescription("c", columns: [.init("password"), .init("key"), .init("value")])) { records in
        try records.row {
          $0.text("p"); $0.text("token"); $0.text("$2b$10$abcdefghijklmnopqrstuuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123")
        }
      }
    }
    #expect(staged.redactions.isEmpty)
    #expect(try staged.entry("c.json").text.contains(#""password":"p","key":"token","value":"$2b$10$"#))
  }
}
