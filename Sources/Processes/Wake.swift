internal import CProcess
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends the waiting for a program from another thread, once and for all.
public final class Wake: Sendable {
  let reading: FileDescriptor
  private let writing: FileDescriptor

  /// One that has not been used.
  public init() throws(ProcessError) {
    var ends: (CInt, CInt) = (0, 0)
    try ProcessError.check(cprocess_pipe(&ends.0, &ends.1), "pipe")
    reading = FileDescriptor(adopting: ends.0, path: "a pipe")
    writing = FileDescriptor(adopting: ends.1, path: "a pipe")
  }

  /// Tells whoever waits, now or later, to give up.
  public func signal() {
    // The pipe has room for 4096 of these at least; where it is full, it has been told.
    var byte: UInt8 = 1
    _ = write(writing.raw, &byte, 1)
  }
}
