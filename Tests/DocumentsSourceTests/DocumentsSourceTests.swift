import AccountExport
import Files
import Foundation
import Synchronization
import Testing

@testable import DocumentsSource

@Suite("Documents in a bundle")
struct DocumentsSourceTests {
  let scratch: Scratch
  let output: Scratch

  init() throws { (scratch, output) = (try Scratch(), try Scratch()) }

  private func export(_ change: (inout DocumentsSource) -> Void = { _ in }) async throws -> ExportedBundle {
    var source = DocumentsSource(scratch.path, named: "Docs")
    change(&source)
    return try await ExportedBundle.export(source, into: output.path)
  }

  @Test func aRowForEverythingAndTheContentsOfFiles() async throws {
    for (number, name) in FolderWalkTests.names.enumerated() { try scratch.write("\(number)", to: PathBytes(name)) }
    try scratch.write(String(repeating: "long ", count: 300_000), to: "deep/er/notes.txt")
    scratch.makeFolder("empty/inner")
    try scratch.link("up", to: "../../../../etc/passwd")
    try scratch.link("self", to: "self")
    try scratch.link("odd", to: PathBytes([0xFF]))
    #expect("pipe".withCString { mkfifoat(scratch.folder.raw, $0, 0o600) } == 0)
    let bundle = try await export()
    let rows = try bundle.rows()
    #expect(rows.count == FolderWalkTests.names.count + 3 + 2 + 3 + 1)
    for row in rows {
      #expect(
        Set(row.keys) == ["path", "kind", "bytes", "sha256", "file", "target", "mediaType", "modified", "created", "mode"])
    }
    for (number, name) in FolderWalkTests.names.enumerated() {
      let row = try #require(try bundle.row(PathBytes(name)))
      #expect(bundle.document(row)?.elementsEqual("\(number)".utf8) == true)
      #expect(row["kind"] as? String == "file" && row["mode"] as? Int == 0o600)
    }
    #expect(bundle.documentCount == FolderWalkTests.names.count + 1)
    let long = try #require(try bundle.row("deep/er/notes.txt"))
    #expect(bundle.document(long)?.count == 1_500_000 && long["bytes"] as? Int == 1_500_000 && long["mediaType"] as? String == "text/plain")
    #expect(bundle.entries["data/documents/Docs/empty/inner/"] == [])
    let targets = try ["up", "self", "odd"].map { ExportedBundle.path(try bundle.row($0)?["target"]) }
    #expect(targets == ["../../../../etc/passwd", "self", PathBytes([0xFF])])
    #expect(try bundle.row("pipe")?["kind"] as? String == "special")
    #expect(bundle.omissions == ["pipe: special"] && bundle.manifest.outcome == .complete)
  }

  @Test func tellsTimesExactly() async throws {
    try scratch.write("", to: "old")
    var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: -86_400, tv_nsec: 123_456_789)]
    #expect("old".withCString { utimensat(scratch.folder.raw, $0, &times, 0) } == 0)
    #expect(try await export().row("old")?["modified"] as? String == "1969-12-31T00:00:00.123456789Z")
  }

  @Test func theSameInputGivesTheSameBytes() async throws {
    for number in 0..<50 { try scratch.write("\(number)", to: PathBytes("f\(number % 7)/\(number)")) }
    #expect(try await export().digest == export().digest)
  }

  @Test func aSingleFileIsARootToo() async throws {
    try scratch.write("%PDF-1.4\n", to: "letter")
    let source = DocumentsSource(scratch.path.appending("letter"))
    let bundle = try await ExportedBundle.export(source, into: output.path)
    let row = try #require(try bundle.row("letter"))
    #expect(bundle.document(row) == Array("%PDF-1.4\n".utf8) && row["mediaType"] as? String == "application/pdf")
    #expect(try await source.plan(for: DataSubject(), depth: .sizes).bytes == 9)
  }

  @Test func saysWhatIsNoRoot() async throws {
    #expect("pipe".withCString { mkfifoat(scratch.folder.raw, $0, 0o600) } == 0)
    for name in ["none", "pipe"] as [PathBytes] {
      await #expect(throws: ExportError.self) {
        try await ExportedBundle.export(DocumentsSource(scratch.path.appending(name)), into: output.path)
      }
    }
    #expect(DocumentsSource("/a/b/").name == "documents/b" && DocumentsSource(".").name == "documents/Documents")
  }

  @Test func describesOnlyWhereAsked() async throws {
    try scratch.write("GIF89a\u{1}\u{0}", to: "a/pic.jpg")
    try scratch.write("text", to: "b")
    let bundle = try await export { $0.manifestOnly = true }
    #expect(bundle.documentCount == 0 && bundle.manifest.outcome == .complete)
    let row = try #require(try bundle.row("a/pic.jpg"))
    #expect(row["bytes"] as? Int == 8 && row["mediaType"] as? String == "image/gif" && row["file"] is NSNull)
    #expect(bundle.omissions == ["(contents): manifest-only ×2"])
  }

  @Test func leavesOutWhatIsAsked() async throws {
    for path in ["keep.txt", "cache/a", "x.log", "s/store.db", "s/store.db-wal", "s/other"] { try scratch.write("1", to: PathBytes(path)) }
    let excluded = try await export {
      $0.exclude = IgnorePatterns(lines: ["cache/", "*.log"])
      $0.leftOut.insert(store: scratch.path.appending("s/store.db"))
    }
    #expect(try excluded.rows().compactMap { $0["path"] as? String } == ["keep.txt", "s", "s/other"])
    #expect(excluded.omissions == ["cache: excluded", "s/store.db: excluded", "s/store.db-wal: excluded", "x.log: excluded"])
    #expect(excluded.manifest.outcome == .complete)
    let included = try await export { $0.include = IgnorePatterns(lines: ["*.txt", "cache/"]) }
    #expect(try included.rows().compactMap { $0["path"] as? String } == ["cache", "cache/a", "keep.txt"])
    #expect(included.omissions == ["(not named by the patterns to include): excluded ×4"])
  }

  @Test func holdsNoEarlierBundle() async throws {
    try scratch.write("1", to: "note")
    let first = try await ExportedBundle.export(DocumentsSource(scratch.path, named: "Docs"), into: scratch.path)
    #expect(first.documentCount == 1)
    let second = try await export()
    #expect(try second.rows().count == 1 && second.documentCount == 1)
    #expect(second.omissions.count == 1 && second.omissions[0].hasPrefix("bundle-") && second.omissions[0].hasSuffix(": excluded"))
    // What an export is working on while another one reads is no document, and its random name is no part of the bundle.
    try scratch.write("1", to: ".account-export-staging-1a2b/copy")
    try scratch.write("1", to: ".account-export-writing-3c4d")
    #expect(try await export().digest == second.digest)
  }

  @Test func namesWhatCannotBeRead() async throws {
    for name in ["closed", "other"] as [PathBytes] { try scratch.write("12345", to: name) }
    let status = try scratch.folder.status(of: "closed")
    let source = StepsSource(steps: [
      ("closed", .failed(.unreadable(FileError("open", "closed", code: EACCES)), status)),
      ("folder", .failed(.unreadable(FileError("list", "folder", code: EIO)), nil)),
      ("gone", .failed(.vanished, nil)), ("moved", .failed(.swapped, nil)), ("proc", .failed(.kernelMade, nil)),
      ("loop", .failed(.cycle, nil)),
    ])
    var request = ExportRequest()
    request.fixedTime = Timestamp(seconds: 0)
    let path = output.path.appending("bundle.zip")
    let bundle = try ExportedBundle(path, try await AccountExporter(sources: [source]).export(request, to: path))
    #expect(
      bundle.omissions == [
        "closed: unreadable", "folder: unreadable", "gone: changed", "moved: changed", "proc: special", "loop: special",
      ])
    #expect(bundle.manifest.outcome == .partial)
    let row = try #require(try bundle.rows().first)
    #expect(try bundle.rows().count == 1 && row["path"] as? String == "closed" && row["bytes"] as? Int == 5)
    #expect(row["sha256"] is NSNull && row["file"] is NSNull)
  }

  @Test func plansWhatItExports() async throws {
    for path in ["a/one", "a/two", "b.log"] { try scratch.write("12345", to: PathBytes(path)) }
    var source = DocumentsSource(scratch.path)
    source.exclude = IgnorePatterns(lines: ["*.log"])
    let plan = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(plan.items == 3 && plan.bytes == 10)
    #expect(plan.parts.map(\.items) == [3, 1] && plan.parts[1].leftOut == .excluded)
    source.manifestOnly = true
    #expect(try await source.plan(for: DataSubject(), depth: .sizes).bytes == 0)
  }
}

/// Pushes steps that a walk came to, or might have.
private struct StepsSource: ExportSource {
  let steps: [(path: PathBytes, found: FolderWalk.Found)]
  let name = "documents/Steps"
  let kind = "documents"

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    var export = DocumentExport(manifestOnly: false, limit: writer.limits.stagedDocument)
    for (path, found) in steps { try await export.add(found, at: path, nil, to: &writer) }
    export.finish(&writer)
  }
}
