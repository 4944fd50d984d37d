internal import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file or folder, closed when its owner goes. A name is opened relative to a folder with `O_NOFOLLOW`: a link there is an error,
/// never a way out. A name is one component: what stands before a slash would be followed.
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

  private static func open(
    _ directory: CInt, _ path: UnsafePointer<CChar>, shown: PathBytes, flags: CInt, mode: UInt32 = 0
  ) throws(FileError) -> FileDescriptor {
    let descriptor = cfiles_open_at(directory, path, flags, mode)
    if descriptor < 0 { throw FileError("open", shown, code: -descriptor) }
    return FileDescriptor(adopting: descriptor, path: shown)
  }

  private static func open(
    _ directory: CInt, _ path: PathBytes, shown: PathBytes, flags: CInt, mode: UInt32 = 0
  ) throws(FileError) -> FileDescriptor {
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

  /// Opens a name in this folder, of which only the C form is at hand (`FolderListing`); `shown` stands in messages, so that none has to be
  /// put together for a file that opens. A pipe or a device does not make it wait.
  public borrowing func reading(_ name: UnsafePointer<CChar>, shown: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: shown, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  }

  /// Opens a folder in this folder, as `reading(_:shown:)` opens a file. `..` is the folder that this one lies in now.
  public borrowing func folder(_ name: UnsafePointer<CChar>, shown: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: shown, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }

  /// What the system tells of a name in this folder, as `reading(_:shown:)` takes it; a link is not followed.
  public borrowing func status(of name: UnsafePointer<CChar>, shown: PathBytes) throws(FileError) -> FileStatus {
    try Self.status(raw, name, shown: shown)
  }

  /// Opens a folder in this folder.
  public borrowing func folder(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: path.appending(name), flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }

  /// Opens a folder in this folder to go through: nothing is asked of it but its status and what lies in it by name.
  public borrowing func passage(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    let descriptor = name.withCString { cfiles_open_through(raw, $0) }
    if descriptor < 0 { throw FileError("open", path.appending(name), code: -descriptor) }
    return FileDescriptor(adopting: descriptor, path: path.appending(name))
  }

  /// Opens a file in this folder for reading.
  public borrowing func reading(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: path.appending(name), flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  }

  /// Makes a new file in this folder, for reading and writing, with mode 0600. One that is there already is an error.
  public borrowing func creating(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    try Self.open(raw, name, shown: path.appending(name), flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
  }

  /// Makes a new folder in this folder, with mode 0700, and opens it. One that is there already is an error.
  public borrowing func creatingFolder(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    let code = name.withCString { mkdirat(raw, $0, 0o700) == 0 ? 0 : errno }
    if code != 0 { throw FileError("make folder", path.appending(name), code: code) }
    return try folder(name)
  }

  /// Makes a file without a name in this folder, for reading and writing, which `link(_:as:)` can give one. Nil where the file system (or
  /// the system) knows no such file; other failures are errors.
  public borrowing func linkable() throws(FileError) -> FileDescriptor? {
    let descriptor = cfiles_open_unnamed(raw)
    if descriptor >= 0 { return FileDescriptor(adopting: descriptor, path: path) }
    // EISDIR and ENOENT are what kernels and file systems older than the flag say, EINVAL what some network ones do.
    if [EOPNOTSUPP, EISDIR, ENOENT, EINVAL, ENOSYS].contains(-descriptor) { return nil }
    throw FileError("open", path, code: -descriptor)
  }

  /// Makes a file without a name in this folder, for reading and writing: it is gone when its last descriptor is.
  /// Where the file system knows no such file, it gets a random name that is removed at once; such a one can't be linked (`linkable()`).
  public borrowing func unnamed() throws(FileError) -> FileDescriptor {
    if let file = try linkable() { return file }
    let name = PathBytes(".account-export-\(UInt64.random(in: .min ... .max))")
    let file = try creating(name)
    try remove(name)
    return file
  }

  /// What the system tells of this file.
  public borrowing func status() throws(FileError) -> FileStatus {
    var empty: CChar = 0
    return try Self.status(raw, &empty, shown: path)
  }

  /// What the system tells of something in this folder; a link is not followed.
  public borrowing func status(of name: PathBytes) throws(FileError) -> FileStatus {
    let shown = path.appending(name)
    // An empty name would mean the folder itself.
    if name.bytes.isEmpty { throw FileError("stat", path, code: ENOENT) }
    return try name.withCString { (name) throws(FileError) in try Self.status(raw, name, shown: shown) }
  }

  /// What the system tells of a folder by a path that ends with `.` or `..`: all before that is followed.
  static func status(ofFolder path: PathBytes) throws(FileError) -> FileStatus {
    try path.withCString { (name) throws(FileError) in try status(AT_FDCWD, name, shown: path) }
  }

  private static func status(_ directory: CInt, _ name: UnsafePointer<CChar>, shown: PathBytes) throws(FileError) -> FileStatus {
    var status = cfiles_status()
    let code = cfiles_status_at(directory, name, &status)
    if code != 0 { throw FileError("stat", shown, code: code) }
    return FileStatus(status)
  }

  /// Tells the system that this file is read from its beginning to its end, so that it fetches more of it ahead.
  public borrowing func willReadInOrder() { cfiles_will_read_in_order(raw) }

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
      // A device may take nothing without saying why; asking again would never end.
      if count == 0 { throw FileError("write", path, code: EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Waits until the file's contents have reached the disk.
  public borrowing func sync() throws(FileError) {
    let code = cfiles_sync(raw)
    if code != 0 { throw FileError("sync", path, code: code) }
  }

  /// Takes this file's or folder's exclusive lock, which goes with the last descriptor; false where another holds it. It binds only those
  /// who ask for it.
  public borrowing func lock() throws(FileError) -> Bool {
    let code = cfiles_lock(raw)
    if code == EWOULDBLOCK { return false }
    if code != 0 { throw FileError("lock", path, code: code) }
    return true
  }

  /// Removes a name from this folder: a file's, a link's, never a folder's.
  public borrowing func remove(_ name: PathBytes) throws(FileError) {
    try remove(name, flags: 0)
  }

  /// Removes an empty folder from this folder.
  public borrowing func removeFolder(_ name: PathBytes) throws(FileError) {
    try remove(name, flags: AT_REMOVEDIR)
  }

  private borrowing func remove(_ name: PathBytes, flags: CInt) throws(FileError) {
    let code = name.withCString { unlinkat(raw, $0, flags) == 0 ? 0 : errno }
    if code != 0 { throw FileError("remove", path.appending(name), code: code) }
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
      let count = name.withCString { (name) -> Int in
        let count = readlinkat(raw, name, buffer.baseAddress!, size)
        return count < 0 ? -Int(errno) : count
      }
      if count < 0 { throw FileError("read link", path.appending(name), code: CInt(-count)) }
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

  /// Whether this lies on a file system that the kernel makes up (`/proc`, `/sys`): no one's documents, and some never end.
  public borrowing func isKernelMade() -> Bool { cfiles_is_kernel_made(raw) }
}
