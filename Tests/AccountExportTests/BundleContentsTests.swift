import Files
import Testing

@testable import AccountExport

/// What is found in files, given in pieces of a size.
private func problems(_ files: [(path: String, text: String)], pieces: Int = .max) throws -> [String] {
  var contents = try BundleContents()
  for file in files {
    Array("b/\(file.path)".utf8).withBytes { contents.begin($0, isFolder: false) }
    let bytes = Array(file.text.utf8)
    var start = 0
    while start < bytes.count {
      let end = start + min(pieces, bytes.count - start)
      Array(bytes[start..<end]).withBytes { contents.content($0) }
      start = end
    }
    contents.end(size: UInt64(bytes.count))
  }
  contents.finish()
  return contents.report.problems
}

/// The order of problems is the order of the text, wherever it is cut: also where one ends the reading.
@Test(arguments: [1, 7, 64]) func tellsTheSameOfPieces(size: Int) throws {
  let files = [
    (path: "data/a.txt", text: "a"),
    (path: "data/t.json", text: #"[{"x":{"$file":"a.txt","bytes":2,"sha256":"00"}},{"x"]"#),
    (path: "datapackage.json", text: #"{"resources":[{"path":"data/a.txt","bytes":3},{"path":"data/t.json"} ?]}"#),
  ]
  let whole = try problems(files)
  let first = ["data/a.txt: its SHA-256 is not the one in data/t.json", "data/a.txt: its size is not the one in data/t.json"]
  #expect(whole.starts(with: first))
  #expect(whole.firstIndex { $0.contains("size is not the one in datapackage.json") } ?? .max < whole.firstIndex { $0.contains("?") } ?? 0)
  #expect(try problems(files, pieces: size) == whole)
}

@Test func countsNumbersTooLargeToAdd() throws {
  let count = #"{"count":9223372036854775807}"#
  let items = ["a", "b"].map { #"{"name":"\#($0)","items":9223372036854775807,"outcome":"complete"}"# }.joined(separator: ",")
  let text = #"{"accountExport":{"sources":[\#(items)],"redactions":[\#(count),\#(count)]}}"#
  let found = try problems([(path: "datapackage.json", text: text)])
  #expect(found.contains { $0.hasSuffix("counts more masked values than there can be") })
  #expect(found.contains { $0.hasSuffix("masked values, and 0 are inside") })
  #expect(found.contains { $0.hasSuffix("items, and 0 are inside") })
}
