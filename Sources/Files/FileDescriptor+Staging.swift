internal import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Cuts the file at a length, and puts the place of the next write there.
  public borrowing func truncate(to length: UInt64) throws(FileError) {
    if ftruncate(raw, off_t(length)) != 0 || lseek(raw, off_t(length), SEEK_SET) < 0 { throw FileError("truncate", path, code: errno) }
  }
}

extension FileDescriptor {
  /// Writes all of `bytes` at a place in the file; the place of the next write stays.
  public borrowing func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
    var (rest, place) = (bytes, offset)
    while !rest.isEmpty {
      let count = pwrite(raw, rest.baseAddress, rest.count, off_t(place))
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError("write", path, code: errno)
      }
      // A device may take nothing without saying why; asking again would never end.
      if count == 0 { throw FileError("write", path, code: EIO) }
      place += UInt64(count)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}

extension FileDescriptor {
  /// The names in this folder that begin with a text, in the order of their bytes.
  public borrowing func names(beginningWith prefix: String) throws(FileError) -> [PathBytes] {
    let listing = try FolderListing(of: self)
    return (0..<listing.count).map { listing.name(at: $0) }.filter { $0.bytes.starts(with: prefix.utf8) }
  }
}

extension FileDescriptor {
  /// A descriptor of our own for one that another keeps open.
  public static func duplicate(_ descriptor: CInt, path: PathBytes) throws(FileError) -> FileDescriptor {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    if copy < 0 { throw FileError("duplicate", path, code: errno) }
    return FileDescriptor(adopting: copy, path: path)
  }
}

extension FileDescriptor {
  /// Opens a folder by its path, and makes it, and those above it that are missing, with mode 0700.
  public static func makingFolders(_ path: PathBytes) throws(FileError) -> FileDescriptor {
    do throws(FileError) { return try folder(path, following: true) } catch {
      if !error.isMissing || path.parent == path { throw error }
    }
    let above = try makingFolders(path.parent)
    do throws(FileError) { return try above.creatingFolder(path.lastComponent) } catch {
      // Somebody else has made it meanwhile.
      if error.isExisting { return try above.folder(path.lastComponent) }
      throw error
    }
  }

  /// The user whom the system takes this process for.
  public static var user: UInt32 { geteuid() }
}

extension FileDescriptor {
  /// Says when the file's contents changed last. It is the time of the last look at them, too.
  public borrowing func set(modified time: FileTime) throws(FileError) {
    let moment = timespec(tv_sec: time_t(time.seconds), tv_nsec: Int(time.nanoseconds))
    let code = [moment, moment].withUnsafeBufferPointer { futimens(raw, $0.baseAddress) == 0 ? 0 : errno }
    if code != 0 { throw FileError("set the time of", path, code: code) }
  }
}

extension FileDescriptor {
  /// Opens what is in this folder already for writing: a device.
  public borrowing func writing(_ name: PathBytes) throws(FileError) -> FileDescriptor {
    let descriptor = name.withCString { cfiles_open_at(raw, $0, O_WRONLY | O_NOFOLLOW | O_NOCTTY, 0) }
    if descriptor < 0 { throw FileError("open", path.appending(name), code: -descriptor) }
    return FileDescriptor(adopting: descriptor, path: path.appending(name))
  }
}
