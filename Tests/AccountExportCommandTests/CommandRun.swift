import Files
import Foundation

@testable import AccountExportCommand

/// One run of the built command.
struct CommandRun {
  let status: Int32
  let output: Data
  let error: Data

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: error, as: UTF8.self) }

  /// The command, which is built beside the tests.
  static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "account-export")

  /// Runs the command in a folder, with both of its outputs taken.
  init(_ arguments: String..., in folder: Scratch, environment: [String: String] = [:]) throws {
    try self.init(Self.executable, arguments, in: folder, environment)
  }

  /// Runs a shell's command line, in which `$0` is the command.
  init(shell line: String, in folder: Scratch) throws {
    try self.init(URL(filePath: "/bin/sh"), ["-c", line, Self.executable.path(percentEncoded: false)], in: folder, [:])
  }

  private init(_ program: URL, _ arguments: [String], in folder: Scratch, _ environment: [String: String]) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path.display)
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
    process.standardInput = FileHandle.nullDevice
    // Files, since a pipe that nobody empties would stop the command.
    let places = try ["output", "error"].map { name in
      let url = FileManager.default.temporaryDirectory.appending(path: "account-export-\(name)-\(UUID().uuidString)")
      try Data().write(to: url)
      return (url: url, handle: try FileHandle(forWritingTo: url))
    }
    (process.standardOutput, process.standardError) = (places[0].handle, places[1].handle)
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = try Data(contentsOf: places[0].url)
    error = try Data(contentsOf: places[1].url)
    for place in places { try FileManager.default.removeItem(at: place.url) }
  }
}
