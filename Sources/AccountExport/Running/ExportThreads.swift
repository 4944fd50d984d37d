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

  /// A single thread that runs already: whatever is enqueued later, none has to be started for it.
  static func oneStarted() throws(ExportError) -> ExportThreads {
    let threads = ExportThreads(count: 1)
    threads.state.withLock { $0.started = 1 }
    let code = threads.start()
    if code != 0 { throw ExportError(.source, "the system gives no thread: \(String(cString: strerror(code)))") }
    return threads
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let starts = state.withLock { state in
      state.jobs.append(unowned)
      // Threads that are about to end don't count as idle.
      if state.started == count || (!state.isEnding && state.idle >= state.pending) { return false }
      state.started += 1
      return true
    }
    if starts {
      let code = start()
      // Others do it, later; without any, nothing could ever go on, nor say so.
      precondition(code == 0 || state.withLock { $0.started } > 0, "the system gives no thread: \(String(cString: strerror(code)))")
    }
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

  /// Starts a thread that is counted already. 0, or an errno value where the system gives none.
  private func start() -> CInt {
    let code = SystemThread.start(named: "account-export") { [self] in
      while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    if code != 0 { state.withLock { $0.started -= 1 } }
    return code
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

#if canImport(Darwin)
  /// A counting semaphore; Darwin has none of POSIX's without a name.
  private final class Semaphore: @unchecked Sendable {
    // Both are made to be used from several threads at once; their addresses stay the same until `deinit`, and `count` is behind the mutex.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var count = 0

    init() {
      (mutex, condition) = (.allocate(capacity: 1), .allocate(capacity: 1))
      precondition(pthread_mutex_init(mutex, nil) == 0 && pthread_cond_init(condition, nil) == 0, "the system gives no semaphore")
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    func signal() {
      pthread_mutex_lock(mutex)
      count += 1
      pthread_cond_signal(condition)
      pthread_mutex_unlock(mutex)
    }

    func wait() {
      pthread_mutex_lock(mutex)
      while count == 0 { pthread_cond_wait(condition, mutex) }
      count -= 1
      pthread_mutex_unlock(mutex)
    }
  }
#else
  /// A counting semaphore of the system.
  private final class Semaphore: @unchecked Sendable {
    // `sem_t` is made to be used from several threads at once; its address stays the same until `deinit`.
    private let raw: UnsafeMutablePointer<sem_t>

    init() {
      raw = .allocate(capacity: 1)
      // It takes nothing of the system's: only a system that has none refuses.
      precondition(sem_init(raw, 0, 0) == 0, "the system has no semaphores: \(String(cString: strerror(errno)))")
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
#endif
