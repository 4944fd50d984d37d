internal import CArchive

/// Deflates chunks, one after another. Has memory of some 2 MiB, which is used again: a thread that deflates has one of these.
///
/// `@unchecked` because the compiler knows nothing of what the pointers lead to; they are owned by this value alone and reached through
/// `mutating` methods only.
package struct ChunkDeflater: ~Copyable, @unchecked Sendable {
  private let deflater: OpaquePointer
  private let options: ZipOptions
  /// Made when they are needed first.
  private var output: UnsafeMutableRawBufferPointer?
  private var input: UnsafeMutableRawBufferPointer?

  private init(_ deflater: OpaquePointer, _ options: ZipOptions) { (self.deflater, self.options) = (deflater, options) }

  deinit {
    chunk_deflater_free(deflater)
    output?.deallocate()
    input?.deallocate()
  }

  /// Makes a deflater for entries of a writer with the same options.
  package static func make(options: ZipOptions) throws(ZipError) -> ChunkDeflater {
    guard let deflater = chunk_deflater_new() else { throw ZipError(.outOfMemory, detail: "no memory to deflate with") }
    return ChunkDeflater(deflater, options)
  }

  /// The bytes of memory that one may take.
  package static var memory: Int { 2 * ZipChunk.size + (512 << 10) }

  /// Room for a chunk's data, for a caller that has none of its own.
  package mutating func buffer() -> UnsafeMutableRawBufferPointer {
    let buffer = input ?? .allocate(byteCount: ZipChunk.size, alignment: 16)
    input = buffer
    return buffer
  }

  /// Deflates a chunk.
  /// - Parameters:
  ///   - bytes: At most `ZipChunk.size` of an entry's data; so many, where it isn't the last.
  ///   - effort: How much work the entry is worth.
  ///   - isLast: Whether the entry ends with it.
  package mutating func chunk(_ bytes: UnsafeRawBufferPointer, effort: ZipEntry.Effort, isLast: Bool) -> ZipChunk {
    let made = inPlace(bytes, level: options.level(for: effort), isLast: isLast)
    return ZipChunk(
      plainCount: made.plainCount, crc: made.crc, isStored: made.isStored, isLast: isLast, bytes: Array(made.bytes))
  }

  /// Deflates a chunk that is all of an array, which is kept where it is to be stored.
  package mutating func chunk(_ bytes: [UInt8], effort: ZipEntry.Effort, isLast: Bool) -> ZipChunk {
    bytes.withUnsafeBytes { raw in
      let made = inPlace(raw, level: options.level(for: effort), isLast: isLast)
      return ZipChunk(
        plainCount: made.plainCount, crc: made.crc, isStored: made.isStored, isLast: isLast,
        bytes: made.isStored ? bytes : Array(made.bytes))
    }
  }

  /// Deflates a chunk into memory that is good until the next call, or leaves it where it is, for stored blocks.
  mutating func inPlace(_ bytes: UnsafeRawBufferPointer, level: CInt, isLast: Bool) -> ChunkInPlace {
    let crc = crc32(0, bytes)
    if level != 0 && !ByteSpread.isEven(bytes) {
      let output = output ?? .allocate(byteCount: chunk_room(ZipChunk.size), alignment: 16)
      self.output = output
      let room = min(output.count, chunk_room(bytes.count))
      let count = chunk_deflate(deflater, level, bytes.baseAddress, bytes.count, isLast, output.baseAddress, room)
      if count > 0 {
        return ChunkInPlace(
          plainCount: bytes.count, crc: crc, isStored: false, isLast: isLast, bytes: UnsafeRawBufferPointer(output).part(0, count))
      }
      // It would become larger than it is, and that is what stored blocks are for.
    }
    return ChunkInPlace(plainCount: bytes.count, crc: crc, isStored: true, isLast: isLast, bytes: bytes)
  }
}
