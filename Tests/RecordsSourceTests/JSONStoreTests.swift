import AccountExport
import Files
import Foundation
import Testing

@testable import RecordsSource

@Suite struct JSONStoreTests {
  @Test func rowsHaveEveryKey() async throws {
    let text = """
      [ {"id": 1, "n": 0.10, "big": 12345678901234567890123, "$x": {"$y": [1, -0]}, "a\\u0062": "\\u00e9\\n"},
        {"b": true, "id": -7, "e": 1E+2, "z": null} , 5, [1], "s"]
      """
    let exported = try await StoreFolder().export(text: text, as: "a.json")
    #expect(
      exported.lines("records/a/a.json") == [
        #"{"id":1,"n":0.10,"big":12345678901234567890123,"$$x":{"$$y":[1,-0]},"ab":"é\n","b":null,"e":null,"z":null,"value":null}"#,
        #"{"id":-7,"n":null,"big":null,"$$x":null,"ab":null,"b":true,"e":1E+2,"z":null,"value":null}"#,
        #"{"id":null,"n":null,"big":null,"$$x":null,"ab":null,"b":null,"e":null,"z":null,"value":5}"#,
        #"{"id":null,"n":null,"big":null,"$$x":null,"ab":null,"b":null,"e":null,"z":null,"value":[1]}"#,
        #"{"id":null,"n":null,"big":null,"$$x":null,"ab":null,"b":null,"e":null,"z":null,"value":"s"}"#,
      ])
    #expect(exported.omissions == [])
  }

  @Test func aBadLineIsNamedAndTheRestGoesOn() async throws {
    let text = "{\"id\":1}\n{\"id\":2\n\n{\"id\":tru}\r\n{\"id\":\"x}\n[1]\n{\"id\":01}\nnonsense\n{\"id\":3} {\"id\":4}\n{\"id\":5},\n"
    let exported = try await StoreFolder().export(text: text, as: "a.ndjson")
    let ids = ["1", "null", "3", "4", "5"]
    #expect(exported.lines("records/a/a.json") == ids.map { $0 == "null" ? #"{"id":null,"value":[1]}"# : "{\"id\":\($0),\"value\":null}" })
    #expect(
      exported.omissions == [
        "a: line 10: unreadable", "a: line 2: unreadable", "a: line 4: unreadable", "a: line 5: unreadable", "a: line 7: unreadable",
        "a: line 8: unreadable",
      ])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":2}\n", ["1", "2"]), ("{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", ["1", "2"]), ("{\"a\":1}{\"a\":2}", ["1", "2"]),
    ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n", ["1", "2"]), ("\u{FEFF}{\"a\":1}\r\n\r\n{\"a\":2}", ["1", "2"]),
    ("[{\"a\":1},{\"a\":2},]", ["1", "2"]),
    ("[\n]", []), ("{\"a\":1}", ["1"]),
  ])
  func takesManyForms(text: String, values: [String]) async throws {
    let exported = try await StoreFolder().export(text: text, as: "a.json")
    #expect(exported.lines("records/a/a.json") == values.map { "{\"a\":\($0)}" })
    #expect(exported.omissions == [])
  }

  @Test func anArrayThatIsCutKeepsItsRows() async throws {
    let exported = try await StoreFolder().export(text: "[\n{\"a\":1},\n{\"a\":2},\n{\"a\":", as: "a.json")
    #expect(exported.lines("records/a/a.json") == [#"{"a":1}"#, #"{"a":2}"#])
    #expect(exported.omissions == ["a: failed ×2"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test func aBadElementIsNamedAndTheRestGoesOn() async throws {
    let text = "[\n  {\"a\": 1},\n  {\"a\" 2},\n  {\"a\": \"x},\n  {\"a\": 3},\n  {\"a\": nul},\n  {\"a\": 4} {\"a\": 5}\n] more"
    let exported = try await StoreFolder().export(text: text, as: "a.json")
    #expect(exported.lines("records/a/a.json") == ["1", "3", "4", "5"].map { "{\"a\":\($0)}" })
    #expect(
      exported.omissions == [
        "a: line 3: unreadable", "a: line 4: unreadable", "a: line 6: unreadable", "a: line 7: irregular", "a: line 8: unreadable",
      ])
  }

  @Test func anObjectOfArraysIsACollectionOfEach() async throws {
    let text = #"{"users": [{"id": 1}, {"id": 2}], "tags": ["a", null], "none": []}"#
    let exported = try await StoreFolder().export(text: text, as: "all.json")
    #expect(exported.lines("records/all/users.json") == [#"{"id":1}"#, #"{"id":2}"#])
    #expect(exported.lines("records/all/tags.json") == [#"{"value":"a"}"#, #"{"value":null}"#])
    #expect(exported.text("records/all/none.json") == "[]\n")
    #expect(exported.text("records/all/all.json") == nil)
  }

  @Test func theRestOfAnObjectIsARow() async throws {
    let text = #"{"version": 2, "users": [{"id": 1}], "settings": {"apiKey": "k", "x": 1}, "numbers": [1, 2], "users": [{"n": 1}]}"#
    let exported = try await StoreFolder().export(text: text, as: "all.json")
    #expect(exported.lines("records/all/users.json") == [#"{"id":1}"#])
    #expect(exported.lines("records/all/users-2.json") == [#"{"n":1}"#])
    #expect(
      exported.lines("records/all/all.json") == [#"{"version":2,"settings":{"apiKey":{"$redacted":"secret"},"x":1},"numbers":[1,2]}"#])
    #expect(exported.omissions == [])
  }

  @Test func oneObjectIsARow() async throws {
    let exported = try await StoreFolder().export(text: #"{"name": "Mira", "tags": ["a"], "password": "x"}"#, as: "me.json")
    #expect(exported.lines("records/me/me.json") == [#"{"name":"Mira","tags":["a"],"password":{"$redacted":"secret"}}"#])
  }

  @Test func anObjectThatIsCutKeepsItsMembers() async throws {
    let row = try await StoreFolder().export(text: "{\"a\": 1, \"b\": {\"c\": 2", as: "a.json")
    #expect(row.lines("records/a/a.json") == [#"{"a":1,"b":null}"#])
    #expect(row.omissions == ["a: failed ×1"])
    let arrays = try await StoreFolder().export(text: "{\"users\": [{\"id\": 1}], \"posts\": [{\"id\": 2}, {\"id\":", as: "a.json")
    #expect(arrays.lines("records/a/users.json") == [#"{"id":1}"#])
    #expect(arrays.lines("records/a/posts.json") == [#"{"id":2}"#])
    #expect(arrays.omissions.contains("posts: failed ×1"))
    #expect(arrays.manifest.outcome == .partial)
  }

  @Test func aKeyThatComesTwiceHasTwoColumns() async throws {
    let exported = try await StoreFolder().export(text: #"[{"a": 1, "a": 2}, {"a": 3}, {"": 4}]"#, as: "a.json")
    #expect(
      exported.lines("records/a/a.json") == [
        #"{"a":1,"a-2":2,"column 3":null}"#, #"{"a":3,"a-2":null,"column 3":null}"#, #"{"a":null,"a-2":null,"column 3":4}"#,
      ])
    #expect(exported.omissions == ["a: column 2 (a): irregular", "a: column 3: irregular"])
  }

  @Test func keepsWhatNoTextCanHold() async throws {
    let text = #"[{"a": "\ud83d", "b": ["\ude00", "ok"], "c": {"password": "\ud83d", "\ud800": 1}}, {"a": "\ud83d\ude00"}]"#
    let exported = try await StoreFolder().export(text: text, as: "a.json")
    #expect(
      exported.lines("records/a/a.json") == [
        #"{"a":{"$base64":"7aC9"},"b":[{"$base64":"7biA"},"ok"],"c":{"password":{"$redacted":"secret"},"\#u{FFFD}\#u{FFFD}\#u{FFFD}":1}}"#,
        #"{"a":"😀","b":null,"c":null}"#,
      ])
    #expect(exported.omissions == [])
  }

  @Test func deepValuesAreBeyondTheLimit() async throws {
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    let exported = try await StoreFolder().export(text: "{\"a\":1}\n{\"a\":\(deep)}\n{\"a\":2}\n", as: "a.ndjson")
    #expect(exported.lines("records/a/a.json") == [#"{"a":1}"#, #"{"a":2}"#])
    #expect(exported.omissions == ["a: line 2: limit"])
  }

  @Test func keysBeyondTheLimitStandTogether() async throws {
    let keys = (0..<1100).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let exported = try await StoreFolder().export(text: "[{\(keys),\"k3\":\"again\"},{\"k0\":1}]", as: "a.json")
    let lines = try #require(exported.lines("records/a/a.json"))
    #expect(
      lines[0].hasSuffix(
        #""k999":999,"other keys":{"k1000":1000,"# + (1001..<1100).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + #","k3":"again"}}"#))
    #expect(lines[1].hasSuffix(#""other keys":null}"#))
  }

  /// Rows and values longer than the window are read again from their places.
  @Test func longRowsGoThroughInPieces() async throws {
    let long = String(repeating: "lorem \\\"ipsum\\\" \\u00e9 ", count: 80_000)
    let list = (0..<200_000).map { "{\"n\":\($0)}" }.joined(separator: ",")
    let others = (0..<1100).map { "\"o\($0)\":\($0)" }.joined(separator: ",")
    let text =
      "{\"value\":\"\(long)\",\"key\":\"note\",\"list\":[\(list)]}\n{\"key\":\"password\",\"value\":\"\(long)\"}\n{\(others),\"value\":\"\(long)\"}\n"
    let exported = try await StoreFolder().export(text: text, as: "a.ndjson")
    let lines = try #require(exported.lines("records/a/a.json"))
    #expect(lines.count == 3)
    #expect(exported.omissions == [])
    let row = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
    #expect((row["value"] as? String)?.utf8.count == 80_000 * 17)
    #expect((row["list"] as? [[String: Int]])?.last == ["n": 199_999])
    #expect(lines[1].hasPrefix(#"{"value":{"$redacted":"secret"},"key":"password","list":null"#))
    let last = try #require(try JSONSerialization.jsonObject(with: Data(lines[2].utf8)) as? [String: Any])
    #expect((last["other keys"] as? [String: Int])?["o1099"] == 1099)
  }

  @Test(arguments: ["", "not json", "]", "{\"a\""])
  func whatIsNoJSONFails(text: String) async throws {
    let folder = try StoreFolder()
    try folder.write("a.json", text.utf8)
    if text.hasPrefix("{") {
      #expect(try await folder.exportFile("a.json").manifest.outcome == .partial)
    } else {
      let error = await #expect(throws: ExportError.self) { _ = try await folder.exportFile("a.json") }
      #expect(error?.code == .nothingRead)
    }
  }

  @Test func readsUTF16() async throws {
    let folder = try StoreFolder()
    try folder.write("a.json", [0xFF, 0xFE] + "[{\"a\": \"é😀\"}]".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    #expect(try await folder.exportFile("a.json").lines("records/a/a.json") == [#"{"a":"é😀"}"#])
  }

  @Test func bytesThatAreNoTextAreKeptOrNamed() async throws {
    let folder = try StoreFolder()
    try folder.write(
      "a.ndjson", Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}\n{\"a\":[\"".utf8) + [0xFF] + Array("\"]}\n{\"a\":1}\n".utf8))
    let exported = try await folder.exportFile("a.ndjson")
    #expect(exported.lines("records/a/a.json") == [#"{"a":{"$base64":"/w=="}}"#, #"{"a":1}"#])
    #expect(exported.omissions == ["a: line 2: unreadable"])
  }

  @Test func plansItsCollections() async throws {
    let folder = try StoreFolder()
    let source = try #require(
      try FileRecordsSource(recognising: folder.write("a.json", #"{"u": [{"a": 1}, {"b": 2}], "v": [{"c": 1}]}"#.utf8)))
    let plan = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(plan.parts.map(\.name) == ["u", "v"])
    #expect(plan.parts.map(\.items) == [2, 1])
    #expect(plan.items == 3)
  }
}
