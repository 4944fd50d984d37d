import Foundation

/// What a program said and how it ended.
public struct ProgramResult: Sendable {
  /// The exit status, or the signal that ended it.
  public let status: Int32
  /// Standard output and standard error, together.
  public let output: String
}

/// Runs a program found in the path, and waits for its end.
public func runProgram(_ name: String, _ arguments: [String]) throws -> ProgramResult {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [name] + arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = output
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let said = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return ProgramResult(status: process.terminationStatus, output: String(decoding: said, as: UTF8.self))
}
