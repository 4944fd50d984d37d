import AccountExport
import CommandSource
import Files
import TestSupport
import Testing

/// Programs that misbehave. None holds up an export, and none outlives it.
@Suite struct HostileTests {
  private static let begun = #"echo '{"protocol":1}'; echo '{"collection":"c","columns":["a"]}'; echo '{"record":{"a":1}}'; "#
  private static let ended = #"echo '{"end":true}'; "#

  /// What it does after a record, with a fault that the report tells.
  @Test(arguments: [
    ("exit 3", "the program ended with status 3"), ("kill -KILL $$", "the program was ended by signal 9"),
    ("exec sleep 1000", "it took longer than it may"), ("exec >&-; exec sleep 1000", "its output ended after line 3"),
    ("trap '' TERM; while :; do sleep 1; done", "it took longer than it may"),
    ("exec yes '{\"record\":{\"a\":2}}'", "it wrote more than the 1000000 bytes that it may"),
    ("exec cat /dev/zero", "it has more than 262144 bytes and is no record"),
    ("printf '{\"record\":{\"a\":'; exec cat /dev/zero", "it wrote more than the 1000000 bytes that it may"),
    ("printf '{\"record\":{\"a\":\"'; exec yes ababab | tr -d '\\n'", "it wrote more than the 1000000 bytes that it may"),
    ("printf '{\"record'", "its output ended in the middle of line 4"), ("yes no | head -n 99999 >&2; exit 1", "it said last: no / no / "),
    ("printf '\\033[31mred\\n' >&2; exit 1", "it said last: \\x1b[31mred"),
  ])
  func faults(script: String, problem: String) async throws {
    var source = ExportedCommand.source(Self.begun + script)
    source.timeLimit = .seconds(1)
    source.outputLimit = 1_000_000
    let export = try await ExportedCommand(source)
    #expect(export.outcome == .failed)
    #expect(export.rows("c")?.first == "{\"a\":1}")
    #expect(export.report.contains { $0.contains(problem) }, "\(export.report)")
    #expect(export.omissions.contains { $0.hasPrefix("records/Test: failed") })
  }

  /// All was said, and then it failed all the same.
  @Test(arguments: [("exit 3", "status 3"), ("kill -TERM $$", "signal 15"), ("exec >&-; exec sleep 1000", "it took longer than it may")])
  func failuresAfterTheEnd(script: String, problem: String) async throws {
    var source = ExportedCommand.source(Self.begun + Self.ended + script)
    source.timeLimit = .seconds(1)
    let export = try await ExportedCommand(source)
    #expect(export.outcome == .failed)
    #expect(export.rows("c") == ["{\"a\":1}"])
    #expect(export.omissions == ["records/Test: failed ×1"])
    #expect(export.report.contains { $0.contains(problem) })
  }

  @Test func aGrandchildThatKeepsThePipe() async throws {
    let export = try await ExportedCommand(Self.begun + Self.ended + "sleep 1000 &")
    #expect(export.outcome == .complete)
    #expect(export.rows("c") == ["{\"a\":1}"])
  }

  @Test func standardErrorNeverEntersTheBundle() async throws {
    let export = try await ExportedCommand(Self.begun + "echo 'password=hunter2 at db.internal' >&2; exit 1")
    #expect(export.report.contains { $0.contains("it said last: password=hunter2 at db.internal") })
    for (path, bytes) in export.entries { #expect(!String(decoding: bytes, as: UTF8.self).contains("hunter2"), "\(path)") }
  }

  /// A long line goes through the disk, and is exact: a text, bytes, and many small values.
  @Test(arguments: ["[\"a\"]", "null"])
  func longLines(columns: String) async throws {
    let script = """
      import base64, json, sys
      out = sys.stdout
      columns = json.loads(sys.argv[1])
      out.write('{"protocol": 1}\\n' + json.dumps({"collection": "c", **({"columns": columns} if columns else {})}) + "\\n")
      values = ["\\u00e9\\n" * 400000, {"$base64": base64.b64encode(bytes(range(256)) * 4000).decode()}, list(range(200000)), {"b": {"t": "x" * 300000}},
                {"d": [{"$base64": base64.b64encode(b"y" * 500000).decode()}, "z" * 70000]}]
      for value in values: out.write(json.dumps({"record": {"a": value}}) + "\\n")
      out.write('{"record": {"a": "' + "w" * 1000000 + '", "b": 1}\\n')
      out.write('{"record": {"a": "last"}}\\n{"end": true}\\n')
      """
    let export = try await ExportedCommand(CommandSource(["python3", "-c", PathBytes(script), PathBytes(columns)], named: "Test"))
    let rows = try #require(export.rows("c"))
    #expect(rows.count == 6)
    #expect(rows[0] == "{\"a\":\"" + String(repeating: "\u{e9}\\n", count: 400_000) + "\"}")
    #expect(rows[1].hasPrefix("{\"a\":{\"$file\":\"records/Test/files/c/1.bin\",\"bytes\":1024000,\"sha256\":\""))
    #expect(export.entries["data/records/Test/files/c/1.bin"] == [UInt8]((0..<1_024_000).map { UInt8(truncatingIfNeeded: $0) }))
    #expect(rows[2] == "{\"a\":[" + (0..<200_000).map(String.init).joined(separator: ",") + "]}")
    #expect(rows[3] == "{\"a\":{\"b\":{\"t\":\"" + String(repeating: "x", count: 300_000) + "\"}}}")
    #expect(export.entries["data/records/Test/files/c/2.bin"] == [UInt8](repeating: UInt8(ascii: "y"), count: 500_000))
    #expect(rows[4].hasSuffix("\"},\"" + String(repeating: "z", count: 70_000) + "\"]}}"))
    #expect(rows[5] == "{\"a\":\"last\"}")
    #expect(export.omissions == ["c: unreadable ×1"])
    #expect(export.report.first?.hasPrefix("c: line 8: ") == true)
  }

  @Test func aLongSecretIsMasked() async throws {
    let script =
      #"printf '{"protocol":1}\n{"collection":"c","columns":["password","value","key"]}\n{"record":{"password":"'; head -c 400000 /dev/zero | tr '\0' x; printf '","value":"'; head -c 400000 /dev/zero | tr '\0' y; printf '","key":"api_token"}}\n{"end":true}\n'"#
    let export = try await ExportedCommand(script)
    #expect(export.rows("c") == [#"{"password":{"$redacted":"secret"},"value":{"$redacted":"secret"},"key":"api_token"}"#])
  }

  @Test func cancellingEndsTheProgram() async throws {
    let folder = try TemporaryFolder()
    let script =
      Self.begun
      + "trap 'echo asked > \(folder.path("asked").text ?? ""); exit' TERM; echo $$ > \(folder.path("number").text ?? ""); while :; do sleep 0.05; done"
    let task = Task {
      try await AccountExporter(sources: [ExportedCommand.source(script)]).export(.fixed, to: folder.path("data.zip"))
    }
    while try !folder.names().contains("number") { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try folder.names() == ["asked", "number"])
  }

  @Test func whatCannotBeStarted() async throws {
    let export = try await ExportedCommand(CommandSource(["no-such-program"], named: "Test"))
    #expect(export.outcome == .failed)
    #expect(export.report == ["records/Test: the program can't be started: no-such-program: no such program in PATH"])
  }

  /// Many programs that only wait hold up nothing else.
  @Test func waitingProgramsHoldUpNoOtherExport() async throws {
    let folder = try TemporaryFolder()
    let waiting = (0..<12).map { index in
      Task {
        try await AccountExporter(sources: [ExportedCommand.source("exec sleep 1000")]).export(.fixed, to: folder.path("\(index).zip"))
      }
    }
    let export = try await ExportedCommand(Self.begun + Self.ended)
    #expect(export.outcome == .complete)
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(try folder.names() == [])
  }
}
