import TestSupport
import Testing

@testable import AccountExport

/// Rows: what each value is written as, what is masked, what is taken back.
@Suite struct RowWriterTests {
  /// A collection of these columns, its rows written one after another; a row that throws is left out.
  static func collection(
    _ columns: [String], limits: ExportLimits = ExportLimits(), _ rows: [(inout RowWriter) throws -> Void]
  ) async throws -> Staged {
    var request = ExportRequest.fixed
    request.limits = limits
    return try await Staged(request: request) { writer in
      try await writer.collection(CollectionDescription("c", columns: columns.map { .init($0) })) { records in
        for row in rows {
          do { try records.row(row) } catch is Planned { continue }
        }
      }
    }
  }

  struct Golden: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let type: String
    let write: @Sendable (inout RowWriter) throws -> Void

    init(_ text: String, _ type: String, _ write: @escaping @Sendable (inout RowWriter) throws -> Void) {
      (testDescription, self.type, self.write) = (text, type, write)
    }
  }

  static let golden: [Golden] = [
    Golden("null", "any") { $0.null() },
    Golden("-9223372036854775808", "integer") { $0.integer(.min) },
    Golden("18446744073709551615", "integer") { $0.unsigned(.max) },
    Golden("1.0", "number") { $0.real(1) },
    Golden("-0.0", "number") { $0.real(-0.0) },
    Golden("0.1", "number") { $0.real(0.1) },
    Golden(#"{"$number":"NaN"}"#, "object") { $0.real(.nan) },
    Golden(#"{"$number":"-Infinity"}"#, "object") { $0.real(-.infinity) },
    Golden("true", "boolean") { $0.boolean(true) },
    Golden("12345678901234567890.0010", "number") { row in
      try Array("12345678901234567890.0010".utf8).withUnsafeBytes { try row.number(digits: $0) }
    },
    Golden(#""a\"\\\n\u0000é👍""#, "string") { $0.text("a\"\\\n\u{0}é👍") },
    Golden(#""""#, "string") { $0.text("") },
    Golden(#"{"$base64":"/w=="}"#, "object") { row in [0xFF].withUnsafeBufferPointer { row.text($0) } },
    Golden(#"{"$base64":""}"#, "object") { try $0.bytes(UnsafeRawBufferPointer(start: nil, count: 0)) },
    Golden(#"{"$base64":"AQID"}"#, "object") { row in try [1, 2, 3 as UInt8].withUnsafeBytes { try row.bytes($0) } },
    Golden(#""1970-01-01T00:00:00Z""#, "datetime") { $0.moment(Timestamp(seconds: 0)) },
    Golden(#""1969-12-31T23:59:59.5Z""#, "datetime") { $0.moment(Timestamp(seconds: -1, nanoseconds: 500_000_000)) },
    Golden(#"{"$date":253402300800}"#, "object") { $0.moment(Timestamp(seconds: 253_402_300_800)) },
  ]

  @Test(arguments: golden) func value(_ golden: Golden) async throws {
    let staged = try await Self.collection(["v"], [golden.write])
    let entry = try staged.entry("c.json")
    #expect(entry.text == "[\n{\"v\":\(golden)}\n]\n".replacing("\(golden)", with: golden.testDescription))
    #expect(entry.table?.kinds.map(\.fieldType.description) == [golden.type])
  }

  @Test func emptyCollectionIsWritten() async throws {
    let staged = try await Self.collection(["v"], [])
    #expect(try staged.entry("c.json").text == "[]\n")
  }

  @Test func keysOfTheAccountThatBeginWithDollar() async throws {
    let staged = try await Self.collection(
      ["$v", "$"],
      [
        {
          $0.null(); $0.null()
        }
      ])
    #expect(try staged.entry("c.json").text == "[\n{\"$$v\":null,\"$$\":null}\n]\n")
  }

  @Test(arguments: [0, 1, 3, 4, 5, 6]) func wrongNumberOfValues(_ count: Int) async throws {
    let staged = try await Staged { writer in
      let outcome = try await writer.collection(CollectionDescription("c", columns: [.init("a"), .init("key")])) { records in
        try records.row {
          $0.null(); $0.null()
        }
        try records.row { row in
          for number in 0..<count {
            switch number % 6 {
            case 0: row.text("a")
            case 1: row.integer(1)
            case 2: try [UInt8](repeating: 1, count: 9000).withUnsafeBytes { try row.bytes($0) }
            case 3: _ = try row.largeText { _ in 0 }
            case 4: try row.nested { $0.null() }
            default: row.boolean(true)
            }
          }
        }
      }
      #expect((outcome.failure as? ExportError)?.code == .source)
      #expect((outcome.failure as? ExportError)?.message == "a row has \(count) values for 2 columns")
      #expect(outcome.rows == 1)
    }
    #expect(staged.entries.count == 1)
    #expect(try staged.entry("c.json").text == "[\n{\"a\":null,\"key\":null}\n]\n")
    #expect(staged.tally.omissions.map(\.reason) == [.failed])
    #expect(staged.tally.omissions.first?.count == 1)
  }

  @Test func numberThatIsNoneLeavesItsColumnOpen() async throws {
    let staged = try await Self.collection(
      ["n"],
      [
        { row in
          do {
            try Array("NaN".utf8).withUnsafeBytes { try row.number(digits: $0) }
            Issue.record("NaN is no JSON number")
          } catch { row.text("NaN") }
        }
      ])
    #expect(try staged.entry("c.json").text == "[\n{\"n\":\"NaN\"}\n]\n")
  }

  @Test func rowThatThrowsIsTakenBackWhole() async throws {
    let large = [UInt8](repeating: 7, count: 5000)
    let good: (inout RowWriter) throws -> Void = { row in
      row.text("t")
      try large.withUnsafeBytes { try row.bytes($0) }
    }
    let bad: (inout RowWriter) throws -> Void = { row in
      try good(&row)
      throw Planned("after its values")
    }
    let staged = try await Self.collection(["token", "data"], [bad, good, bad, good, bad])
    let lines = try staged.entry("c.json").text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].contains("files/c/1.bin") && lines[2].contains("files/c/2.bin"))
    #expect(staged.entries.count == 3)
    #expect(staged.redactions == ["c.token": 2], "a row that was taken back counts no masked value")
    #expect(try staged.entry("c.json").table?.kinds == [.object, .object])
  }

  @Test func rowThatThrowsLeavesNoKindBehind() async throws {
    let staged = try await Self.collection(
      ["v"],
      [
        {
          $0.text("a"); throw Planned("text")
        }, { $0.integer(1) },
      ])
    #expect(try staged.entry("c.json").table?.kinds == [.integer])
  }

  @Test(arguments: [64, 1 << 20]) func rowThatThrowsAfterItHasBeenSpooled(_ memory: Int) async throws {
    var limits = ExportLimits()
    limits.stagedCollection = memory
    let good: (inout RowWriter) throws -> Void = {
      $0.text("short"); $0.integer(1)
    }
    let bad: (inout RowWriter) throws -> Void = { row in
      var left = 300_000
      let isText = try row.largeText { buffer in
        let count = min(left, buffer.count)
        buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 0x61)
        left -= count
        return count
      }
      #expect(isText)
      throw Planned("after a long text")
    }
    let staged = try await Self.collection(["t", "n"], limits: limits, [good, bad, good, bad])
    #expect(try staged.entry("c.json").text == "[\n{\"t\":\"short\",\"n\":1},\n{\"t\":\"short\",\"n\":1}\n]\n")
  }

  @Test func longTextThatIsNoUTF8IsWrittenAsBytesInstead() async throws {
    let staged = try await Self.collection(
      ["a", "t", "z"],
      [
        { row in
          row.text("first")
          var pieces: [[UInt8]] = [Array(repeating: 0x61, count: 60_000), Array(repeating: 0x62, count: 60_000), [0xC3, 0x28]]
          let isText = try row.largeText { buffer in
            if pieces.isEmpty { return 0 }
            let piece = pieces.removeFirst()
            buffer.copyBytes(from: piece)
            return piece.count
          }
          #expect(!isText)
          try [0xC3, 0x28 as UInt8].withUnsafeBytes { try row.bytes($0) }
          row.integer(2)
        }
      ])
    #expect(try staged.entry("c.json").text == "[\n{\"a\":\"first\",\"t\":{\"$base64\":\"wyg=\"},\"z\":2}\n]\n")
  }

  @Test func charactersCutBetweenPieces() async throws {
    let text = String(repeating: "é👍\"", count: 30_000)
    let staged = try await Self.collection(
      ["t"],
      [
        { row in
          var rest = Array(text.utf8)[...]
          let isText = try row.largeText { buffer in
            let piece = rest.prefix(7)
            buffer.copyBytes(from: piece)
            rest = rest.dropFirst(7)
            return piece.count
          }
          #expect(isText)
        }
      ])
    let expected = text.replacing("\"", with: "\\\"")
    #expect(try staged.entry("c.json").text == "[\n{\"t\":\"\(expected)\"}\n]\n")
  }

  @Test(arguments: [(100, 99), (100, 101), (9000, 8999), (9000, 9001), (9000, 0)])
  func bytesOfAnotherLengthThanPromised(_ lengths: (promised: Int, given: Int)) async throws {
    let staged = try await Staged { writer in
      let outcome = try await writer.collection(CollectionDescription("c", columns: [.init("v")])) { records in
        try records.row { row in
          var left = lengths.given
          try row.largeBytes(count: lengths.promised) { buffer in
            let count = min(left, buffer.count, 1000)
            buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 1)
            left -= count
            return count
          }
        }
      }
      #expect((outcome.failure as? ExportError)?.code == .source)
    }
    #expect(try staged.entry("c.json").text == "[]\n")
    #expect(staged.entries.count == 1, "a value that was taken back left a file")
  }

  @Test func failedCollectionKeepsItsRows() async throws {
    let staged = try await Staged { writer in
      try await writer.collection(CollectionDescription("c", columns: [.init("v")])) { records in
        for number in 0..<3 { try records.row { $0.integer(Int64(number)) } }
        throw Planned("the store is damaged here")
      }
    }
    #expect(try staged.entry("c.json").text == "[\n{\"v\":0},\n{\"v\":1},\n{\"v\":2}\n]\n")
    #expect(staged.tally.omissions.map(\.reason) == [.failed])
    #expect(staged.tally.omissions.first?.count == 3)
    #expect(staged.tally.items == 3)
  }
}
