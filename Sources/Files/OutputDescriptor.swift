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
    case .file, .nonBlocking: return Self.write(raw, bytes)
    case .socket:
      #if canImport(Darwin)
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
      return Self.write(raw, UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.pipeBytes)))
    }
  }

  #if canImport(Darwin)
    private static let pipeBytes = 512
  #else
    private static let pipeBytes = 4096
  #endif

  private static func write(_ raw: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(raw, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(raw, bytes.baseAddress, bytes.count)
    #endif
  }
}
