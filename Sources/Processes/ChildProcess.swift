internal import CProcess
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The two ends of a pipe.
private struct Pipe: ~Copyable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws(ProcessError) {
    var (reading, writing): (CInt, CInt) = (0, 0)
    try ProcessError.check(cprocess_pipe(&reading, &writing), "pipe")
    self.reading = FileDescriptor(adopting: reading, path: "a pipe")
    self.writing = FileDescriptor(adopting: writing, path: "a pipe")
  }
}

/// A program that runs in a process group of its own, with its output. It is gone, with its group, when its owner goes.
///
/// What it writes comes through a pipe: where nobody reads, it waits. Reading blocks, so it belongs on a thread that may wait.
public struct ChildProcess: ~Copyable, Sendable {
  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    /// With an exit status.
    case exited(CInt)
    /// By a signal.
    case signalled(CInt)
    /// Another part of this process has taken its status away.
    case unknown
  }

  private let process: pid_t
  private let output: FileDescriptor
  private let errors: FileDescriptor
  /// Readable once the program has ended; nil where the system has no such thing, and it is asked now and then instead.
  private let watch: FileDescriptor?
  private let wake: Wake
  /// What is left of the time that may be waited for it.
  private var timeLeft: Duration
  private var hasEnded = false
  private var isReaped = false
  private var ending = Ending.unknown
  /// Whether it was asked to end.
  public private(set) var wasAsked = false
  private var errorsEnded = false
  /// The last lines of its standard error, as far as it was read.
  public private(set) var errorTail = ErrorTail()

  /// The number of `watch`; negative where there is none.
  private let watchNumber: CInt

  /// Milliseconds between two questions where the system can't tell of the end by itself.
  private static let slice: CInt = 50
  /// How long a program has between being asked to end and being ended.
  public static let grace = Duration.seconds(2)

  /// Starts a program.
  /// - Parameters:
  ///   - timeLimit: How long may be waited for it, in all. Time in which nobody waits doesn't count: a slow reader is not the program's fault.
  ///   - wake: Ends the waiting, with an error `cancelled`.
  public init(_ call: ProgramCall, timeLimit: Duration, wake: Wake) throws(ProcessError) {
    let program = try call.program()
    let output = try Pipe()
    let errors = try Pipe()
    var process: pid_t = 0
    let code = Self.withCStrings(call.arguments) { arguments in
      Self.withCStrings(call.environmentLines) { environment in
        program.withCString { program in
          guard let folder = call.folder else {
            return cprocess_spawn(&process, program, arguments, environment, nil, output.writing.raw, errors.writing.raw)
          }
          return folder.withCString {
            cprocess_spawn(&process, program, arguments, environment, $0, output.writing.raw, errors.writing.raw)
          }
        }
      }
    }
    try ProcessError.check(code, call.name, as: .notStarted)
    self.process = process
    self.output = output.reading
    self.errors = errors.reading
    let watch = cprocess_watch(process)
    watchNumber = watch
    self.watch = watch < 0 ? nil : FileDescriptor(adopting: watch, path: "a process")
    self.wake = wake
    timeLeft = timeLimit
  }

  deinit {
    if isReaped || cprocess_has_ended(process) < 0 { return }
    Self.send(SIGKILL, to: process)
    var end = cprocess_end()
    _ = cprocess_reap(process, &end)  // that it is gone already is as good
  }

  static func withCStrings<Result>(
    _ texts: [PathBytes], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { text in text.withCString { strdup($0) } } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  // MARK: Reading

  /// Reads what the program has written, waiting for it. 0 is the end: the program has closed its output, or has ended.
  ///
  /// With the program ends all that it has started: what still holds its output then is ended, and what had been written is read.
  /// - Throws: `timeLimit`, `cancelled`, `system`.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ProcessError) -> Int {
    while true {
      if let count = try Self.readNow(output, buffer) { return count }
      if hasEnded { return 0 }
      try wait(forOutput: true)
    }
  }

  /// Waits until the program has ended, and forgets it. Its output is not read any more.
  public mutating func finish() throws(ProcessError) -> Ending {
    while !hasEnded { try wait(forOutput: false) }
    return try reap()
  }

  /// Ends the program and all in its group: it is asked once, and has a time of grace.
  /// - Parameter waitingFirst: Whether it is about to end by itself, having closed its output: then it has that time before it is asked, too.
  public mutating func end(waitingFirst: Bool = false) throws(ProcessError) -> Ending {
    if isReaped { return try reap() }
    try waitForEnd(atMost: waitingFirst ? Self.grace : .zero)
    if !hasEnded {
      wasAsked = true
      try send(SIGTERM)
      try send(SIGCONT)
      try waitForEnd(atMost: Self.grace)
    }
    try send(SIGKILL)
    return try reap()
  }

  private mutating func reap() throws(ProcessError) -> Ending {
    try drainErrors()
    if isReaped { return ending }
    var end = cprocess_end()
    let code = cprocess_reap(process, &end)
    isReaped = true
    if code == ECHILD { return ending }
    try ProcessError.check(code, "waitpid")
    ending = end.by_signal ? .signalled(end.number) : .exited(end.number)
    return ending
  }

  /// What is there now; nil where there is nothing yet.
  private static func readNow(
    _ file: borrowing FileDescriptor, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(ProcessError) -> Int? {
    do throws(FileError) { return try file.read(into: buffer) } catch {
      if error.code == EAGAIN || error.code == EWOULDBLOCK { return nil }
      throw ProcessError(.system, "\(error)")
    }
  }

  // MARK: Waiting

  private enum Place: Int { case errors, watch, wake, output }

  private mutating func wait(forOutput: Bool) throws(ProcessError) {
    if timeLeft <= .zero { throw ProcessError(.timeLimit, "it took longer than it may") }
    let started = ContinuousClock.now
    defer { timeLeft -= ContinuousClock.now - started }
    let ready = try places(forOutput: forOutput, atMost: timeLeft, interruptible: true)
    if ready[Place.wake.rawValue] { throw ProcessError(.cancelled, "cancelled") }
    if ready[Place.errors.rawValue] { try drainErrors() }
    if watchNumber < 0 || ready[Place.watch.rawValue] { try noteEnd() }
  }

  private mutating func waitForEnd(atMost time: Duration) throws(ProcessError) {
    let deadline = ContinuousClock.now + time
    try noteEnd()
    while !hasEnded {
      let rest = deadline - ContinuousClock.now
      if rest <= .zero { return }
      let ready = try places(forOutput: false, atMost: rest, interruptible: false)
      if ready[Place.errors.rawValue] { try drainErrors() }
      try noteEnd()
    }
  }

  private func places(forOutput: Bool, atMost time: Duration, interruptible: Bool) throws(ProcessError) -> [Bool] {
    let descriptors = [
      errorsEnded ? -1 : errors.raw, watchNumber, interruptible ? wake.reading.raw : -1, forOutput ? output.raw : -1,
    ]
    // Rounded up: a last part of a millisecond would be asked for again and again.
    let (seconds, parts) = time.components
    let whole = seconds > 1_000_000 ? CInt(1_000_000_000) : CInt(seconds * 1000 + parts / 1_000_000_000_000_000 + 1)
    var ready = [Bool](repeating: false, count: descriptors.count)
    let count = CInt(descriptors.count)
    let code = cprocess_await(descriptors, &ready, count, watchNumber < 0 ? min(whole, Self.slice) : whole)
    try ProcessError.check(code, "poll")
    return ready
  }

  /// Looks whether the program has ended. All that it left in its group ends with it.
  private mutating func noteEnd() throws(ProcessError) {
    if hasEnded { return }
    let state = cprocess_has_ended(process)
    if state == 0 { return }
    if state < 0 && state != -ECHILD { try ProcessError.check(-state, "waitid") }
    hasEnded = true
    // As long as it isn't reaped, nothing else can have its number. Another part of this process may have done that, or the system by itself
    // where nobody wants to know of the end of programs (SIGCHLD is ignored).
    if state < 0 { isReaped = true } else { Self.send(SIGKILL, to: process) }
  }

  /// Signals the program with its group, unless it has ended: then its group is ended already, or its numbers may be another's.
  private mutating func send(_ signal: CInt) throws(ProcessError) {
    try noteEnd()
    if !hasEnded { Self.send(signal, to: process) }
  }

  /// Signals all in the program's group, and the program itself where it has gone to another. It must not be reaped.
  private static func send(_ signal: CInt, to process: pid_t) {
    kill(-process, signal)
    // Once alone: who is asked twice may take it for impatience.
    let group = getpgid(process)
    if group >= 0 && group != process { kill(process, signal) }
  }

  private mutating func drainErrors() throws(ProcessError) {
    if errorsEnded { return }
    let room = 4096
    try withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { (buffer) -> Result<Void, ProcessError> in
      do throws(ProcessError) {
        // Bounded, so that who only complains is still found out by its time limit.
        for _ in 0..<64 {
          guard let count = try Self.readNow(errors, buffer) else { break }
          errorsEnded = count == 0
          if errorsEnded { break }
          errorTail.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }.get()
  }
}
