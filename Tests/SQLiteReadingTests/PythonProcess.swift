import Files
import Processes
import TestSupport

/// A Python script in another process, which ends with its owner.
struct PythonProcess: ~Copyable {
  private var child: ChildProcess

  init(_ script: String, _ arguments: [String]) throws {
    let call = ProgramCall(
      ["python3", "-c", PathBytes(script)] + arguments.map { PathBytes($0) }, environment: ProgramCall.wholeEnvironment())
    child = try ChildProcess(call, timeLimit: .seconds(300), wake: Wake())
  }

  /// What it prints next; empty at its end.
  mutating func read() throws -> String { String(decoding: try child.readSome(), as: UTF8.self) }

  /// Ends it; false where it had ended by itself.
  mutating func stop() throws -> Bool { try child.end() != .unknown && child.wasAsked }
}
