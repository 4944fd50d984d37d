import Foundation
import Testing

/// What a program said and how it ended.
struct ToolResult {
  var status: Int32
  var output: String
}

/// Runs a program found in the path, with standard output and error together.
func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> ToolResult {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
  let output = Pipe()
  process.standardOutput = output
  process.standardError = output
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let said = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return ToolResult(status: process.terminationStatus, output: String(decoding: said, as: UTF8.self))
}

/// Whether a program can be run here. In CI every one must be: there a missing program fails the test that asks.
func canRun(_ program: String) -> Bool {
  if ProcessInfo.processInfo.environment["CI"] != nil { return true }
  return (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}

/// Gives the body a folder that is gone afterwards.
func withTemporaryFolder<R>(_ body: (URL) throws -> R) throws -> R {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zip-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let result = Result { try body(folder) }
  try FileManager.default.removeItem(at: folder)
  return try result.get()
}
