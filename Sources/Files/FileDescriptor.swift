internal import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file or folder, closed when its owner goes. Every path is opened relative to a folder, with `O_NOFOLLOW`: a link in its last
/// place is an error, never a way out.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The system's number for it, valid as long as this value lives.
  public let raw: CInt
  /// The path that it was opened by, for messages.
  public let path: PathBytes

  /// Takes over an open descriptor.
  public init(adopting raw: CInt, path: PathBytes) {
    self.raw = raw
    self.path = path
  }

  deinit { close(raw) }

  private static func open(_ directory: CInt, _ path: PathBytes, shown: PathBytes, flags: CInt, mode: UInt32 = 0) throws(FileError) -> FileDescriptor {
    let descriptor = path.withCString { cfiles_open_at(directory, $0, flags, mode) }
    if descriptor < 0 { throw FileError("open", shown, code: -descriptor) }
    return FileDescriptor(adopting: descriptor, path: shown)
  }

  /// Opens a folder by its path. `following` lets the last component be a link: right for a path that the user gave, and for no other.
  public static func folder(_ path: PathBytes, following: Bool = false) throws(FileError) -> FileDescriptor {
    try open(AT_FDCWD, path, shown: path, flags: O_RDONLY | O_DIRECTORY | (following ? 0 : O_NOFOLLOW))
  }

  /// Opens a file for reading by its path; a pipe or a device does not make it wait (check the kind with `status()`).
  public static func reading(_ path: PathBytes, following: Bool = false) throws(FileError) -> FileDescriptor {
    try open(AT_FDCWD, path, shown: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY | (following ? 0 : O_NOFOLLOW))
  }

  /// Opens a folder in this folder.
  public borrowing func folder(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: path.appending(name), flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }

  /// Opens a file in this folder for reading.
  public borrowing func reading(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: path.appending(name), flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  }

  /// Makes a new file in this folder, for reading and writing, with mode 0600. One that is there already is an error.
  public borrowing func creating(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: path.appending(name), flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
  }

  /// Makes a file without a name in this folder, for reading and writing: it is gone when its last descriptor is.
  /// Where the file system knows no such file, it gets a random name that is removed at once.
  public borrowing func unnamed() throws(FileError) -> FileDescriptor {
    let descriptor = cfiles_open_unnamed(raw)
    if descriptor >= 0 { return FileDescriptor(adopting: descriptor, path: path) }
    let name = PathBytes(".account-export-\(UInt64.random(in: .min ... .max))")
    let file = try creating(name)
    try remove(name)
    return file
  }

  /// What the system tells of this file.
  public borrowing func status() throws(FileError) -> FileStatus {
    try Self.status(raw, "", shown: path)
  }

  /// What the system tells of something in this folder; a link is not followed.
  public borrowing func status(of name: PathBytes) throws(FileError) -> FileStatus {
    try Self.status(raw, name, shown: path.appending(name))
  }

  private static func status(_ directory: CInt, _ name: PathBytes, shown: PathBytes) throws(FileError) -> FileStatus {
    var status = cfiles_status()
    let code = name.withCString { cfiles_status_at(directory, $0, &status) }
    if code != 0 { throw FileError("stat", shown, code: code) }
    return FileStatus(status)
  }

  /// Reads up to `buffer`'s size from where the last read ended. 0 is the end of the file.
  public borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(raw, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(raw, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { throw FileError("read", path, code: errno) }
    }
  }

  /// Reads up to `buffer`'s size from a place in the file. 0 is the end of the file.
  public borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    while true {
      let count = pread(raw, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { throw FileError("read", path, code: errno) }
    }
  }

  /// Writes all of `bytes` where the last write ended.
  public borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(raw, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(raw, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError("write", path, code: errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Waits until the file's contents have reached the disk.
  public borrowing func sync() throws(FileError) {
    if fsync(raw) != 0 { throw FileError("sync", path, code: errno) }
  }

  /// Removes a name from this folder.
  public borrowing func remove(_ name: PathBytes) throws(FileError) {
    let failed = name.withCString { unlinkat(raw, $0, 0) } != 0
    if failed { throw FileError("remove", path.appending(name), code: errno) }
  }

  /// Gives a file without a name its name in this folder. An existing name is an error, and stays.
  public borrowing func link(_ unnamed: borrowing FileDescriptor, as name: PathBytes) throws(FileError) {
    let code = name.withCString { cfiles_link_unnamed(unnamed.raw, raw, $0) }
    if code != 0 { throw FileError("link", path.appending(name), code: code) }
  }

  /// Renames within this folder, in one step. `replacing` false refuses an existing target.
  public borrowing func rename(_ from: PathBytes, to target: PathBytes, replacing: Bool) throws(FileError) {
    let code = from.withCString { source in target.withCString { cfiles_rename_at(raw, source, $0, replacing) } }
    if code != 0 { throw FileError("rename", path.appending(target), code: code) }
  }

  /// Where a link in this folder points: its bytes, unchecked.
  public borrowing func target(of name: PathBytes) throws(FileError) -> PathBytes {
    var size = 256
    while true {
      let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: size)
      defer { buffer.deallocate() }
      let count = name.withCString { readlinkat(raw, $0, buffer.baseAddress!, size) }
      if count < 0 { throw FileError("read link", path.appending(name), code: errno) }
      if count < size { return PathBytes(buffer[..<count].map { UInt8(bitPattern: $0) }) }
      size *= 2
    }
  }

  /// Bytes free on this file's disk; nil where the system can't tell.
  public borrowing func freeBytes() -> UInt64? {
    let free = cfiles_free_bytes(raw)
    return free == .max ? nil : free
  }

  /// Whether this file lies on a file system in memory: no place for what must not cost memory.
  public borrowing func isInMemory() -> Bool { cfiles_is_in_memory(raw) }
}
