import AccountExport
import Files
import Foundation
import Testing

@testable import AccountExportCommand

@Suite("The command")
struct CommandTests {
  private func account() throws -> Scratch {
    let folder = try Scratch()
    try FileManager.default.createDirectory(atPath: folder.path.appending("d").display, withIntermediateDirectories: true)
    _ = try folder.write("d/a.txt", "hello")
    return folder
  }

  private func permissions(_ name: PathBytes, in folder: Scratch) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path.appending(name).display)[.posixPermissions] as? Int
  }

  @Test("writes a bundle that verifies, says so on standard error, and nothing on standard output")
  func export() throws {
    let folder = try account()
    let run = try CommandRun("--out", "a.zip", "--documents", "d", in: folder)
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errorText.hasPrefix("account-export: a.zip: complete, 1 item of 1 source, "))
    #expect(try permissions("a.zip", in: folder) == 0o600)
    let verified = try CommandRun("verify", "a.zip", in: folder)
    #expect(verified.status == 0)
    #expect(verified.outputText.hasPrefix("a.zip: intact, origin not proven\noutcome: complete, 1 item\nsha256: "))
    let digest = try #require(run.errorText.split(separator: "\n").last?.split(separator: " ").last)
    #expect(verified.outputText.contains(digest))
  }

  @Test("nothing reaches the disk of what a failed export began")
  func nothingLeft() throws {
    let folder = try account()
    let run = try CommandRun("--out", "a.zip", "--documents", "nowhere", in: folder)
    #expect(run.status == 65)
    #expect(run.errorText == "account-export: nowhere: No such file or directory\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.display) == ["d"])
  }

  @Test("an output that exists stays, unless it is to be replaced; a report likewise")
  func exists() throws {
    let folder = try account()
    _ = try folder.write("a.zip", "old")
    _ = try folder.write("r.json", "old")
    #expect(try CommandRun("--out", "a.zip", "--documents", "d", in: folder).status == 73)
    let run = try CommandRun("--out", "b.zip", "--documents", "d", "--report", "r.json", in: folder)
    #expect(run.status == 73)
    #expect(run.errorText == "account-export: r.json exists already\nhint: --force replaces it\n")
    #expect(try String(contentsOfFile: folder.path.appending("r.json").display, encoding: .utf8) == "old")
    #expect(try CommandRun("--out", "a.zip", "--documents", "d", "--report", "r.json", "--force", in: folder).status == 0)
    #expect(try permissions("r.json", in: folder) == 0o600)
  }

  @Test("a report is no way through a link")
  func reportLink() throws {
    let folder = try account()
    _ = try folder.write("precious", "old")
    try FileManager.default.createSymbolicLink(atPath: folder.path.appending("r.json").display, withDestinationPath: "precious")
    #expect(try CommandRun("--out", "a.zip", "--documents", "d", "--report", "r.json", "--force", in: folder).status == 73)
    #expect(try String(contentsOfFile: folder.path.appending("precious").display, encoding: .utf8) == "old")
  }

  @Test("the report says what came of the export, and of one that failed too")
  func report() throws {
    let folder = try account()
    #expect(try CommandRun("--out", "a.zip", "--documents", "d", "--report", "r.json", "--request-id", "R-1", in: folder).status == 0)
    let report = try object("r.json", in: folder)
    #expect(report["outcome"] as? String == "complete")
    #expect(report["requestID"] as? String == "R-1")
    #expect((report["sources"] as? [[String: Any]])?.first?["name"] as? String == "documents/d")
    #expect(try CommandRun("--out", "none/b.zip", "--documents", "d", "--report", "s.json", in: folder).status == 74)
    let failed = try object("s.json", in: folder)
    #expect(failed["outcome"] as? String == "failed")
    #expect(failed["exitStatus"] as? Int == 74)
  }

  private func object(_ name: PathBytes, in folder: Scratch) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: folder.path.appending(name).display))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("events are lines of JSON, and nothing else stands between them, errors neither")
  func events() throws {
    let folder = try account()
    let run = try CommandRun("--out", "a.zip", "--documents", "d", "--progress", "json", in: folder)
    // Progress is told now and then, if it takes long enough.
    let told = try lines(run.error).filter { $0["event"] as? String != "progress" }
    // What is expected is told when it is counted, whatever has happened by then.
    let events = told.filter { $0["event"] as? String != "expected" }
    #expect(events.map { $0["event"] as? String } == ["started", "source", "source", "verifying", "publishing", "finished"])
    #expect(told.filter { $0["event"] as? String == "expected" }.map { $0["bytes"] as? Int } == [5])
    #expect(events[5]["outcome"] as? String == "complete")
    let again = try CommandRun("--out", "a.zip", "--documents", "d", "--progress", "json", in: folder)
    #expect(again.status == 73)
    let failure = try #require(try lines(again.error).last)
    #expect(failure["event"] as? String == "failed")
    #expect(failure["exitStatus"] as? Int == 73)
  }

  private func lines(_ data: Data) throws -> [[String: Any]] {
    try data.split(separator: UInt8(ascii: "\n")).map { try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any]) }
  }

  @Test("names can't steer a terminal")
  func names() throws {
    let folder = try account()
    let run = try CommandRun("--out", "a.zip", "--documents", "no\u{1B}[2Jwhere", in: folder)
    #expect(run.errorText == "account-export: no\\x1b[2Jwhere: No such file or directory\n")
  }

  @Test("a time that is none is refused", arguments: ["tomorrow", "-1", "", "1e9", "253402300800"])
  func sourceDate(value: String) throws {
    let run = try CommandRun("--out", "a.zip", "--documents", "d", in: account(), environment: ["SOURCE_DATE_EPOCH": value])
    #expect(run.status == 64)
    #expect(run.errorText.contains("SOURCE_DATE_EPOCH"))
  }

  @Test("plan and verify answer programs in JSON")
  func json() throws {
    let folder = try account()
    let plan = try CommandRun("plan", "--json", "--documents", "d", in: folder)
    let planned = try #require(try lines(plan.output).first?["sources"] as? [[String: Any]])
    #expect(planned.first?["items"] as? Int == 1)
    #expect(planned.first?["bytes"] as? Int == 5)
    _ = try folder.write("b.zip", "no bundle")
    let verified = try CommandRun("verify", "--json", "b.zip", in: folder)
    #expect(verified.status == 65)
    let report = try #require(try lines(verified.output).first)
    #expect(report["intact"] as? Bool == false)
    #expect((report["problems"] as? [String])?.isEmpty == false)
  }

  @Test("standard descriptors that are closed are nobody's way into a file")
  func closedDescriptors() throws {
    let folder = try account()
    let run = try CommandRun(shell: "\"$0\" --out a.zip --documents d >&- 2>&- <&-", in: folder)
    #expect(run.status == 0)
    #expect(try CommandRun("verify", "a.zip", in: folder).status == 0)
    #expect(try CommandRun(shell: "\"$0\" --out - --documents d >&-", in: folder).status == 74)
    #expect(try CommandRun(shell: "\"$0\" --help >&-", in: folder).status == 74)
  }

  @Test("a bundle and a configuration may come through a pipe")
  func pipes() throws {
    let folder = try account()
    _ = try folder.write("c.json", "{ sources: { documents: ['d'] } }")
    let run = try CommandRun(
      shell: "mkfifo pipe && cp c.json d/c.json && (cat c.json > pipe & \"$0\" --config pipe --out - --quiet | \"$0\" verify -)", in: folder
    )
    #expect(run.status == 0)
    #expect(run.outputText.hasPrefix("standard input: intact"))
  }
}

@Suite("Exit statuses")
struct ExitStatusTests {
  @Test(
    "each error of the core has its own",
    arguments: [
      (.configuration, 64), (.badInput, 65), (.nothingRead, 65), (.outputExists, 73), (.output, 74), (.noSpace, 74),
      (.verification, 74), (.notPermitted, 77), (.source, 1),
    ] as [(ExportError.Code, Int32)])
  func core(code: ExportError.Code, status: Int32) {
    #expect(CommandError(ExportError(code, "x")).status.code == status)
  }

  @Test("an error of the system is one of permission, or of reading and writing")
  func system() {
    #expect(CommandError(FileError("open", "a", code: EACCES)).status == .notPermitted)
    #expect(CommandError(FileError("read", "a", code: EIO)).status == .inputOutput)
  }

  @Test("an end by a signal is what a shell would say", arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func signals(signal: Int32, status: Int32) {
    #expect(ExitStatus.interrupted(by: signal).code == status)
  }
}
