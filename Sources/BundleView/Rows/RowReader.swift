internal import AccountExport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads the kept rows of a collection, a line each, through one buffer.
struct RowReader: ~Copyable {
  private let content: KeptBytes
  private var buffer: UnsafeMutableRawBufferPointer
  /// The unread part of the buffer, and where in the content it ends.
  private var start = 0, end = 0
  private var offset: Int

  init(_ content: KeptBytes, from offset: Int = 0) {
    (self.content, self.offset) = (content, offset)
    buffer = .allocate(byteCount: 128 << 10, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Where in the content the next line begins.
  var place: Int { offset - (end - start) }

  /// The next line without its end, valid until the next call; nil at the end.
  mutating func next() throws -> UnsafeRawBufferPointer? {
    var searched = start
    while true {
      if let base = buffer.baseAddress, let found = memchr(base + searched, 0x0A, end - searched) {
        let stop = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        defer { start = stop + 1 }
        return UnsafeRawBufferPointer(rebasing: buffer[start..<stop])
      }
      let seen = end - start
      if try !fill() { return nil }
      searched = start + seen
    }
  }

  /// Reads more behind what is unread; false at the content's end.
  private mutating func fill() throws -> Bool {
    if offset >= content.count { return false }
    if start > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      (start, end) = (0, end - start)
    }
    if end == buffer.count { grow() }
    let count = try content.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]), at: offset)
    (offset, end) = (offset + count, end + count)
    return true
  }

  private mutating func grow() {
    let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
    grown.copyMemory(from: UnsafeRawBufferPointer(buffer))
    buffer.deallocate()
    buffer = grown
  }
}
