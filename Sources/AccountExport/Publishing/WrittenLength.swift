import Synchronization

/// How much of a file is written: what the one who writes tells the one who reads behind.
final class WrittenLength: Sendable {
  private struct State {
    var length: UInt64 = 0
    var isEnded = false
    /// The reader, while it has read all that is written.
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// So many bytes are written by now.
  func advance(to length: UInt64) { change { $0.length = length } }

  /// Nothing more is written.
  func end() { change { $0.isEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    let reader = state.withLock { state in
      body(&state)
      let reader = state.reader
      state.reader = nil
      return reader
    }
    reader?.resume()
  }

  /// The length once there is something behind `offset`; `offset` itself at the end. One waits at a time, and `end()` has to come.
  func length(beyond offset: UInt64) async -> UInt64 {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.length > offset || state.isEnded { return true }
        state.reader = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
    return state.withLock { $0.length }
  }
}
