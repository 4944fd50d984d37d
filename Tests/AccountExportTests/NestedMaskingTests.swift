import TestSupport
import Testing

@testable import AccountExport

/// A value whose sibling names it, in values with values in them: a JSON column, a preferences file.
@Suite struct NestedMaskingTests {
  private static let m = #"{"$redacted":"secret"}"#

  /// Writes JSON as it is read, into a row's column and into a file of one value: both mask the same.
  private static func written(_ json: String, memory: Int = 512 << 10) async throws -> (row: String, file: String, staged: Staged) {
    var request = ExportRequest.fixed
    request.limits.stagedCollection = memory
    let value = try JSONTree(json)
    let staged = try await Staged(request: request) { writer in
      try await writer.value("v") { try value.write(to: &$0) }
      try await writer.collection(CollectionDescription("c", columns: [.init("j")])) { records in
        try records.row { (row) throws in try row.nested(isLarge: true) { (nested) throws in try value.write(to: &nested) } }
      }
    }
    let row = try staged.entry("c.json").text
    return (String(row.dropFirst(2 + #"{"j":"#.utf8.count).dropLast(4)), String(try staged.entry("v.json").text.dropLast()), staged)
  }

  @Test(
    arguments: [
      (#"{"name":"session_token","value":"x"}"#, #"{"name":"session_token","value":\#(m)}"#, 1),
      (#"{"value":"x","name":"session_token"}"#, #"{"value":\#(m),"name":"session_token"}"#, 1),
      (#"{"value":7,"x":[1],"name":"session_token","y":2}"#, #"{"value":\#(m),"x":[1],"name":"session_token","y":2}"#, 1),
      (#"{"value":{"a":{"password":"p"}},"name":"token"}"#, #"{"value":\#(m),"name":"token"}"#, 1),
      (#"{"value":{"a":{"password":"p"}},"name":"x"}"#, #"{"value":{"a":{"password":\#(m)}},"name":"x"}"#, 1),
      (#"{"val":[1,2],"setting":"api_key","value":null}"#, #"{"val":\#(m),"setting":"api_key","value":null}"#, 1),
      (
        #"[{"data":"d","value":"v","key":"pin"},{"value":"w","key":"x"}]"#,
        #"[{"data":\#(m),"value":\#(m),"key":"pin"},{"value":"w","key":"x"}]"#, 2
      ),
      // The inner pair is resolved first, then the outer one takes it all.
      (#"{"value":{"value":1,"name":"otp"},"name":"token"}"#, #"{"value":\#(m),"name":"token"}"#, 1),
      (#"{"value":{"value":1,"name":"otp"},"name":"x"}"#, #"{"value":{"value":\#(m),"name":"otp"},"name":"x"}"#, 1),
      (#"{"value":"","name":"token","values":[]}"#, #"{"value":"","name":"token","values":[]}"#, 0),
      (#"{"name":"token","value":true}"#, #"{"name":"token","value":true}"#, 0),
      (#"{"name":"token","x":{"value":1}}"#, #"{"name":"token","x":{"value":1}}"#, 0),
      (#"{"value":"{\"pin\":1}","name":"x"}"#, #"{"value":"{\"pin\":\"[redacted]\"}","name":"x"}"#, 1),
      (#"{"value":"{\"pin\":1}","name":"pin"}"#, #"{"value":\#(m),"name":"pin"}"#, 1),
    ] as [(String, String, Int)])
  func pairs(_ pair: (is: String, becomes: String, count: Int)) async throws {
    let written = try await Self.written(pair.is)
    #expect(written.row == pair.becomes)
    #expect(written.file == pair.becomes)
    #expect(written.staged.redactions["c.j", default: 0] == pair.count)
    #expect(written.staged.redactions.values.reduce(0, +) == 2 * pair.count)
  }

  /// What lies between a value and its name may be longer than memory holds.
  @Test(arguments: [0, 100_000, 700_000], [100, 64 << 20]) func farBehind(_ length: Int, memory: Int) async throws {
    let long = String(repeating: "z", count: length)
    let (isBefore, becomes) = (
      #"[{"value":"v","x":"\#(long)","name":"token","y":{"value":"\#(long)"}},1]"#,
      #"[{"value":\#(Self.m),"x":"\#(long)","name":"token","y":{"value":"\#(long)"}},1]"#
    )
    let written = try await Self.written(isBefore, memory: memory)
    #expect(written.row == becomes)
    #expect(written.file == becomes)
    let taken = try await Self.written(#"{"value":"\#(long)1","x":"\#(long)","name":"token"}"#, memory: memory)
    #expect(taken.row == #"{"value":\#(Self.m),"x":"\#(long)","name":"token"}"#)
    #expect(taken.file == taken.row)
  }

  @Test func filesGoWithTheirValue() async throws {
    let staged = try await Staged { writer in
      try await writer.value("v") { value in
        try value.beginObject()
        value.key("data")
        try value.beginArray()
        for _ in 0..<2 { try [UInt8](repeating: 1, count: 5000).withUnsafeBytes { try value.bytes($0) } }
        value.endArray()
        value.key("other")
        try [UInt8](repeating: 2, count: 5000).withUnsafeBytes { try value.bytes($0) }
        value.key("key")
        value.text("apiToken")
        value.endObject()
      }
    }
    let text = try staged.entry("v.json").text
    #expect(text.hasPrefix(#"{"data":\#(Self.m),"other":{"$file":"records/Test/files/v/3.bin""#))
    #expect(staged.entries.map(\.draft.path) == ["records/Test/files/v/3.bin", "records/Test/v.json"])
    #expect(staged.redactions == ["v: data": 1])
  }

  @Test func placesArePathsOfKeys() async throws {
    let written = try await Self.written(#"{"accounts":[{"password":1,"x":{"token":2}},{"password":3}],"note":"\#(TextLookTests.jwt)"}"#)
    #expect(written.staged.redactions == ["c.j": 4, "v: accounts.password": 2, "v: accounts.x.token": 1, "v: note": 1])
  }

  @Test func placesAreBounded() async throws {
    let members = (0..<1500).map { #""k\#($0)_token":1"# }.joined(separator: ",")
    let written = try await Self.written("{\(members)}")
    #expect(written.staged.redactions.count == 1002)
    #expect(written.staged.redactions["v: (others)"] == 500)
    #expect(written.staged.redactions.values.reduce(0, +) == 3000)
  }

  /// What is decoded of an archive is taken back with its file, and the name beside it still counts.
  @Test func archiveThatASiblingNames() async throws {
    let staged = try await Staged { writer in
      try await writer.value("v") { value in
        try value.beginObject()
        value.key("value")
        _ = try [UInt8](repeating: 7, count: 9000).withUnsafeBytes { bytes in
          try value.archive(bytes) { value in
            try value.beginObject()
            value.key("inner")
            value.text("x")
            value.endObject()
          }
        }
        value.key("name")
        value.text("session_token")
        value.endObject()
      }
    }
    #expect(try staged.entry("v.json").text == #"{"value":\#(Self.m),"name":"session_token"}"# + "\n")
    #expect(staged.entries.count == 1 && staged.redactions == ["v: value": 1])
  }
}
