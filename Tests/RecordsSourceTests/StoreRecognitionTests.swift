import AccountExport
import Files
import Foundation
import TextDecoding
import Testing

@testable import RecordsSource

@Suite struct StoreRecognitionTests {
  @Test(
    arguments: [
      ("a,b\n1,2\n", "", FileStoreFormat.csv), ("a;b\n1;2\n", "db", .csv), ("a,b\n", "", nil), ("a\n1\n", "", nil), ("a\n1\n", "csv", .csv),
      ("a,b\n1,2\n", "json", .json), ("Dear all, hello.\nThis is text.\n", "txt", nil),
      ("[{\"a\":1}]", "", .json), (" \n{\"a\":\n1}", "", .json), ("{\"a\":1}", "ndjson", .ndjson), ("{\"a\":1}", "csv", .json),
      ("{\"a\":1}\n{\"a\":2}\n", "", .ndjson), ("{\"a\":1}\n{\"a\":2}\n", "json", .ndjson), ("{\"a\":1\n{\"a\":2}\n", "", .ndjson),
      ("[1,2]\n[3,4]\n", "", .ndjson), ("[\n1,\n2]", "", .json), ("[id],[name]\n1,2\n", "csv", .csv), ("[]", "", .json), ("{}", "", .json),
      ("{a,b}\nc,d\n", "", .csv), ("", "", nil), ("", "csv", .csv), ("\n", "jsonl", .ndjson), ("42", "json", .json), ("42", "", nil),
      ("SQLite format 3\u{0}", "csv", nil), ("a\u{1},b\n1,2\n", "", nil), ("a\u{0},b\n1,2\n", "csv", .csv),
    ] as [(String, String, FileStoreFormat?)])
  func tells(text: String, suffix: String, format: FileStoreFormat?) throws {
    let folder = try StoreFolder()
    let path = try folder.write(suffix.isEmpty ? "store" : "store." + suffix, text.utf8)
    #expect(try FileRecordsSource(recognising: path)?.format == format)
  }

  @Test func tellsUTF16() throws {
    let folder = try StoreFolder()
    let units = "a;b\n1;2\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(try FileRecordsSource(recognising: folder.write("marked", [0xFF, 0xFE] + units))?.format == .csv)
    #expect(try FileRecordsSource(recognising: folder.write("bare", units))?.format == .csv)
  }

  @Test func whatIsSaidGoesFirst() throws {
    let folder = try StoreFolder()
    var options = FileStoreOptions()
    options.format = .csv
    #expect(try FileRecordsSource(recognising: folder.write("a.json", "[1]".utf8), options: options)?.kind == "csv")
  }

  @Test func foldersAreNone() throws {
    let folder = try StoreFolder()
    try FileManager.default.createDirectory(at: folder.url.appendingPathComponent("a.csv"), withIntermediateDirectories: false)
    #expect(try FileRecordsSource(recognising: folder.path("a.csv")) == nil)
    #expect(throws: FileError.self) { try FileRecordsSource(recognising: folder.path("gone.csv")) }
  }
}
