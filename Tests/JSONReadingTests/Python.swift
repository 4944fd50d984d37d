import Foundation

/// Runs a Python script with `input` in a file, whose path is its first argument, and returns the lines that it prints.
func python(_ script: String, input: String) throws -> [String] {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("account-export-\(UUID().uuidString).txt")
  try Data(input.utf8).write(to: file)
  let output = Pipe()
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3", "-c", script, file.path]
  process.standardOutput = output
  try process.run()
  let printed = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  try FileManager.default.removeItem(at: file)
  guard process.terminationStatus == 0 else { throw PythonError(status: process.terminationStatus) }
  return String(decoding: printed, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
}

/// The script failed; it has said why on standard error.
struct PythonError: Error {
  let status: Int32
}

/// Bytes as hexadecimal digits, for lines that hold anything.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
