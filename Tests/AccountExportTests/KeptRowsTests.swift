import Files
import JSONReading
import Synchronization
import TestSupport
import Testing

@testable import AccountExport

/// Takes what is kept for the pages, and makes none but the first.
private final class RecordingMaker: PageMaker {
  struct Kept {
    var rows: [String: [String]] = [:]
    var collections: [String: PagedCollection] = [:]
    var values: [String: String?] = [:]
    var documents: [String] = []
  }

  private let state = Mutex(Kept())
  var kept: Kept { state.withLock { $0 } }

  nonisolated(nonsending) func write(
    _ bundle: PagedBundle, pack: nonisolated(nonsending) (_ path: String, _ page: [UInt8]) async throws -> Void
  ) async throws {
    for source in bundle.sources {
      for collection in source.collections {
        let text = String(decoding: try collection.content.slice.bytes(), as: UTF8.self)
        state.withLock {
          $0.rows[collection.description.name] = text.split(separator: "\n").map(String.init)
          $0.collections[collection.description.name] = collection
        }
      }
      for value in source.values {
        let text = try value.content.map { String(decoding: try $0.slice.bytes(), as: UTF8.self) }
        state.withLock { $0.values[value.title] = .some(text) }
      }
      if let rows = source.documents {
        let text = String(decoding: try rows.slice.bytes(), as: UTF8.self)
        state.withLock { $0.documents += text.split(separator: "\n").map(String.init) }
      }
    }
    try await pack("index.html", Array("<p>".utf8))
  }
}

/// A source that pushes what a test says.
private struct PushingSource: ExportSource {
  let name = "records/Test"
  let kind = "test"
  let push: @Sendable (inout EntryWriter) async throws -> Void

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws { try await push(&writer) }
}

@Suite("What is kept for the pages")
struct KeptRowsTests {
  private func kept(_ limits: KeptLimits = KeptLimits(rows: 100), _ push: @escaping @Sendable (inout EntryWriter) async throws -> Void)
    async throws -> RecordingMaker.Kept
  {
    let place = try TemporaryFolder()
    let maker = RecordingMaker()
    let exporter = AccountExporter(sources: [PushingSource(push: push)], pages: BundlePages(limits: limits, maker: maker))
    try await exporter.export(.fixed, into: TestSink(), staging: place.path)
    return maker.kept
  }

  @Test("the first rows are kept as they are written, all are counted", arguments: [0, 1, 7, 30, 31])
  func rows(limit: Int) async throws {
    let kept = try await kept(KeptLimits(rows: limit)) { writer in
      try await writer.collection(CollectionDescription("numbers", columns: [.init("n"), .init("password")])) { records in
        for number in 0..<30 {
          try records.row {
            $0.integer(Int64(number))
            $0.text("hunter2")
          }
        }
      }
    }
    let expected = (0..<min(limit, 30)).map { #"{"n":\#($0),"password":{"$redacted":"secret"}}"# }
    #expect(kept.rows["numbers"] == expected)
    #expect(kept.collections["numbers"]?.keptRows == expected.count)
    #expect(kept.collections["numbers"]?.rows == 30)
  }

  @Test("months are counted of all rows, by the column that says when")
  func months() async throws {
    let kept = try await kept(KeptLimits(rows: 1)) { writer in
      try await writer.collection(CollectionDescription("notes", columns: [.init("updated_at"), .init("created_at")])) { records in
        for day in ["2024-01-05", "2024-01-06T10:00:00Z", "2024-03-01 08:00:00", "soon"] {
          try records.row {
            $0.text("2020-01-01")
            $0.text(day)
          }
        }
        try records.row {
          $0.null()
          $0.null()
        }
      }
    }
    let months = try #require(kept.collections["notes"]?.months)
    #expect(months.total == 3)
    #expect(months.span.map(\.rows) == [2, 0, 1])
    #expect(months.span.first.map { [$0.year, $0.month] } == [2024, 1])
  }

  @Test("where no name tells, the first moment does; a row that is taken back doesn't count")
  func moments() async throws {
    let kept = try await kept { writer in
      try await writer.collection(CollectionDescription("notes", columns: [.init("x"), .init("y")])) { records in
        #expect(throws: Planned.self) {
          try records.row { row in
            row.integer(1)
            row.moment(Timestamp(seconds: 0))
            throw Planned("taken back")
          }
        }
        try records.row { row in
          row.integer(2)
          row.moment(Timestamp(seconds: 1_700_000_000))
        }
      }
    }
    #expect(kept.collections["notes"]?.months?.span.map(\.rows) == [1])
    #expect(kept.rows["notes"] == [#"{"x":2,"y":"2023-11-14T22:13:20Z"}"#])
  }

  @Test("what a later column makes a secret is masked in what is kept")
  func takenBack() async throws {
    let kept = try await kept { writer in
      try await writer.collection(CollectionDescription("meta", columns: [.init("meta_value"), .init("meta_key")])) { records in
        try records.row {
          $0.text("abc")
          $0.text("session_tokens")
        }
      }
    }
    #expect(kept.rows["meta"] == [#"{"meta_value":{"$redacted":"secret"},"meta_key":"session_tokens"}"#])
  }

  @Test("a row that is too large is shortened, those after it stay", arguments: [true, false])
  func large(inPieces: Bool) async throws {
    let kept = try await kept { writer in
      try await writer.collection(CollectionDescription("texts", columns: [.init("id"), .init("body"), .init("more")])) { records in
        for number in 0..<3 {
          try records.row { row in
            row.integer(Int64(number))
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: number == 1 ? 300_000 : 3)
            if inPieces {
              var done = 0
              let isText = try row.largeText { buffer in
                let count = min(buffer.count, text.count - done)
                buffer.copyBytes(from: text[done..<done + count])
                done += count
                return count
              }
              #expect(isText)
            } else {
              text.withUnsafeBufferPointer { row.text($0) }
            }
            row.text("behind")
          }
        }
      }
    }
    let rows = try #require(kept.rows["texts"])
    #expect(rows[0] == #"{"id":0,"body":"xxx","more":"behind"}"#)
    #expect(rows[1] == #"{"id":1,"body":"\#(String(repeating: "x", count: RowClipper.longestText))","more":"behind"}"#)
    #expect(rows[2] == #"{"id":2,"body":"xxx","more":"behind"}"#)
  }

  @Test("a source's collections share its bytes, and one alone never takes all")
  func shared() async throws {
    var limits = KeptLimits(rows: 1000)
    (limits.sourceBytes, limits.collectionBytes) = (4000, 4000)
    let kept = try await kept(limits) { writer in
      for name in ["one", "two"] {
        try await writer.collection(CollectionDescription(name, columns: [.init("text")])) { records in
          for _ in 0..<1000 { try records.row { $0.text("0123456789012345678901234567890123456789") } }
        }
      }
    }
    let (one, two) = (kept.rows["one"]?.count ?? 0, kept.rows["two"]?.count ?? 0)
    #expect(one == 1999 / 52)
    #expect(two > 10 && two < one)
    #expect(kept.collections["two"]?.rows == 1000)
  }

  @Test("a file of one value is kept whole, or not at all")
  func values() async throws {
    var limits = KeptLimits(rows: 1)
    limits.valueBytes = 20
    let kept = try await kept(limits) { writer in
      try await writer.value("small") { $0.text("short") }
      try await writer.value("large") { $0.text("longer than twenty bytes") }
    }
    #expect(kept.values == ["small": "\"short\"\n", "large": nil])
  }
}

@Suite("Which month a value falls into")
struct MonthTests {
  @Test(arguments: [
    (#""2024-03-05""#, 2024, 3), (#""2024-03-05T10:00:00Z""#, 2024, 3), (#""1999-12-31 23:59""#, 1999, 12), ("1700000000", 2023, 11),
    ("1700000000123", 2023, 11), ("1700000000.5", 2023, 11), ("978307200", 2001, 1),
  ])
  func months(value: String, year: Int, month: Int) {
    let found = Array(value.utf8).withUnsafeBytes { MonthCounts.Month(json: $0) }
    #expect(found == MonthCounts.Month(year: year, month: month))
    #expect(found != nil)
  }

  @Test(arguments: [
    "null", "12", "true", "\"\"", "\"2024\"", "\"2024-13-01\"", "\"2024-00-01\"", "\"1899-01-01\"", "\"2100-01-01\"", "\"24-03-05T00:00\"",
    "17",
    "-1700000000", "9999999999999", "123456789", "{\"$redacted\":\"secret\"}", "\"2024/03/05\"", "\"2024-03-xx\"",
  ])
  func none(value: String) {
    #expect(Array(value.utf8).withUnsafeBytes { MonthCounts.Month(json: $0) } == nil)
  }

  @Test(
    arguments: [
      (["id", "created_at", "updated_at"], 1), (["id", "updated_at"], 1), (["id", "title"], nil), (["birth_date", "sentDate"], 1),
      (["due"], 0),
      (["id", "expires_at", "timestamp"], 2), (["latitude", "rate"], nil), (["modified", "created"], 1), ([], nil),
      (["ZTIMESTAMP", "when"], 1), (["id", "birthday"], nil), (["dateOfBirth"], nil), (["born_on", "due"], 1),
    ] as [([String], Int?)])
  func column(names: [String], expected: Int?) {
    #expect(DateColumn.index(in: names.map { CollectionDescription.Column($0) }) == expected)
  }
}

@Suite("Rows that are shortened")
struct RowClipperTests {
  private func clipped(_ row: String, pieces: Int) -> String {
    var clipper = RowClipper()
    let bytes = Array(row.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      Array(bytes[start..<min(bytes.count, start + pieces)]).withUnsafeBytes { clipper.add($0) }
    }
    return String(decoding: clipper.row, as: UTF8.self)
  }

  @Test("what is small stays as it is", arguments: [1, 3, 1000])
  func small(pieces: Int) {
    let row = #"{"a":1,"b\"{":"x\\","c":{"d":[1,{"e":"}]"}]},"f":null,"g":"é\u001f"}"#
    #expect(clipped(row, pieces: pieces) == row)
  }

  @Test("a text is cut between letters and escapes", arguments: [1, 7, 65536])
  func texts(pieces: Int) throws {
    for unit in ["x", "é", "日", "😀", #"\n"#, #"\u0001"#, #"\\"#, #"\""#] {
      let row = #"{"a":"\#(String(repeating: unit, count: 70_000))","b":2}"#
      let result = clipped(row, pieces: pieces)
      let kept = (RowClipper.longestText + unit.utf8.count - 1) / unit.utf8.count
      #expect(result == #"{"a":"\#(String(repeating: unit, count: kept))","b":2}"#)
    }
  }

  @Test("a value that stays too large says how large it was", arguments: [1, 4096])
  func values(pieces: Int) {
    let list = "[" + Array(repeating: "123456789", count: 20_000).joined(separator: ",") + "]"
    #expect(clipped(#"{"a":\#(list),"b":[1]}"#, pieces: pieces) == #"{"a":{"$cut":\#(list.utf8.count)},"b":[1]}"#)
    #expect(clipped(#"{"b":[1],"a":\#(list)}"#, pieces: pieces) == #"{"b":[1],"a":{"$cut":\#(list.utf8.count)}}"#)
  }

  @Test("a row of very many values has a bound")
  func rows() throws {
    let value = "\"" + String(repeating: "y", count: 50_000) + "\""
    let row = "{" + (0..<100).map { "\"c\($0)\":\(value)" }.joined(separator: ",") + "}"
    let result = clipped(row, pieces: 4096)
    #expect(result.utf8.count < 400_000)
    #expect(try JSONParser.parse(Array(result.utf8)).members?.count == 100)
  }
}
