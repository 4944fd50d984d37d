import AccountExport
import Files
import Foundation
import TextDecoding
import Testing

@testable import RecordsSource

@Suite struct CSVStoreTests {
  @Test func valuesStayText() async throws {
    let text = "id,zip,$note,empty,quoted\r\n1,007,\"a \"\"b\"\",\nc\",,\"\"\r\n2,1e5,null,,x\r\n"
    let exported = try await StoreFolder().export(text: text, as: "people.csv")
    #expect(
      exported.lines("records/people/people.json") == [
        #"{"id":"1","zip":"007","$$note":"a \"b\",\nc","empty":"","quoted":""}"#,
        #"{"id":"2","zip":"1e5","$$note":"null","empty":"","quoted":"x"}"#,
      ])
    #expect(exported.manifest.outcome == .complete)
    #expect(exported.omissions == [])
  }

  @Test func namesLinesOfAnotherLength() async throws {
    let text = "a,b,\n1,2,\n3\n4,5,6,7\n\n8,\"9\n\",\nx,y\n"
    let exported = try await StoreFolder().export(text: text, as: "a.csv")
    #expect(
      exported.lines("records/a/a.json") == [
        #"{"a":"1","b":"2","column 3":"","column 4":null}"#, #"{"a":"3","b":null,"column 3":null,"column 4":null}"#,
        #"{"a":"4","b":"5","column 3":"6","column 4":"7"}"#, #"{"a":"8","b":"9\n","column 3":"","column 4":null}"#,
        #"{"a":"x","b":"y","column 3":null,"column 4":null}"#,
      ])
    #expect(exported.omissions == ["a: column 3: irregular", "a: line 3: irregular", "a: line 4: irregular"])
    #expect(exported.manifest.outcome == .complete)
  }

  @Test func leavesOutColumnsWithoutNameAndValue() async throws {
    let exported = try await StoreFolder().export(text: "a,b,,\n1,2,,\n3,4\n", as: "a.csv")
    #expect(exported.lines("records/a/a.json") == [#"{"a":"1","b":"2"}"#, #"{"a":"3","b":"4"}"#])
    #expect(exported.omissions == [])
  }

  @Test func makesNamesUnique() async throws {
    let exported = try await StoreFolder().export(text: "id,,id,password,password\n1,2,3,4,5\n", as: "a.csv")
    #expect(
      exported.lines("records/a/a.json") == [
        #"{"id":"1","column 2":"2","id-2":"3","password":{"$redacted":"secret"},"password-2":{"$redacted":"secret"}}"#
      ])
    #expect(exported.omissions == ["a: column 2: irregular", "a: column 3 (id): irregular", "a: column 5 (password): irregular"])
    #expect(exported.manifest.redactions.map(\.count) == [1, 1])
  }

  @Test func goesOnBehindAQuoteWithoutEnd() async throws {
    let exported = try await StoreFolder().export(text: "id,note\n1,\"never\n2,fine\n3,\"x\"\n", as: "a.csv")
    #expect(
      exported.lines("records/a/a.json") == [
        #"{"id":"1","note":"never"}"#, #"{"id":"2","note":"fine"}"#, #"{"id":"3","note":"x"}"#,
      ])
    #expect(exported.omissions == ["a: line 2: failed"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test func keepsBytesThatAreNoText() async throws {
    let folder = try StoreFolder()
    let long = [UInt8](repeating: 0x61, count: 5000) + [0xFF]
    try folder.write("a.csv", Array("a,b\n".utf8) + [0xC3, 0x28, 0x2C] + long + [0x0A, 0, 0x2C, 0x78, 0x0A])
    let exported = try await folder.exportFile("a.csv")
    let lines = try #require(exported.lines("records/a/a.json"))
    #expect(lines[0].hasPrefix(#"{"a":{"$base64":"wyg="},"b":{"$file":"records/a/files/a/1.bin","bytes":5001,"#))
    #expect(lines[1] == #"{"a":"\u0000","b":"x"}"#)
    #expect(exported.entries["records/a/files/a/1.bin"] == long)
  }

  @Test(arguments: ["utf-8", "utf-16le", "utf-16be", "windows-1252", "latin-1"])
  func readsEncodings(name: String) async throws {
    let folder = try StoreFolder()
    let encoding = try #require(TextEncoding(name: name))
    let text = "name;stadt\r\nJosé;Zürich\r\n"
    let units: [UInt8] =
      switch name {
      case "utf-8": [0xEF, 0xBB, 0xBF] + Array(text.utf8)
      case "utf-16le": [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      case "utf-16be": text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      default: text.unicodeScalars.map { UInt8($0.value) }
      }
    try folder.write("a.csv", units)
    var options = FileStoreOptions()
    if name.hasPrefix("utf") == false { options.encoding = encoding }
    let exported = try await folder.exportFile("a.csv", options)
    #expect(exported.lines("records/a/a.json") == [#"{"name":"José","stadt":"Zürich"}"#])
  }

  @Test func takesWhatIsSaid() async throws {
    var options = FileStoreOptions()
    (options.delimiter, options.quote, options.escape) = (UInt8(ascii: "|"), UInt8(ascii: "'"), UInt8(ascii: "\\"))
    options.hasHeader = false
    let exported = try await StoreFolder().export(text: "'a|b'|c\\|d|\"e\"\n1|2|3|4\n", as: "a.csv", options)
    #expect(
      exported.lines("records/a/a.json") == [
        #"{"column 1":"a|b","column 2":"c|d","column 3":"\"e\"","column 4":null}"#,
        #"{"column 1":"1","column 2":"2","column 3":"3","column 4":"4"}"#,
      ])
    #expect(exported.omissions == ["a: line 2: irregular"])
  }

  @Test(arguments: [("", "[]\n"), ("a,b\n", "[]\n"), ("sep=,\r\n", "[]\n"), ("\n\n", "[]\n")])
  func anEmptyFileIsAnEmptyCollection(text: String, expected: String) async throws {
    let exported = try await StoreFolder().export(text: text, as: "a.csv")
    #expect(exported.text("records/a/a.json") == expected)
    #expect(exported.manifest.outcome == .complete)
  }

  /// A value of several megabytes does not fit the reader's window: it goes through in pieces, and a later column may still name it a secret.
  @Test func longRecordsGoThroughInPieces() async throws {
    let folder = try StoreFolder()
    let long = String(repeating: "lorem \"ipsum\", dolor\n", count: 150_000)
    let field = "\"" + long.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    try folder.write("a.csv", Array("id,value,key,raw\n1,\(field),note,".utf8) + [0xFF] + Array(("\n2,\(field),password,x\n3,y,z\n").utf8))
    let exported = try await folder.exportFile("a.csv")
    let lines = try #require(exported.lines("records/a/a.json"))
    let row = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
    #expect(row["value"] as? String == long)
    #expect((row["raw"] as? [String: String]) == ["$base64": "/w=="])
    #expect(lines[1] == #"{"id":"2","value":{"$redacted":"secret"},"key":"password","raw":"x"}"#)
    #expect(lines[2] == #"{"id":"3","value":"y","key":"z","raw":null}"#)
  }

  /// One long line in many short ones would give each of them its columns.
  @Test func fewColumnsWhereRowsHaveLittleInCommon() async throws {
    let wide = (1...3000).map { "f\($0)" }.joined(separator: ",")
    let text = "a\n" + String(repeating: "x\n", count: 20_000) + wide + "\n" + "y\n"
    let exported = try await StoreFolder().export(text: text, as: "a.csv")
    let lines = try #require(exported.lines("records/a/a.json"))
    #expect(lines.count == 20_002)
    #expect(lines[0].utf8.count < 2000)
    #expect(lines[0].hasSuffix(#""other fields":null}"#))
    let row = try #require(try JSONSerialization.jsonObject(with: Data(lines[20_000].utf8)) as? [String: Any])
    #expect((row["other fields"] as? [String: String])?["column 3000"] == "f3000")
    #expect(row["column 2"] as? String == "f2")
  }

  @Test func plansItsRows() async throws {
    let folder = try StoreFolder()
    let path = try folder.write("a.csv", "a,b\n1,2\n\n3,4\n".utf8)
    let source = try #require(try FileRecordsSource(recognising: path))
    let sizes = try await source.plan(for: DataSubject(), depth: .sizes)
    #expect((sizes.items, sizes.bytes) == (nil, 13))
    let counts = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(counts.items == 2)
    #expect(counts.parts.map(\.name) == ["a"])
  }
}
