/// An entry's data that came in pieces, until there is enough of it for a chunk.
struct GatheredChunk: ~Copyable {
  private(set) var count = 0
  private var buffer: UnsafeMutableRawBufferPointer?

  deinit { buffer?.deallocate() }

  /// What is gathered so far.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer?.baseAddress, count: count) }

  /// Takes as much as the chunk has room for.
  ///
  /// - Returns: the number of bytes taken.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    let buffer = buffer ?? .allocate(byteCount: ZipChunk.size, alignment: 16)
    self.buffer = buffer
    let taken = min(ZipChunk.size - count, bytes.count)
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes.part(0, taken))
    count += taken
    return taken
  }

  /// Begins the next chunk.
  mutating func removeAll() { count = 0 }
}
