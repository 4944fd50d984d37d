import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The export's own threads. Reading files and databases waits here, so that Swift's shared pool, with its one thread a core, never does.
///
/// The threads are few, and shared by all exports that share their resources; work is done in the order in which it comes. Nothing that runs
/// here waits for other work by blocking: queues are awaited, and so are slow readers. So one thread is enough for any number of exports.
final class ExportThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var head = 0
    var started = 0
    var idle = 0
    /// Whether nobody will ask for anything new: threads end when they have nothing to do.
    var isEnding = false

    var pending: Int { jobs.count - head }

    mutating func takeFirst() -> UnownedJob? {
      if head == jobs.count { return nil }
      let job = jobs[head]
      head += 1
      if head == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        head = 0
      } else if head > 1024 {
        jobs.removeFirst(head)
        head = 0
      }
      return job
    }
  }

  /// How many there are at most; they are started when they are needed first.
  let count: Int
  private let state = Mutex(State())
  private let wake = Semaphore()

  init(count: Int) { self.count = max(1, count) }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let starts = state.withLock { state in
      state.jobs.append(unowned)
      // Threads that are about to end don't count as idle.
      if state.started == count || (!state.isEnding && state.idle >= state.pending) { return false }
      state.started += 1
      return true
    }
    if starts { start() }
    wake.signal()
  }

  /// Lets the threads end, each when it has nothing to do. What is still enqueued, now or later, is done all the same.
  func end() {
    let started = state.withLock { state in
      state.isEnding = true
      return state.started
    }
    for _ in 0..<started { wake.signal() }
  }

  private func start() {
    let code = SystemThread.start(named: "account-export") { [self] in
      while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    if code == 0 { return }
    let left = state.withLock { state in
      state.started -= 1
      return state.started
    }
    precondition(left > 0, "the system gives no thread: \(String(cString: strerror(code)))")
  }

  /// The next piece of work, waiting for it; nil when this thread is to end.
  private func next() -> UnownedJob? {
    let waits = state.withLock { state in
      if state.isEnding && state.pending == 0 {
        state.started -= 1
        return false
      }
      state.idle += 1
      return true
    }
    if !waits { return nil }
    wake.wait()
    return state.withLock { state in
      state.idle -= 1
      // Woken for nothing only at the end: there is one signal for each piece of work.
      guard let job = state.takeFirst() else {
        state.started -= 1
        return nil
      }
      return job
    }
  }
}

/// A counting semaphore of the system.
private final class Semaphore: @unchecked Sendable {
  // `sem_t` is made to be used from several threads at once; its address stays the same until `deinit`.
  private let raw: UnsafeMutablePointer<sem_t>

  init() {
    raw = .allocate(capacity: 1)
    sem_init(raw, 0, 0)
  }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  func signal() { sem_post(raw) }

  func wait() {
    while sem_wait(raw) != 0 {}  // only a signal handler ends it early
  }
}
