import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The export's own threads. Reading files and databases waits here, so that Swift's shared pool, with its one thread a core, never does.
///
/// The threads are few and shared by all exports of the process. Nothing that runs here waits for other work by blocking: queues are awaited,
/// and slow readers have threads of their own.
final class ExportThreads: TaskExecutor {
  /// The threads of this process.
  static let shared = ExportThreads(count: max(4, 2 * sysconf(CInt(_SC_NPROCESSORS_ONLN))))

  /// Threads that wait for readers of streams, one each: as many are started as readers are slow at once.
  static let consumers = ExportThreads(count: 1024)

  private struct State {
    var jobs: [UnownedJob] = []
    var head = 0
    var started = 0
    var idle = 0
  }

  private let count: Int
  private let state = Mutex(State())
  private let wake: Semaphore

  init(count: Int) {
    self.count = count
    wake = Semaphore()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let starts = state.withLock { state in
      state.jobs.append(unowned)
      if state.idle >= state.jobs.count - state.head || state.started == count { return false }
      state.started += 1
      return true
    }
    if starts { start() }
    wake.signal()
  }

  private func start() {
    let box = Unmanaged.passRetained(self)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, { ExportThreads.main($0) }, box.toOpaque())
    if code == 0 {
      pthread_detach(thread)
      return
    }
    box.release()
    let left = state.withLock { state in
      state.started -= 1
      return state.started
    }
    precondition(left > 0, "the system gives no thread: \(String(cString: strerror(code)))")
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let threads = Unmanaged<ExportThreads>.fromOpaque(context).takeRetainedValue()
    while true { threads.next().runSynchronously(on: threads.asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob {
    state.withLock { $0.idle += 1 }
    wake.wait()
    return state.withLock { state in
      state.idle -= 1
      let job = state.jobs[state.head]
      state.head += 1
      if state.head == state.jobs.count {
        state.jobs.removeAll(keepingCapacity: true)
        state.head = 0
      } else if state.head > 1024 {
        state.jobs.removeFirst(state.head)
        state.head = 0
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
