internal import CSQLite
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs `body` on a thread with a table of descriptors of its own, and waits for it. `body` is told whether the system gave it one.
///
/// Why: a process that closes any descriptor of a file loses all its POSIX locks on that file. In an app that has the store open through
/// SQLite, reading the file directly would release SQLite's locks behind its back, and another process could then write into the middle
/// of its transaction. POSIX locks belong to the table of descriptors (`files_struct`), so what a thread with its own table opens and
/// closes doesn't touch them.
func withOwnDescriptors<Result: Sendable>(_ body: @escaping @Sendable (_ own: Bool) throws(SQLiteError) -> Result) throws(SQLiteError)
  -> Result
{
  let work = ThreadWork(body)
  let context = Unmanaged.passRetained(work).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, runWork, context)
  #else
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { context in context.map(runWork) ?? nil }, context)
  #endif
  if code != 0 {
    Unmanaged<ThreadWork>.fromOpaque(context).release()
    throw SQLiteError(FileError("start a thread", "", code: code))
  }
  #if canImport(Darwin)
    pthread_join(thread!, nil)
  #else
    pthread_join(thread, nil)
  #endif
  guard let outcome = work.outcome as? Swift.Result<Result, SQLiteError> else {
    throw SQLiteError("copy", code: .error, message: "the thread left no result")
  }
  return try outcome.get()
}

/// What a thread is to do and what came of it. Used by the thread alone until it has been joined.
private final class ThreadWork {
  private let body: (ThreadWork) -> Void
  var outcome: (any Sendable)?

  init<Result: Sendable>(_ body: @escaping @Sendable (Bool) throws(SQLiteError) -> Result) {
    self.body = { work in
      let own = csqlite_own_descriptors() == 0
      do throws(SQLiteError) {
        work.outcome = Swift.Result<Result, SQLiteError>.success(try body(own))
      } catch {
        work.outcome = Swift.Result<Result, SQLiteError>.failure(error)
      }
    }
  }

  func run() { body(self) }
}

private func runWork(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
  return nil
}

/// Whether this process has a file open: only asked where a thread can't have descriptors of its own.
func processHasOpen(_ file: FileStatus) -> Bool {
  var limit = rlimit()
  #if canImport(Darwin)
    getrlimit(RLIMIT_NOFILE, &limit)
  #else
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  #endif
  for descriptor in 0..<CInt(clamping: min(limit.rlim_cur, 1 << 20)) {
    var status = stat()
    if fstat(descriptor, &status) == 0 && UInt64(status.st_dev) == file.device && UInt64(status.st_ino) == file.inode { return true }
  }
  return false
}
