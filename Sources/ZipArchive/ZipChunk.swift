internal import CArchive

/// A piece of an entry's data, deflated: what any thread can make without knowing the others, and `ZipWriter` puts together.
package struct ZipChunk: Sendable {
  /// The most bytes of an entry that one chunk holds. Every chunk but an entry's last holds so many: the bytes of a ZIP must not depend on how
  /// its data came in, nor on who deflated it.
  package static var size: Int { 1 << 20 }

  /// Whether chunks can be made beforehand: where libarchive can't be made to take them, it deflates by itself.
  package static var isBuilt: Bool { zip_seam_is_built() }

  /// What was deflated: how many bytes, and their CRC-32.
  package let plainCount: Int
  package let crc: UInt32
  /// Whether `bytes` are the data itself, for stored blocks.
  package let isStored: Bool
  /// Whether it ends its entry.
  package let isLast: Bool
  /// The bytes, as they go into the ZIP where they aren't stored.
  package let bytes: [UInt8]

  /// A chunk that was made before, and kept.
  package init(plainCount: Int, crc: UInt32, isStored: Bool, isLast: Bool, bytes: [UInt8]) {
    (self.plainCount, self.crc, self.isStored, self.isLast, self.bytes) = (plainCount, crc, isStored, isLast, bytes)
  }
}

/// What a chunk came to, with its bytes in memory of the deflater's or the caller's.
struct ChunkInPlace {
  let plainCount: Int
  let crc: UInt32
  let isStored: Bool
  let isLast: Bool
  let bytes: UnsafeRawBufferPointer
}
