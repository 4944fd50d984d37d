import Files
import Foundation
import Testing

@testable import Processes

@Suite("Programs that go on by themselves")
struct DetachedProgramTests {
  private func shell(_ script: String, _ arguments: PathBytes...) -> ProgramCall {
    ProgramCall(["/bin/sh", "-c", PathBytes(script), "sh"] + arguments, environment: ProgramCall.wholeEnvironment())
  }

  @Test(
    "how it ends is told", arguments: [("exit 0", ChildProcess.Ending.exited(0)), ("exit 3", .exited(3)), ("kill -9 $$", .signalled(9))])
  func ending(script: String, ending: ChildProcess.Ending) throws {
    #expect(try DetachedProgram.start(shell(script), watchedFor: .seconds(60)) == ending)
  }

  @Test("one that stays goes on when nobody watches it any more, and is forgotten when it ends")
  func staying() async throws {
    let mark = FileManager.default.temporaryDirectory.appending(path: "detached-\(UUID().uuidString)")
    let path = PathBytes(mark.path(percentEncoded: false))
    let script = "sleep 1; echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\""
    #expect(try DetachedProgram.start(shell(script, path), watchedFor: .milliseconds(50)) == nil)
    #expect(!FileManager.default.fileExists(atPath: path.display))
    for _ in 0..<600 where !FileManager.default.fileExists(atPath: path.display) { try await Task.sleep(for: .milliseconds(50)) }
    let process = try #require(pid_t(String(contentsOf: mark, encoding: .utf8).dropLast()))
    try FileManager.default.removeItem(at: mark)
    // A child that has ended and isn't forgotten is still there to be signalled.
    for _ in 0..<600 where kill(process, 0) == 0 { try await Task.sleep(for: .milliseconds(50)) }
    #expect(kill(process, 0) != 0)
  }

  @Test("one that isn't there is not started")
  func missing() {
    let error = #expect(throws: ProcessError.self) {
      try DetachedProgram.start(ProgramCall(["/nowhere/program"]), watchedFor: .seconds(1))
    }
    #expect(error?.code == .notStarted)
  }

  @Test("the whole environment is passed on")
  func environment() {
    // Other tests set variables of their own meanwhile.
    let passed = ProgramCall.wholeEnvironment().filter { !$0.key.hasPrefix("ACCOUNT_EXPORT_TEST_") }.compactMapValues(\.text)
    let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ACCOUNT_EXPORT_TEST_") }
    #expect(passed == own)
    #expect(passed["PATH"] != nil)
  }
}
