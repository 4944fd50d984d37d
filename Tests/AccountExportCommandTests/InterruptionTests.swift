import Files
import Foundation
import Testing

@testable import AccountExportCommand

@Suite("An interruption")
struct InterruptionTests {
  /// Begins an export that would take long, sends it signals once it reads, and waits for its end. A shell runs `before` first.
  private func interrupted(by signals: [Int32], in folder: Scratch, before: String = ":") throws -> Process {
    let document = FileManager.default.createFile(atPath: folder.path.appending("sparse.img").display, contents: nil)
    #expect(document)
    #expect(truncate(folder.path.appending("sparse.img").display, 64 << 30) == 0)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let command = "\(before); exec \"$0\" --out a.zip --force --documents sparse.img --progress json --report r.json"
    process.arguments = ["-c", command, CommandRun.executable.path(percentEncoded: false)]
    process.currentDirectoryURL = URL(filePath: folder.path.display)
    let events = Pipe()
    process.standardError = events
    try process.run()
    var told = Data()
    while told.range(of: Data("\"source\"".utf8)) == nil {
      let piece = events.fileHandleForReading.availableData
      if piece.isEmpty { break }
      told.append(piece)
    }
    for signal in signals { kill(process.processIdentifier, signal) }
    _ = try events.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return process
  }

  @Test(
    "ends the command with a status of its own, after it has cleaned up; the old bundle stays",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func cleansUp(signal: Int32, status: Int32) throws {
    let folder = try Scratch()
    _ = try folder.write("a.zip", "old")
    let process = try interrupted(by: [signal], in: folder)
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == status)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.display).sorted() == ["a.zip", "r.json", "sparse.img"])
    #expect(try String(contentsOfFile: folder.path.appending("a.zip").display, encoding: .utf8) == "old")
    let report = try String(contentsOfFile: folder.path.appending("r.json").display, encoding: .utf8)
    #expect(report.contains("\"outcome\":\"interrupted\""))
  }

  @Test("a signal that is ignored stays so")
  func ignored() throws {
    let process = try interrupted(by: [SIGINT, SIGTERM], in: Scratch(), before: "trap '' INT")
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 143)
  }
}
