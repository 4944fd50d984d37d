import Files
import Foundation
import Processes

/// What a program said and how it ended.
package struct ProgramResult: Sendable {
  /// The exit status, or the signal that ended it.
  package let status: Int32
  /// Standard output and standard error, together.
  package let output: String
}

/// Runs a program found in the path, and waits for its end: for five minutes at most, and for nothing that it leaves running.
package func runProgram(
  _ name: String, _ arguments: [String], environment: [String: String] = [:], folder: PathBytes? = nil
) throws -> ProgramResult {
  var call = ProgramCall(
    ["/bin/sh", "-c", "exec \"$@\" 2>&1", "sh", PathBytes(name)] + arguments.map { PathBytes($0) },
    environment: ProgramCall.wholeEnvironment(), folder: folder)
  for (name, value) in environment { call.environment[name] = PathBytes(value) }
  var program = try ChildProcess(call, timeLimit: .seconds(300), wake: Wake())
  let said = try program.readToEnd()
  switch try program.finish() {
  case .exited(let status), .signalled(let status): return ProgramResult(status: status, output: String(decoding: said, as: UTF8.self))
  case .unknown: throw ProcessError(.system, "\(name): its end was taken away")
  }
}

/// A script that failed.
package struct PythonFailed: Error {
  /// The exit status, or the signal that ended it.
  package let status: Int32
  /// What it said.
  package let output: String
}

/// Runs a Python script to its end and returns what it printed.
@discardableResult
package func python(_ script: String, _ arguments: [String] = []) throws -> String {
  let result = try runProgram("python3", ["-c", script] + arguments)
  if result.status != 0 { throw PythonFailed(status: result.status, output: result.output) }
  return result.output
}

/// Runs a Python script with `input` in a file, whose path is its first argument, and returns the lines that it prints.
package func python(_ script: String, input: String) throws -> [String] {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("account-export-\(UUID().uuidString).txt")
  try Data(input.utf8).write(to: file)
  let printed = try python(script, [file.path])
  try FileManager.default.removeItem(at: file)
  return printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
}

/// Bytes as hexadecimal digits, for lines that hold anything.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

extension ChildProcess {
  /// What it writes next, as far as it is there at once; empty at its end.
  package mutating func readSome() throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in count = try read(into: UnsafeMutableRawBufferPointer(buffer)) }
  }

  /// All that it writes.
  package mutating func readToEnd() throws -> [UInt8] {
    var said: [UInt8] = []
    while true {
      let some = try readSome()
      if some.isEmpty { return said }
      said += some
    }
  }
}
