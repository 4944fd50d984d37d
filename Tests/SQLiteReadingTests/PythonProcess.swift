import Foundation
import Testing

/// A Python script in another process, with a pipe for what it prints. Nothing else of this process is passed on to it: not the pipes of
/// scripts that run at the same time either, which would then not end with them.
final class PythonProcess {
  private var process: pid_t = 0
  private let output: CInt

  init(_ script: String, _ arguments: [String]) throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let words = (["python3", "-c", script] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    let code = posix_spawnp(&process, "python3", &actions, nil, words + [nil], environ)
    close(ends[1])
    try #require(code == 0)
  }

  /// What it prints next; empty at its end.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(output, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  var isRunning: Bool { kill(process, 0) == 0 }

  func stop() { kill(process, SIGKILL) }

  deinit {
    close(output)
    waitpid(process, nil, 0)
  }
}

/// Runs a Python script to its end and returns what it printed.
@discardableResult
func python(_ script: String, _ arguments: [String]) throws -> String {
  let process = try PythonProcess(script, arguments)
  var printed = ""
  while true {
    let part = process.read()
    if part.isEmpty { return printed }
    printed += part
  }
}
