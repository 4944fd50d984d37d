import TestSupport
import Testing

@testable import AccountExport

/// Files of one value: preferences and the like.
@Suite struct ValueWriterTests {
  private static let mask = #"{"$redacted":"secret"}"#

  private static func value(
    limits: ExportLimits = ExportLimits(), _ body: nonisolated(nonsending) (inout ValueWriter) async throws -> Void
  ) async throws -> Staged {
    var request = ExportRequest.fixed
    request.limits = limits
    return try await Staged(request: request) { writer in try await writer.value("v", body) }
  }

  @Test func everyKindOfValue() async throws {
    let staged = try await Self.value { value in
      try value.beginObject()
      value.key("null")
      value.null()
      value.key("$own")
      value.boolean(false)
      value.formatKey("$class")
      value.integer(.min)
      value.key("list")
      try value.beginArray()
      value.unsigned(.max)
      value.real(1.0)
      value.real(Float(0.1))
      try Array("1e400".utf8).withUnsafeBytes { try value.number(digits: $0) }
      value.text("é\n")
      value.date(seconds: 0.5, since: 978_307_200)
      value.uid(7)
      [UInt8](0..<16).withUnsafeBytes { value.uuid($0) }
      try [1, 2 as UInt8].withUnsafeBytes { try value.bytes($0) }
      value.endArray()
      value.endObject()
    }
    let expected =
      #"{"null":null,"$$own":false,"$class":-9223372036854775808,"list":[18446744073709551615,1.0,0.1,1e400,"é\n","#
      + #"{"$date":"2001-01-01T00:00:00.5Z"},{"$uid":7},"00010203-0405-0607-0809-0A0B0C0D0E0F",{"$base64":"AQI="}]}"#
    #expect(try staged.entry("v.json").text == expected + "\n")
    #expect(staged.tally.items == 1)
    #expect(staged.tally.bytes == UInt64(expected.utf8.count + 1))
  }

  @Test func secretsAreMaskedWhereverTheyLie() async throws {
    let staged = try await Self.value { value in
      try value.beginObject()
      value.key("password")
      value.text("p")
      value.key("tokens")
      try value.beginArray()
      value.text("a")
      try value.beginObject()
      value.key("b")
      value.integer(1)
      value.endObject()
      value.endArray()
      value.key("apiKey")
      try value.beginObject()
      value.key("inner")
      try value.beginArray()
      value.endArray()
      value.endObject()
      value.key("secret")
      value.integer(5)
      value.key("token")
      value.date(seconds: 0, since: 0)
      value.key("note")
      value.text("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhb")
      value.key("after")
      value.integer(1)
      value.endObject()
    }
    let m = Self.mask
    let expected = #"{"password":\#(m),"tokens":\#(m),"apiKey":\#(m),"secret":\#(m),"token":\#(m),"note":\#(m),"after":1}"#
    #expect(try staged.entry("v.json").text == expected + "\n")
    #expect(staged.redactions.values.reduce(0, +) == 6)
    #expect(staged.redactions["v: password"] == 1)
  }

  @Test func emptyValuesStay() async throws {
    let staged = try await Self.value { value in
      try value.beginObject()
      for name in ["password", "token", "secret", "apiKey", "salt", "otp"] {
        value.key(name)
        switch name {
        case "password": value.text("")
        case "token": value.null()
        case "secret":
          try value.beginArray()
          value.endArray()
        case "apiKey":
          try value.beginObject()
          value.endObject()
        case "salt": value.boolean(true)
        default: try value.bytes(UnsafeRawBufferPointer(start: nil, count: 0))
        }
      }
      value.endObject()
    }
    #expect(
      try staged.entry("v.json").text
        == #"{"password":"","token":null,"secret":[],"apiKey":{},"salt":true,"otp":{"$base64":""}}"# + "\n")
    #expect(staged.redactions.isEmpty)
  }

  @Test func largeBytesGetAFile() async throws {
    let staged = try await Self.value { value in
      try value.beginArray()
      for count in [4096, 4097, 9000] { try [UInt8](repeating: 1, count: count).withUnsafeBytes { try value.bytes($0) } }
      value.endArray()
    }
    let text = try staged.entry("v.json").text
    #expect(text.contains(#"{"$file":"records/Test/files/v/1.bin","bytes":4097,"sha256":""#))
    #expect(text.contains(#"{"$file":"records/Test/files/v/2.bin","bytes":9000,"sha256":""#))
    #expect(try staged.entry("files/v/2.bin").bytes == [UInt8](repeating: 1, count: 9000))
  }

  @Test(arguments: [10, 9000]) func archive(_ size: Int) async throws {
    let bytes = [UInt8](repeating: 0x61, count: size)
    let staged = try await Self.value { value in
      let failure = try bytes.withUnsafeBytes { bytes in
        try value.archive(bytes) { value in
          try value.beginObject()
          value.key("$0")
          value.text("x")
          value.endObject()
        }
      }
      #expect(failure == nil)
    }
    let text = try staged.entry("v.json").text
    #expect(text.hasPrefix(#"{"$archive":{"$$0":"x"},"#))
    #expect(text.contains(size > 4096 ? #""$file":"records/Test/files/v/1.bin""# : #""$base64":"YWFhYWFhYWFhYQ==""#))
  }

  @Test func archiveWithASecretIsWithoutItsBytes() async throws {
    let staged = try await Self.value { value in
      _ = try [1 as UInt8].withUnsafeBytes { bytes in
        try value.archive(bytes) { value in
          try value.beginObject()
          value.key("password")
          value.text("p")
          value.endObject()
        }
      }
    }
    #expect(try staged.entry("v.json").text == #"{"$archive":{"password":\#(Self.mask)}}"# + "\n")
  }

  /// What a failed decoder wrote is taken back: text in memory and in the spool, files, masked values, open containers.
  @Test(arguments: [1, 200_000]) func archiveThatFails(_ length: Int) async throws {
    let long = String(repeating: "x", count: length)
    let staged = try await Self.value { value in
      try value.beginArray()
      value.integer(1)
      let failure = try [1, 2 as UInt8].withUnsafeBytes { bytes in
        try value.archive(bytes) { value in
          try value.beginObject()
          value.key("text")
          value.text(long)
          throw Planned("no archive")
        }
      }
      #expect(failure as? Planned == Planned("no archive"))
      value.integer(2)
      value.endArray()
    }
    #expect(try staged.entry("v.json").text == #"[1,{"$base64":"AQI="},2]"# + "\n")
    #expect(staged.redactions.isEmpty)
    #expect(staged.entries.count == 1)
  }

  @Test func archiveThatFailsWithFilesAndSecrets() async throws {
    let staged = try await Self.value { value in
      let failure = try [1 as UInt8].withUnsafeBytes { bytes in
        try value.archive(bytes) { value in
          try value.beginObject()
          value.key("data")
          try [UInt8](repeating: 1, count: 5000).withUnsafeBytes { try value.bytes($0) }
          value.key("token")
          try value.beginArray()
          value.text("t")
          throw Planned("no archive")
        }
      }
      #expect(failure != nil)
    }
    #expect(try staged.entry("v.json").text == #"{"$base64":"AQ=="}"# + "\n")
    #expect(staged.redactions.isEmpty && staged.entries.count == 1)
  }

  @Test(arguments: [3, 512]) func depth(_ depth: Int) async throws {
    var limits = ExportLimits()
    limits.depth = depth
    func nest(_ levels: Int) -> (inout ValueWriter) throws -> Void {
      { value in
        for _ in 0..<levels { try value.beginArray() }
        for _ in 0..<levels { value.endArray() }
      }
    }
    let fits = try await Self.value(limits: limits) { try nest(depth)(&$0) }
    #expect(try fits.entry("v.json").text == String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "\n")
    let deeper = try await Self.value(limits: limits) { try nest(depth + 1)(&$0) }
    #expect(deeper.entries.isEmpty)
    #expect(deeper.tally.omissions.map(\.reason) == [.unreadable])
  }

  @Test(arguments: [0, 2, 3]) func otherThanOneValue(_ count: Int) async throws {
    await #expect(throws: ExportError.self) {
      _ = try await Self.value { value in for _ in 0..<count { value.null() } }
    }
  }

  @Test func openContainer() async throws {
    await #expect(throws: ExportError.self) { _ = try await Self.value { try $0.beginArray() } }
  }

  @Test func valueThatThrowsLeavesNothing() async throws {
    let staged = try await Staged { writer in
      let isWritten = try await writer.value("a?", original: "a?") { value in
        try value.beginArray()
        try [UInt8](repeating: 1, count: 9000).withUnsafeBytes { try value.bytes($0) }
        throw Planned("unreadable")
      }
      #expect(!isWritten)
    }
    #expect(staged.entries.isEmpty && staged.tally.items == 0)
    #expect(staged.tally.omissions == [Omission(source: "records/Test", path: "a?", reason: .unreadable)])
  }

  @Test func longFileIsSpooledAndHashed() async throws {
    let staged = try await Self.value { value in
      try value.beginArray()
      for number in 0..<50_000 { value.integer(Int64(number)); value.text("some text") }
      value.endArray()
    }
    let text = try staged.entry("v.json").text
    #expect(text.hasPrefix("[0,\"some text\",1,") && text.hasSuffix("49999,\"some text\"]\n"))
  }
}
