internal import CProcess
public import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that goes on by itself, whatever becomes of this process: one that shows something to the user.
public enum DetachedProgram {
  /// Starts a program in a process group of its own, without input or output, and looks for a while whether it ends.
  /// - Returns: how it has ended; nil where it still runs.
  public static func start(_ call: ProgramCall, watchedFor time: Duration) throws(ProcessError) -> ChildProcess.Ending? {
    let program = try call.program()
    let sink = try sink()
    var process: pid_t = 0
    let code = ChildProcess.withCStrings(call.arguments) { arguments in
      ChildProcess.withCStrings(call.environmentLines) { environment in
        program.withCString { cprocess_spawn(&process, $0, arguments, environment, nil, sink.raw, sink.raw) }
      }
    }
    try ProcessError.check(code, call.name, as: .notStarted)
    return try watch(process, for: time)
  }

  /// Where what it writes goes: who is shown something reads no messages.
  private static func sink() throws(ProcessError) -> FileDescriptor {
    do throws(FileError) { return try FileDescriptor.folder("/dev").writing("null") } catch {
      throw ProcessError(.system, error.description)
    }
  }

  /// Milliseconds between two looks where the system can't tell of the end by itself.
  private static let slice: CInt = 20

  private static func watch(_ process: pid_t, for time: Duration) throws(ProcessError) -> ChildProcess.Ending? {
    var watch = cprocess_watch(process)
    defer { if watch >= 0 { close(watch) } }
    let deadline = ContinuousClock.now + time
    while ContinuousClock.now < deadline {
      var isReady = false
      try ProcessError.check(cprocess_await(&watch, &isReady, 1, slice), "poll")
      let state = cprocess_has_ended(process)
      if state == 0 { continue }
      var end = cprocess_end()
      // Where nobody wants to know of the end of programs, the system has forgotten this one.
      if state < 0 || cprocess_reap(process, &end) != 0 { return .unknown }
      return end.by_signal ? .signalled(end.number) : .exited(end.number)
    }
    // Once it has ended, it would be one of this process's children for ever, in the way of everyone who waits for any of them. Where there
    // is no thread to prevent that, nothing else is lost.
    _ = cprocess_reap_later(process)
    return nil
  }
}

extension ProgramCall {
  /// The environment as a program is handed it, in an order of its own.
  var environmentLines: [PathBytes] {
    environment.sorted { $0.key < $1.key }.map { PathBytes(Array("\($0.key)=".utf8) + $0.value.bytes) }
  }

  /// All of this process's own environment, for programs that are the user's as much as this one.
  public static func wholeEnvironment() -> [String: PathBytes] {
    var variables: [String: PathBytes] = [:]
    var next = cprocess_environment()
    while let line = next?.pointee {
      let bytes = UnsafeRawBufferPointer(start: line, count: strlen(line))
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")), let name = String(validating: bytes[..<equals], as: UTF8.self) {
        variables[name] = PathBytes(bytes[(equals + 1)...])
      }
      next = next?.advanced(by: 1)
    }
    return variables
  }
}
