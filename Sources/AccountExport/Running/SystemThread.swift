internal import CThreads

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread of the system's that nobody waits for.
enum SystemThread {
  /// Starts a thread that runs `body` and ends, under a name of at most 15 bytes that the system's tools show. 0, or an errno value where the system gives no thread.
  static func start(named name: StaticString, _ body: @escaping @Sendable () -> Void) -> CInt {
    let box = Unmanaged.passRetained(Body(name, body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, { SystemThread.main($0) }, box.toOpaque())
    if code != 0 {
      box.release()
      return code
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return 0
  }

  private final class Body: Sendable {
    let name: StaticString
    let run: @Sendable () -> Void
    init(_ name: StaticString, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
    setName(body.name)
    body.run()
    return nil
  }

  /// Names this thread. A name that can't be set is none: it only helps those who look on. No descriptor is opened for it: a thread that
  /// starts late would show one after everything else is closed.
  private static func setName(_ name: StaticString) {
    name.withUTF8Buffer { $0.withMemoryRebound(to: CChar.self) { _ = cthreads_name_this($0.baseAddress) } }
  }
}
