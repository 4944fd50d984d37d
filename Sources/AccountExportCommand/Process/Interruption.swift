import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waits for signals that ask the process to end. The first one cancels the work, which then cleans up; a second one ends the process.
///
/// The signals are blocked in every thread, and the main thread waits for them: no code ever runs inside a signal handler.
final class Interruption: Sendable {
  private struct State {
    var signal: CInt?
    var endsAtOnce = false
  }

  private let state = Mutex(State())

  /// The signal that came, if one did.
  var signal: CInt? { state.withLock { $0.signal } }

  /// Whether the first signal ends the process already: right where nothing has to be cleaned up.
  var endsAtOnce: Bool {
    get { state.withLock { $0.endsAtOnce } }
    set { state.withLock { $0.endsAtOnce = newValue } }
  }

  /// Waits for signals, for as long as the process lives. `block()` has to come first, before any other thread begins.
  ///
  /// The main thread has to do this: where it waits for Swift's main queue instead, it takes all signals, blocked or not.
  func wait(_ cancel: () -> Void) -> Never {
    var signals = Self.awaited()
    while true {
      var signal: CInt = 0
      if sigwait(&signals, &signal) == 0 { take(signal, cancel) }
    }
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

  private func take(_ signal: CInt, _ cancel: () -> Void) {
    let isLast = state.withLock { state in
      let isLast = state.signal != nil || state.endsAtOnce
      state.signal = state.signal ?? signal
      return isLast
    }
    if isLast { _exit(128 + signal) }
    cancel()
  }
}
