internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the command sets for its own process before anything else; a library must not.
enum ProcessSettings {
  /// The arguments, without the program's name, as the bytes that they are.
  static var arguments: [PathBytes] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { PathBytes(UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) }) }
    }
  }

  /// The time zone and the mask of new files' modes that this process was started with: what it starts for the user gets them back. They are looked at
  /// before they are set, and looking at the mask is setting it.
  static let inheritedTimeZone = getenv("TZ").map { PathBytes(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  static let inheritedMask = umask(0o077)

  /// Sets everything.
  static func apply() {
    openStandardDescriptors()
    Interruption.block()
    // ZIP times go through the local time: bytes repeat only under one zone.
    _ = inheritedTimeZone
    setenv("TZ", "UTC", 1)
    tzset()
    // A reader that goes away, and a file that grows too large, are errors of writing, not reasons to die midway.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    _ = inheritedMask
    limitCoreFiles()
    raiseFileLimit()
  }

  /// Ends the process.
  static func exit(_ status: ExitStatus) -> Never {
    #if canImport(Darwin)
      Darwin.exit(status.code)
    #else
      Glibc.exit(status.code)
    #endif
  }

  /// Fills the places of standard descriptors that are closed, so that no file of ours gets their numbers, and messages with them. What is
  /// put there can't be used in the direction that the place is for.
  private static func openStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// No core files: memory holds personal data.
  private static func limitCoreFiles() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(resource(RLIMIT_CORE), &none)
  }

  private static func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(resource(RLIMIT_NOFILE), &limit) == 0, limit.rlim_cur < wantedFiles else { return }
    limit.rlim_cur = min(wantedFiles, limit.rlim_max)
    setrlimit(resource(RLIMIT_NOFILE), &limit)
  }

  /// Deep folders take a descriptor a level, and stores several each.
  private static let wantedFiles: rlim_t = 4096

  #if canImport(Darwin)
    private static func resource(_ number: CInt) -> CInt { number }
  #else
    private static func resource(_ number: __rlimit_resource) -> __rlimit_resource_t { __rlimit_resource_t(number.rawValue) }
  #endif
}
