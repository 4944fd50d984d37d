import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waits for signals that ask the process to end. The first one cancels the work, which then cleans up; a second one ends the process.
///
/// The signals are blocked in every thread, and one thread waits for them: no code ever runs inside a signal handler.
final class Interruption: Sendable {
  private struct State {
    var signal: CInt?
    var endsAtOnce = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The signal that came, if one did.
  var signal: CInt? { state.withLock { $0.signal } }

  /// Whether the first signal ends the process already: right where nothing has to be cleaned up.
  var endsAtOnce: Bool {
    get { state.withLock { $0.endsAtOnce } }
    set { state.withLock { $0.endsAtOnce = newValue } }
  }

  /// Begins to wait. To be called while the process has no other threads than Swift's own, before any work begins.
  func begin(_ cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = cancel }
    let box = Unmanaged.passRetained(self)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, { Interruption.main($0) }, box.toOpaque())
    precondition(code == 0, "the system gives no thread: \(String(cString: strerror(code)))")
    pthread_detach(thread)
  }

  /// Blocks the signals in this thread and in those that it starts from now on. Signals that are ignored stay so (`nohup`).
  static func block() {
    var signals = awaited()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static func awaited() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) { sigaddset(&signals, signal) }
    return signals
  }

  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let interruption = Unmanaged<Interruption>.fromOpaque(context).takeRetainedValue()
    var signals = awaited()
    while true {
      var signal: CInt = 0
      if sigwait(&signals, &signal) == 0 { interruption.take(signal) }
    }
  }

  private func take(_ signal: CInt) {
    let (isLast, cancel) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      let isLast = state.signal != nil || state.endsAtOnce
      state.signal = state.signal ?? signal
      return (isLast, state.cancel)
    }
    if isLast { _exit(128 + signal) }
    cancel?()
  }
}
