import AccountExport
import Files
import Foundation
import NamedFiles
import RecordsSource
import TestSupport
import Testing

@Suite("Files that a program gives")
struct FileProgramTests {
  private let store: StoreFolder

  init() throws { store = try StoreFolder() }

  private func program(_ script: String) -> FileProgram { FileProgram(["sh", "-c", PathBytes(script), "sh", "{}"], in: store.path("")) }

  private func export(_ names: [String], by program: FileProgram) async throws -> ExportedStore {
    let rows = names.map { "('\($0)')" }.joined(separator: ", ")
    try store.run("app.db", "CREATE TABLE a (path TEXT); INSERT INTO a VALUES \(rows)")
    return try await store.export("app.db", files: [FileColumn("a.path", in: .program(program))])
  }

  @Test("the value arrives as an argument and in the environment, whatever it is")
  func arguments() async throws {
    let exported = try await export(["$HOME `id` *", "a;b", "ü"], by: program(#"printf '%s' "$1" "$ACCOUNT_EXPORT_FILE""#))
    #expect(exported.text("records/app/files/a/1.bin") == "$HOME `id` *$HOME `id` *")
    #expect(exported.text("records/app/files/a/2.bin") == "a;ba;b")
    #expect(exported.text("records/app/files/a/3.bin") == "üü")
    #expect(exported.omissions.isEmpty)
  }

  @Test("what a program says no to, ends with, or may not be asked, keeps its name")
  func failures() async throws {
    let exported = try await export(
      ["66", "1", "9", "-rf", "0"], by: program(#"printf part; [ "$1" = 9 ] && kill -9 $$; exit "$1""#))
    let lines = try #require(exported.lines("records/app/a.json"))
    #expect(lines[0] == #"{"path":{"$missing":"66"}}"#)
    #expect(Array(lines[1..<4]) == [#"{"path":"1"}"#, #"{"path":"9"}"#, #"{"path":"-rf"}"#])
    #expect(exported.entries.filter { $0.key.contains("/files/") }.map { String(decoding: $0.value, as: UTF8.self) } == ["part"])
    #expect(exported.omissions == ["-rf: unreadable ×1", "1: unreadable ×1", "66: missing-file ×1", "9: unreadable ×1"])
  }

  @Test("a program that gives too much or takes too long is ended, and the next value is asked for")
  func limits() async throws {
    var program = program(#"case "$1" in much) head -c 5000 /dev/zero ;; long) sleep 600 ;; *) printf ok ;; esac"#)
    (program.sizeLimit, program.timeLimit) = (4096, .seconds(2))
    let exported = try await export(["much", "long", "fine"], by: program)
    #expect(exported.omissions == ["long: unreadable ×1", "much: limit ×1"])
    #expect(exported.text("records/app/files/a/1.bin") == "ok")
  }

  @Test("cancelling ends a program that is waited for")
  func cancelling() async throws {
    try store.run("app.db", "CREATE TABLE a (path TEXT); INSERT INTO a VALUES ('x')")
    var source = RecordsSource(store.path("app.db"))
    source.files = [FileColumn("a.path", in: .program(program("touch started; sleep 600")))]
    let (exporter, output) = (AccountExporter(sources: [source]), store.path("x.zip"))
    let export = Task { try await exporter.export(.fixed, to: output) }
    while !FileManager.default.fileExists(atPath: store.url.appendingPathComponent("started").path) {
      try await Task.sleep(for: .milliseconds(10))
    }
    export.cancel()
    await #expect(throws: CancellationError.self) { _ = try await export.value }
    #expect(!FileManager.default.fileExists(atPath: store.url.appendingPathComponent("x.zip").path))
  }

  @Test("it holds to what every source must")
  func conformance() async throws {
    try store.run("app.db", "CREATE TABLE a (path TEXT); INSERT INTO a VALUES ('one'), ('two'), (NULL)")
    let (path, program) = (store.path("app.db"), program(#"printf '%s' "$1""#))
    try await checkExportSource {
      var source = RecordsSource(path)
      source.files = [FileColumn("a.path", in: .program(program))]
      return source
    }
  }
}
