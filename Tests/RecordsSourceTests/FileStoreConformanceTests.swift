import AccountExport
import Files
import Foundation
import TestSupport
import Testing

@testable import RecordsSource

/// What every source must hold to, on files of records.
@Suite struct FileStoreConformanceTests {
  private static let csv = "id,name,password,note\n1,Mira,x,\"a\nb\"\n2,José,,c,more\n"
  private static let ndjson = "{\"id\":1,\"name\":\"Mira\",\"tags\":[\"a\"]}\n{\"id\":2,\"token\":\"x\",\"at\":{\"secret\":1}}\n"
  private static let json = #"{"version": 1, "people": [{"id": 1}, {"id": 2, "name": "José"}], "posts": []}"#

  @Test(arguments: [("people.csv", csv, "a\n"), ("people.ndjson", ndjson, "\n"), ("people.json", json, "[]")])
  func conforms(name: String, text: String, emptyText: String) async throws {
    let folder = try TemporaryFolder()
    let (full, empty) = (try folder.write(text.utf8, to: name), try folder.write(emptyText.utf8, to: "empty-" + name))
    try await checkExportSource {
      try #require(try FileRecordsSource(recognising: empty))
    } _: {
      try #require(try FileRecordsSource(recognising: full))
    }
  }

  /// Bytes of every kind, as every format: an export ends, and its bundle is sound.
  @Test(arguments: FileStoreFormat.allCases)
  func comesBackWhateverTheBytes(format: FileStoreFormat) async throws {
    let folder = try StoreFolder()
    let alphabet = Array("{}[]\"\"\\:,,;\n\n01eE-.truefalsn \"a\":".utf8) + [0xC3, 0xA9, 0xFF, 0]
    var state: UInt64 = 42
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    var options = FileStoreOptions()
    options.format = format
    var written = 0
    for length in 0..<250 {
      var bytes: [UInt8] = length % 2 == 0 ? Array("[{\"a\":1},".utf8) : []
      for _ in 0..<length { bytes.append(alphabet[random(alphabet.count)]) }
      try folder.write("odd", bytes)
      do {
        let exported = try await folder.exportFile("odd", options)
        if exported.manifest.sources.first?.items ?? 0 > 0 { written += 1 }
      } catch let error as ExportError {
        #expect(error.code == .nothingRead)
      }
    }
    #expect(written > 20)
  }

  /// A file that grows after it was opened is read as far as it went, and known to have changed.
  @Test func noticesAChange() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("one\n".utf8, to: "log")
    let file = try TextFile(path, encoding: nil) { folder.path }
    #expect(try !file.hasChanged())
    let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent("log"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("two\n".utf8))
    try handle.close()
    #expect(try file.hasChanged())
    var buffer = [UInt8](repeating: 0, count: 100)
    #expect(try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 0) } == 4)
    #expect(try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 4) } == 0)
    #expect(try folder.names() == ["log"])
  }

  /// Text that is not UTF-8 is decoded into a file that no one sees.
  @Test func decodesOnTheSide() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "é,日本語,x\n", count: 50_000)
    let path = try folder.write([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, to: "a.csv")
    let file = try TextFile(path, encoding: nil) { folder.path }
    #expect(file.size == UInt64(text.utf8.count))
    var read: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 100_000)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: UInt64(read.count)) }
      if count == 0 { break }
      read += buffer[..<count]
    }
    #expect(read == Array(text.utf8))
    #expect(try folder.names() == ["a.csv"])
  }
}
