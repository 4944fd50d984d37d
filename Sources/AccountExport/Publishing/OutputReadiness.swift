import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waits until descriptors take bytes again: one thread for the whole process, however many readers are slow. It is started when one is slow
/// first.
final class OutputReadiness: Sendable {
  static let shared = OutputReadiness()

  private struct Waiter {
    let descriptor: CInt
    let ready: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var waiters: [UInt64: Waiter] = [:]
    var lastID: UInt64 = 0
    /// The end of the pipe that wakes the thread; -1 before it is started.
    var wake: CInt = -1
  }

  private let state = Mutex(State())

  /// Waits until a descriptor takes bytes, has no reader any more, or fails otherwise: writing tells which.
  func wait(for descriptor: CInt) async throws {
    let id = try state.withLock { state in
      if state.wake < 0 { state.wake = try start() }
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { ready in
        state.withLock { state in
          state.waiters[id] = Waiter(descriptor: descriptor, ready: ready)
          Self.signal(state.wake)
        }
        // The handler may have come before there was anyone to take out.
        if Task.isCancelled { takeOut(id) }
      }
    } onCancel: {
      takeOut(id)
    }
  }

  private func takeOut(_ id: UInt64) {
    let waiter = state.withLock { state in
      let waiter = state.waiters.removeValue(forKey: id)
      if waiter != nil { Self.signal(state.wake) }
      return waiter
    }
    waiter?.ready.resume(throwing: CancellationError())
  }

  // MARK: The thread

  /// Starts the thread, and gives the end of the pipe that wakes it.
  private func start() throws(ExportError) -> CInt {
    var ends: [CInt] = [-1, -1]
    if pipe(&ends) != 0 { throw Self.failed("pipe", errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (reading, writing) = (ends[0], ends[1])
    let code = SystemThread.start(named: "export-readers") { [self] in run(wokenBy: reading) }
    if code == 0 { return writing }
    close(reading)
    close(writing)
    throw Self.failed("thread", code)
  }

  private static func failed(_ what: String, _ code: CInt) -> ExportError {
    ExportError(.output, "the system gives no \(what) for slow readers: \(String(cString: strerror(code)))")
  }

  /// A full pipe wakes as well as one byte more.
  private static func signal(_ wake: CInt) {
    var byte: UInt8 = 0
    _ = write(wake, &byte, 1)
  }

  private func run(wokenBy wake: CInt) {
    var polled: [pollfd] = []
    var ids: [UInt64] = []
    var drained = [UInt8](repeating: 0, count: 256)
    while true {
      polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
      ids = [0]
      state.withLock { state in
        for (id, waiter) in state.waiters {
          polled.append(pollfd(fd: waiter.descriptor, events: Int16(POLLOUT), revents: 0))
          ids.append(id)
        }
      }
      let count = poll(&polled, nfds_t(polled.count), -1)
      if count < 0 && errno == EINTR { continue }
      if polled[0].revents != 0 { while read(wake, &drained, drained.count) > 0 {} }
      // Where polling itself fails, everyone tries: writing tells what is wrong.
      resume(ids.indices.dropFirst().filter { count < 0 || polled[$0].revents != 0 }.map { ids[$0] })
    }
  }

  private func resume(_ ids: [UInt64]) {
    let waiters = state.withLock { state in ids.compactMap { state.waiters.removeValue(forKey: $0) } }
    for waiter in waiters { waiter.ready.resume() }
  }
}
