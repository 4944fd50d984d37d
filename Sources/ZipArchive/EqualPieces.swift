/// Data gathered into pieces of one size.
///
/// zlib cuts stored blocks where the calls to it end, and what ISA-L finds depends on what it is given at once: without this the bytes of a
/// ZIP would depend on how its data happened to come in. (With searching, zlib's output doesn't.)
struct EqualPieces: ~Copyable {
  /// The largest stored block of deflate.
  static var size: Int { 65_535 }

  /// Whether the entry's data goes through here.
  var isInForce = false
  private(set) var count = 0
  private var buffer: UnsafeMutableRawBufferPointer?

  deinit { buffer?.deallocate() }

  /// The piece gathered so far.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: buffer?.baseAddress, count: count)
  }

  /// Takes as much as the piece has room for.
  ///
  /// - Returns: the number of bytes taken.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    let buffer = buffer ?? .allocate(byteCount: Self.size, alignment: 16)
    self.buffer = buffer
    let taken = min(Self.size - count, bytes.count)
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes.part(0, taken))
    count += taken
    return taken
  }

  /// Begins the next piece.
  mutating func removeAll() {
    count = 0
  }
}
