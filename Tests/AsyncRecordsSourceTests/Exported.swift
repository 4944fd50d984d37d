import AsyncRecordsSource
import Files
import Foundation
import TestSupport
import Testing

@testable import AccountExport

/// What a source's collections are in the bundle, taken before they are packed.
struct Exported {
  struct File {
    let text: String
    let table: TableDraft?
  }

  private(set) var files: [String: File] = [:]
  private(set) var tally = SourceTally()
  /// What was told of what is missing or odd, as it stands in the report.
  private(set) var warnings: [String] = []

  /// Runs a body with a writer of its own.
  init(
    request: ExportRequest = .fixed, _ body: nonisolated(nonsending) (inout EntryWriter) async throws -> Void
  ) async throws {
    let place = try TemporaryFolder()
    let events = ExportEvents { _ in }
    let context = SourceContext(
      request: request, staging: try StagingFolder(in: place.path), events: events, topFolder: "account-export",
      clock: { Timestamp(seconds: 0) })
    let lane = Lane<PackItem>(maximumBytes: .max, maximumItems: .max)
    var writer = EntryWriter(source: "records/Test", folder: "records/Test", context: context, lane: lane)
    try await body(&writer)
    tally = writer.tally
    warnings = events.report.map(\.message)
    lane.close()
    while let item = try await lane.take() { try take(item) }
  }

  private mutating func take(_ item: PackItem) throws {
    switch item {
    case .entry(let draft, .spooled(let slice), let digest):
      #expect(try slice.digest() == digest, "the hash of \(draft.path) is another one's")
      #expect(draft.size == UInt64(slice.length))
      var table: TableDraft?
      if case .table(let draft) = draft.role { table = draft }
      files[name(draft.path)] = File(text: try Self.text(slice), table: table)
    case .values(let batch):
      var offset = 0
      for (index, length) in batch.lengths.enumerated() {
        let slice = SpoolSlice(spool: batch.spool, offset: offset, length: length)
        if !batch.dropped.contains(index) {
          files[name(batch.path(index + 1))] = File(text: try Self.text(slice), table: nil)
        }
        offset += length
      }
    default: Issue.record("an entry of another kind")
    }
  }

  private func name(_ path: String) -> String { path.replacing("records/Test/", with: "") }

  private static func text(_ slice: SpoolSlice) throws -> String {
    var bytes = [UInt8](repeating: 0, count: slice.length)
    let count = try bytes.withUnsafeMutableBytes { slice.length == 0 ? 0 : try slice.spool.read(into: $0, at: slice.offset) }
    #expect(count == slice.length)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A collection's text.
  func text(_ name: String = "c") throws -> String { try #require(files[name + ".json"], "no \(name)").text }

  /// The lines of a collection that are rows.
  func lines(_ name: String = "c") throws -> [String] {
    try text(name).split(separator: "\n").filter { $0 != "[" && $0 != "]" && $0 != "[]" }.map {
      String($0.last == "," ? $0.dropLast() : $0)
    }
  }

  /// A collection as Foundation reads it.
  func rows(_ name: String = "c") throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(try text(name).utf8)) as? [[String: Any]])
  }

  /// The columns in the table's schema, with their types.
  func fields(_ name: String = "c") throws -> [String] {
    let table = try #require(files[name + ".json"]?.table)
    return zip(table.description.columns, table.kinds).map { "\($0.name) \($1.fieldType)" }
  }

  /// What is named as missing.
  var omissions: [String] { tally.omissions.map { "\($0.path) \($0.reason.name) \($0.count.map(String.init) ?? "-")" } }

  /// What is masked, and how often.
  var redactions: [String: Int] { Dictionary(uniqueKeysWithValues: tally.redactions.map { ($0.key.path, $0.value.count) }) }

  /// How many of them stand inside texts.
  var redactionsInText: [String: Int] {
    Dictionary(uniqueKeysWithValues: tally.redactions.map { ($0.key.path, $0.value.inText) }.filter { $0.1 > 0 })
  }

  /// A collection of these rows.
  static func rows<Row: Encodable>(
    _ rows: [Row], columns: [String] = [], request: ExportRequest = .fixed, encoding: RecordEncoding = RecordEncoding()
  ) async throws -> Exported {
    try await Exported(request: request) { try await $0.collection("c", of: rows, columns: columns, encoding: encoding) }
  }

  /// One value as it is written in a row.
  static func value<Value: Encodable>(_ value: Value, encoding: RecordEncoding = RecordEncoding()) async throws -> String {
    let exported = try await rows([["v": value]], encoding: encoding)
    #expect(exported.omissions == [])
    return String(try #require(try exported.lines().first).dropFirst(#"{"v":"#.count).dropLast())
  }
}

/// A value of any type, with a name for the test's list.
struct Shape: CustomTestStringConvertible, CustomTestArgumentEncodable, Encodable, Sendable {
  let testDescription: String
  let value: any Encodable & Sendable

  init(_ name: String, _ value: any Encodable & Sendable) { (testDescription, self.value) = (name, value) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  /// What the testing library knows an argument by: the name, since it would run the value's own encoding, misuse and all.
  func encodeTestArgument(to encoder: some Encoder) throws { try testDescription.encode(to: encoder) }
}

/// A value that is encoded as a closure says.
struct Custom: Encodable, Sendable {
  let body: @Sendable (any Encoder) throws -> Void

  init(_ body: @escaping @Sendable (any Encoder) throws -> Void) { self.body = body }

  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// Any key.
struct AnyKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringLiteral name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
