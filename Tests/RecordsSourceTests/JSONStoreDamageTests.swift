import AccountExport
import Files
import Foundation
import Testing

@testable import RecordsSource

/// JSON that is broken in one place: that place is named, and nothing else is lost without a word, or invented.
@Suite struct JSONStoreDamageTests {
  private func values(_ exported: ExportedStore) -> [String]? {
    exported.lines("records/a/a.json").map { $0.map { String($0.dropFirst(5).dropLast()) } }
  }

  /// A row holds a raw tab in a string, so that only its line tells where the next row begins.
  @Test(arguments: [
    ("[\n {\"a\":1}\n,{\"a\":\"bro\tken\"}\n,{\"a\":3}\n,{\"a\":4}\n]\n", ["1", "3", "4"], ["a: line 3: unreadable"]),
    ("[\n  {\"a\":1}\n, {\"a\":\"bro\tken\"}\n, {\"a\":3}\n]\n", ["1", "3"], ["a: line 3: unreadable"]),
    ("[\n  {\"a\":1},\n    {\"a\":\"bro\tken\"},\n  {\"a\":3},\n  {\"a\":4}\n]\n", ["1", "3", "4"], ["a: line 3: unreadable"]),
    ("[\n  {\"a\":1},\n{\"a\":\"bro\tken\"},\n  {\"a\":3},\n  {\"a\":4}\n]\n", ["1"], ["a: failed ×1"]),
    ("[\n  {\"a\":1},\n{\"a\":\"bro\tken\"}\n  ,{\"a\":3}\n]\n", ["1"], ["a: failed ×1"]),
    ("[\n  {\"a\":1},\n  {\"a\":\"bro\tken\"},\n  {\"a\":3}\n]\n", ["1", "3"], ["a: line 3: unreadable"]),
    ("[\n  {\"a\":1},\n  {\"a\":\"bro\tken\"}\n]\n", ["1"], ["a: line 3: unreadable"]),
    ("[\n{\"a\":1}, {\"a\":\"bro\tken\", \"l\": [\n {\"a\":5}]},\n{\"a\":3}\n]\n", ["1", "3"], ["a: line 2: unreadable"]),
  ])
  func goesOnAtTheNextRow(text: String, rows: [String], omissions: [String]) async throws {
    let exported = try await StoreFolder().export(text: text, as: "a.json")
    #expect(values(exported) == rows)
    #expect(exported.omissions == omissions)
    #expect(exported.manifest.outcome == .partial)
  }

  @Test func aLineThatIsCutBehindABackslashEndsThere() async throws {
    let exported = try await StoreFolder().export(text: "{\"a\":1}\n{\"a\":\"x\\\n{\"a\":3}\n{\"a\":4\n{\"a\":5}\n", as: "a.ndjson")
    #expect(values(exported) == ["1", "3", "5"])
    #expect(exported.omissions == ["a: line 2: unreadable", "a: line 4: unreadable"])
  }

  /// A value among the `other keys` that can't be written takes its row with it, and nothing else.
  @Test func aValueWithoutAColumnTakesItsRowAlone() async throws {
    let key = String(repeating: "k", count: 1100)
    let elements = (1...6).map { "{\"a\":\($0),\"\(key)\":\"\($0 == 3 ? "\\ud800" : "x")\",\"z\":1}" }
    let exported = try await StoreFolder().export(text: "[" + elements.joined(separator: ",\n") + "]", as: "a.json")
    #expect(
      exported.lines("records/a/a.json") == [1, 2, 4, 5, 6].map { "{\"a\":\($0),\"z\":1,\"other keys\":{\"\(key)\":\"x\"}}" })
    #expect(exported.omissions == ["a: line 3: unreadable"])
  }

  // MARK: Lines

  @Test(arguments: [
    ("{\"id\":1}\nnot json at all\n{\"id\":3}\n", [#"{"id":1}"#, #"{"id":3}"#], ["a: line 2: unreadable"]),
    ("{\"id\":1}\n{\"id\":2} trailing words\n{\"id\":3}\n", [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#], ["a: line 2: unreadable"]),
    ("{\"id\":1}\n{\"id\":2} true story\n", [#"{"id":1}"#, #"{"id":2}"#], ["a: line 2: unreadable"]),
    (
      "{\"id\":1}\n12 monkeys\ntrue story\n\"quoted\" words\nnullnull\n01\n-\n1.e5\n", [#"{"id":1}"#],
      (2...8).map { "a: line \($0): unreadable" }
    ),
    ("{\"a\":1} {\"b\":2}\n", [#"{"a":1,"b":null}"#, #"{"a":null,"b":2}"#], []),
    (
      "{\"id\":1}\n{\"new\":\n{\"other\":tru}\n{\"third\":1\n{\"id\":5}\n", [#"{"id":1}"#, #"{"id":5}"#],
      (2...4).map { "a: line \($0): unreadable" }
    ),
    ("{\"id\":1}\n{\"id\":[nul]} {\"id\":[nul]}\n", [#"{"id":1}"#], ["a: line 2: unreadable"]),
    ("{\n \"id\": 1\n}\nnot json at all\n{\n \"id\": 3\n}\n", [#"{"id":1}"#, #"{"id":3}"#], ["a: line 4: unreadable"]),
    ("5\n -0.5e+10 \n\"x\"\ntrue", [#"{"value":5}"#, #"{"value":-0.5e+10}"#, #"{"value":"x"}"#, #"{"value":true}"#], []),
  ])
  func aBadLineIsOneOmission(text: String, rows: [String], omissions: [String]) async throws {
    let exported = try await StoreFolder().export(text: text, as: "a.ndjson")
    #expect(exported.lines("records/a/a.json") == rows)
    #expect(exported.omissions == omissions)
  }

  @Test func aBadLineIsNotCounted() async throws {
    let folder = try StoreFolder()
    let path = try folder.write("a.ndjson", "{\"id\":1}\nnot json at all\n{\"id\":2} trailing words\n{\"id\":tru}\n{\"id\":3}\n".utf8)
    let source = try #require(try FileRecordsSource(recognising: path))
    #expect(try await source.plan(for: DataSubject(), depth: .counts).items == 3)
  }

  @Test func aFaultNamesItsLineOnce() {
    let fault = JSONFault(line: 2, message: "no colon behind a key")
    #expect(fault.detail(at: 2) == "no colon behind a key")
    #expect(fault.detail(at: 1) == "line 2: no colon behind a key")
  }

  /// The columns that a row added are gone with it, and the others are found as before.
  @Test func takesColumnsBack() {
    var columns = JSONColumns()
    func add(_ key: String) -> Int? {
      Array(key.utf8).withUnsafeBytes { columns.find($0) ?? columns.add($0, after: nil) }
    }
    func find(_ key: String) -> Int? { Array(key.utf8).withUnsafeBytes { columns.find($0) } }
    columns.begin()
    #expect((0..<40).map { add("k\($0)") } == (0..<40).map { $0 })
    columns.begin()
    #expect((0..<60).map { add("n\($0)") } == (40..<100).map { $0 })
    #expect(Array("k3".utf8).withUnsafeBytes { columns.add($0, after: 3) } == 100)
    columns.takeBack()
    #expect(columns.count == 40)
    #expect(columns.next(after: 3) == nil)
    #expect((0..<40).map { find("k\($0)") } == (0..<40).map { $0 })
    #expect((0..<60).compactMap { find("n\($0)") } == [])
    #expect(add("n5") == 40)
  }

  // MARK: Names

  @Test func namesThatAreNoTextAreNamed() async throws {
    let folder = try StoreFolder()
    try folder.write("a.json", Array("[{\"k".utf8) + [0xFF] + Array("\":1,\"\\ud800\":2,\"ok\":3}]".utf8))
    let keys = try await folder.exportFile("a.json")
    #expect(keys.lines("records/a/a.json") == ["{\"k\u{FFFD}\":1,\"\u{FFFD}\u{FFFD}\u{FFFD}\":2,\"ok\":3}"])
    #expect(keys.omissions == ["a: column 1 (k\u{FFFD}): irregular", "a: column 2 (\u{FFFD}\u{FFFD}\u{FFFD}): irregular"])
    try folder.write("b.json", Array("{\"u".utf8) + [0xFF] + Array("\":[{\"a\":1}],\"v\":[{\"a\":2}]}".utf8))
    let collections = try await folder.exportFile("b.json")
    #expect(collections.omissions == ["u\u{FFFD}: irregular"])
    #expect(collections.manifest.outcome == .complete)
  }

  @Test func aTextThatIsCutWithinACharacterIsNamed() async throws {
    let folder = try StoreFolder()
    let units = "[{\"a\":1}]".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    try folder.write("a.json", [0xFF, 0xFE] + units + [0x20])
    let exported = try await folder.exportFile("a.json")
    #expect(exported.lines("records/a/a.json") == [#"{"a":1}"#])
    #expect(exported.omissions == ["a: failed"])
    #expect(exported.manifest.outcome == .partial)
  }
}
