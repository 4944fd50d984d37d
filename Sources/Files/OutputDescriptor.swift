internal import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open descriptor of another's, written to without waiting for whoever reads it: pipes, sockets, terminals, files. How the other has
/// opened it stays as it is.
public struct OutputDescriptor: ~Copyable, Sendable {
  private enum Way {
    /// Never makes anyone wait.
    case file
    /// Takes what it can, or says that it takes nothing now.
    case nonBlocking
    case socket
    /// Is asked first, and then given no more than is sure to be taken.
    case small
  }

  private let file: FileDescriptor
  private let way: Way

  /// The system's number, valid as long as this value lives: for waiting until it takes something.
  public var raw: CInt { file.raw }

  private init(_ file: consuming FileDescriptor, _ way: Way) {
    self.file = file
    self.way = way
  }

  /// Takes a descriptor that another keeps open.
  public static func duplicating(_ descriptor: CInt, path: PathBytes) throws(FileError) -> OutputDescriptor {
    let copy = try FileDescriptor.duplicate(descriptor, path: path)
    var status = stat()
    if fstat(copy.raw, &status) != 0 { throw FileError("stat", path, code: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFBLK: return OutputDescriptor(copy, .file)
    case S_IFSOCK: return OutputDescriptor(copy, .socket)
    case S_IFIFO:
      // Its flags are shared with everyone who has it open, so it is opened once more. Where that can't be, `small` does.
      let again = "/proc/self/fd/\(copy.raw)".withCString { cfiles_open_at(AT_FDCWD, $0, O_WRONLY | O_NONBLOCK | O_NOCTTY, 0) }
      if again < 0 { return OutputDescriptor(copy, .small) }
      return OutputDescriptor(FileDescriptor(adopting: again, path: path), .nonBlocking)
    default: return OutputDescriptor(copy, .small)
    }
  }

  /// Writes what is taken of `bytes` without waiting, and gives how many those are: 0 where nothing is taken now.
  public borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int {
    if bytes.isEmpty { return 0 }
    while true {
      let count = attempt(bytes)
      // A device may take nothing without saying why; asking again would never end.
      if count == 0 { throw FileError("write", file.path, code: EIO) }
      if count > 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
      if errno != EINTR { throw FileError("write", file.path, code: errno) }
    }
  }

  private borrowing func attempt(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch way {
    case .file: return Self.write(raw, bytes)
    case .nonBlocking: return Self.writeToPipe(raw, bytes)
    case .socket:
      #if canImport(Darwin)
        // No flag of `send` keeps SIGPIPE away here.
        var isQuiet: CInt = 1
        if setsockopt(raw, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<CInt>.size)) != 0 { return -1 }
        return send(raw, bytes.baseAddress, bytes.count, MSG_DONTWAIT)
      #else
        return send(raw, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
      #endif
    case .small:
      var asked = pollfd(fd: raw, events: Int16(POLLOUT), revents: 0)
      let answers = poll(&asked, 1, 0)
      if answers < 0 { return -1 }
      if answers == 0 {
        errno = EAGAIN
        return -1
      }
      // A pipe that takes anything takes this much (POSIX, PIPE_BUF).
      return Self.writeToPipe(raw, UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.pipeBytes)))
    }
  }

  #if canImport(Darwin)
    private static let pipeBytes = 512
  #else
    private static let pipeBytes = 4096
  #endif

  /// Writes without the signal by which the system ends a process that writes to a pipe whose reader is gone: the error says it all.
  private static func writeToPipe(_ raw: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      // A device knows nothing of this, and sends no such signal either.
      _ = fcntl(raw, F_SETNOSIGPIPE, 1)
      return write(raw, bytes)
    #else
      var signals = sigset_t()
      var blocked = sigset_t()
      var pending = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      // Only a set that is none, or another first argument, is refused.
      pthread_sigmask(SIG_BLOCK, &signals, &blocked)
      sigpending(&pending)
      let wasPending = sigismember(&pending, SIGPIPE) == 1
      let count = write(raw, bytes)
      let code = errno
      // One that waited before is somebody else's.
      if count < 0 && code == EPIPE && !wasPending {
        var now = timespec()
        while sigtimedwait(&signals, nil, &now) < 0 && errno == EINTR {}
      }
      pthread_sigmask(SIG_SETMASK, &blocked, nil)
      errno = code
      return count
    #endif
  }

  private static func write(_ raw: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(raw, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(raw, bytes.baseAddress, bytes.count)
    #endif
  }
}
