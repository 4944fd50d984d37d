internal import CSQLite
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Copies `count` bytes from the start of one file into a new, empty one: by sharing blocks where the file system can, else in the
/// kernel, else through a buffer. False where the file ends before.
func copy(
  _ count: UInt64, from source: borrowing FileDescriptor, to target: borrowing FileDescriptor, isCancelled: () -> Bool
) throws(SQLiteError) -> Bool {
  if csqlite_clone(source.raw, target.raw) == 0 { return try passing { () throws(FileError) in try target.status().size >= count } }
  if let free = target.freeBytes(), free < count { throw SQLiteError(FileError("copy", source.path, code: ENOSPC)) }
  let piece: UInt64 = 16 << 20
  var done: UInt64 = 0
  while done < count {
    if isCancelled() { throw SQLiteError("copy", code: .interrupted) }
    let copied = csqlite_copy_range(source.raw, target.raw, Int64(done), min(piece, count - done))
    if copied == 0 { return false }
    if copied < 0 {
      let code = CInt(-copied)
      if code == EINTR { continue }
      if code == ENOSPC || code == EDQUOT || code == EIO { throw SQLiteError(FileError("copy", source.path, code: code)) }
      return try copyThroughBuffer(from: done, to: count, source, target, isCancelled: isCancelled)
    }
    done += UInt64(copied)
  }
  return true
}

/// For file systems between which the kernel doesn't copy.
private func copyThroughBuffer(
  from start: UInt64, to end: UInt64, _ source: borrowing FileDescriptor, _ target: borrowing FileDescriptor, isCancelled: () -> Bool
) throws(SQLiteError) -> Bool {
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
  defer { buffer.deallocate() }
  if lseek(target.raw, off_t(start), SEEK_SET) < 0 { throw SQLiteError(FileError("seek", target.path, code: errno)) }
  var done = start
  while done < end {
    if isCancelled() { throw SQLiteError("copy", code: .interrupted) }
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(UInt64(buffer.count), end - done))])
    let at = done
    let read = try passing { () throws(FileError) in try source.read(into: part, at: at) }
    if read == 0 { return false }
    try passing { () throws(FileError) in try target.write(UnsafeRawBufferPointer(rebasing: part[..<read])) }
    done += UInt64(read)
  }
  return true
}

extension FileDescriptor {
  /// Bytes from a place in the file; fewer where it ends before.
  borrowing func bytes(at offset: UInt64, count: Int) throws(SQLiteError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    var done = 0
    while done < count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let at = offset + UInt64(done)
      let read = try passing { () throws(FileError) in try self.read(into: rest, at: at) }
      if read == 0 { break }
      done += read
    }
    return Array(buffer[..<done])
  }
}
