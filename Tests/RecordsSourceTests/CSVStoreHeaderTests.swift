import AccountExport
import Files
import Foundation
import Testing

@testable import RecordsSource

/// What the first record of a CSV file promises, and what becomes of it where that is odd.
@Suite struct CSVStoreHeaderTests {
  private let secret = #"{"$redacted":"secret"}"#

  /// The first record alone is longer than what is looked at to tell the delimiter.
  @Test func aWideHeaderTellsItsDelimiter() async throws {
    let names = (1...7000).map { $0 == 7000 ? "api_key" : "column_\($0)" }
    let values = (1...7000).map { $0 == 7000 ? "k-123" : "v\($0)" }
    let text = names.joined(separator: "\t") + "\n" + values.joined(separator: "\t") + "\n"
    for name in ["wide.tsv", "wide.csv"] {
      let lines = try #require(try await StoreFolder().export(text: text, as: name).lines("records/wide/wide.json"))
      #expect(lines.count == 1)
      #expect(lines[0].hasPrefix(#"{"column_1":"v1","column_2":"v2","#))
      #expect(lines[0].hasSuffix(#""column_6999":"v6999","api_key":\#(secret)}"#))
    }
  }

  @Test(arguments: [
    ("comma.tsv", "last, first\tcity\nOkafor, Mira\tBern\n", [#"{"last, first":"Okafor, Mira","city":"Bern"}"#]),
    ("comma.tab", "a, b, c\td\n1, 2, 3\t4\n", [#"{"a, b, c":"1, 2, 3","d":"4"}"#]),
    ("comma.tsv", "a,b\n1,2\n", [#"{"a":"1","b":"2"}"#]),
    ("comma.tsv", "a\n1\n", [#"{"a":"1"}"#]),
  ])
  func aNameMayPromiseTabs(name: String, text: String, rows: [String]) async throws {
    #expect(try await StoreFolder().export(text: text, as: name).lines("records/comma/comma.json") == rows)
  }

  @Test func aQuoteWithoutEndInTheHeaderIsNamed() async throws {
    let exported = try await StoreFolder().export(text: "id,\"name,note\n1,Mira,x\n", as: "a.csv")
    #expect(exported.lines("records/a/a.json") == [#"{"id":"1","name":"Mira","note":"x"}"#])
    #expect(exported.omissions == ["a: line 1: failed"])
    #expect(exported.manifest.outcome == .partial)
  }

  /// Which column the secrets are in can't be told where a quote in the header has no end: none of those that it may be gets through.
  @Test(
    arguments: [
      ("id,\"api_key,note\n1,k-1,x\n", [("id", "1"), ("api_key", nil), ("note (api_key)", nil)]),
      ("id,\"note,api_key\n1,x,k-1\n", [("id", "1"), ("note (api_key)", nil), ("api_key", nil)]),
      ("id,\"last, first,api_key\n1,Mira,k-1\n", [("id", "1"), ("last (api_key)", nil), (" first (api_key)", nil), ("api_key", "null")]),
      (
        "id,\"accesstoken,note\n1,k-1,x,y\n",
        [("id", "1"), ("accesstoken", nil), ("note (accesstoken)", nil), ("column 4 (accesstoken)", nil)]
      ),
    ] as [(String, [(String, String?)])])
  func aBrokenHeaderLetsNoSecretThrough(text: String, columns: [(String, String?)]) async throws {
    let exported = try await StoreFolder().export(text: text, as: "a.csv")
    let members = columns.map { name, value in "\"\(name)\":" + (value.map { $0 == "null" ? $0 : "\"\($0)\"" } ?? secret) }
    #expect(exported.lines("records/a/a.json") == ["{" + members.joined(separator: ",") + "}"])
    #expect(exported.omissions.contains("a: line 1: failed"))
    #expect(exported.omissions.filter { $0.hasSuffix("irregular") && $0.contains("column") }.count == columns.count { $0.0.contains("(") })
  }

  @Test func tooManyNamesAreNamed() async throws {
    let names = (1...16_390).map { "c\($0)" }.joined(separator: ",")
    let exported = try await StoreFolder().export(text: names + "\n1,2\n", as: "a.csv")
    #expect(exported.omissions == ["a: line 1: limit", "a: line 2: irregular"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test func namesThatAreNoTextAreNamed() async throws {
    let folder = try StoreFolder()
    let long = String(repeating: "é", count: 2049)
    try folder.write("a.csv", Array("id,n".utf8) + [0xFF] + Array(",\(long)\n1,2,3\n".utf8))
    let exported = try await folder.exportFile("a.csv")
    let kept = String(repeating: "é", count: 2048)
    #expect(exported.lines("records/a/a.json") == ["{\"id\":\"1\",\"n\u{FFFD}\":\"2\",\"\(kept)\":\"3\"}"])
    #expect(exported.omissions == ["a: column 2 (n\u{FFFD}): irregular", "a: column 3 (\(kept)): irregular"])
  }

  @Test func aTextThatIsCutWithinACharacterIsNamed() async throws {
    let folder = try StoreFolder()
    try folder.write("a.csv", [0xFF, 0xFE] + "a,b\n1,2".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + [0x61])
    let exported = try await folder.exportFile("a.csv")
    #expect(exported.lines("records/a/a.json") == [#"{"a":"1","b":"2"}"#])
    #expect(exported.omissions == ["a: failed"])
  }

  /// A private folder is made for text that is decoded, and for no other.
  @Test(arguments: [("plain", false), ("UTF-16", true)])
  func asksForAFolderOnlyToDecode(name: String, isDecoded: Bool) async throws {
    let (folder, temporary) = (try StoreFolder(), try StoreFolder())
    let text = "a,b\n1,2\n"
    let units = isDecoded ? [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } : Array(text.utf8)
    let source = try #require(try FileRecordsSource(recognising: folder.write("a.csv", units)))
    var request = ExportRequest()
    (request.temporaryFolder, request.concurrentSources) = (PathBytes(temporary.url.path), 1)
    let listing = FolderListing(of: temporary.url)
    let receipt = try await AccountExporter(sources: [source, listing]).export(request, to: folder.path("a.zip"))
    #expect(receipt.manifest.sources.last?.items == (isDecoded ? 1 : 0))
  }
}

/// As many rows as a folder has entries while an export runs.
private struct FolderListing: ExportSource {
  let name = "records/listing"
  let kind = "test"
  let url: URL

  init(of url: URL) { self.url = url }

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    let description = CollectionDescription("names", columns: [CollectionDescription.Column("name")])
    _ = try await writer.collection(description) { records in
      for name in names { try records.row { (row) throws in Array(name.utf8).withUnsafeBufferPointer { row.text($0) } } }
    }
  }
}
