import Foundation
import Testing

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
