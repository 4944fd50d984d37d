internal import ZipArchive

/// What is written into the ZIP, in order.
enum PackStep: Sendable {
  case begin(ZipEntry)
  case part(EntryPart)
  case end
}

/// Data that becomes one chunk of an entry.
struct EntryPart: Sendable {
  enum Data: Sendable {
    case bytes([UInt8])
    case pieces([[UInt8]])
    case slice(SpoolSlice)
  }

  let data: Data
  let effort: ZipEntry.Effort
  let isLast: Bool

  var count: Int {
    switch data {
    case .bytes(let bytes): bytes.count
    case .pieces(let pieces): pieces.reduce(0) { $0 + $1.count }
    case .slice(let slice): slice.length
    }
  }

  /// Deflates it, or finds that it has been deflated already.
  func deflated(by deflater: inout ChunkDeflater) throws -> ZipChunk {
    switch data {
    case .bytes(let bytes): return deflater.chunk(bytes, effort: effort, isLast: isLast)
    case .pieces(let pieces):
      let buffer = deflater.buffer()
      var filled = 0
      for piece in pieces {
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: piece)
        filled += piece.count
      }
      return deflater.chunk(UnsafeRawBufferPointer(rebasing: buffer[..<filled]), effort: effort, isLast: isLast)
    case .slice(let slice):
      if let ahead = try slice.spool.ahead?.chunk(of: slice, isLast: isLast) { return ahead }
      let buffer = deflater.buffer()
      try slice.fill(buffer)
      return deflater.chunk(UnsafeRawBufferPointer(rebasing: buffer[..<slice.length]), effort: effort, isLast: isLast)
    }
  }
}

extension EntryContent {
  /// The part that begins at a place, which is a multiple of a chunk's size; nil at the end.
  func part(at offset: Int, effort: ZipEntry.Effort) -> EntryPart? {
    if offset >= count { return nil }
    let length = min(ZipChunk.size, count - offset)
    return EntryPart(data: data(offset, length), effort: effort, isLast: offset + length == count)
  }

  private func data(_ offset: Int, _ length: Int) -> EntryPart.Data {
    switch self {
    case .bytes(let bytes): .bytes(length == bytes.count ? bytes : Array(bytes[offset..<offset + length]))
    case .spooled(let slice): .slice(SpoolSlice(spool: slice.spool, offset: slice.offset + offset, length: length))
    }
  }
}

extension SpoolSlice {
  /// Reads all of a slice to the beginning of a buffer, which has room for it.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws {
    var done = 0
    while done < length {
      let count = try spool.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<length]), at: offset + done)
      if count == 0 { throw ExportError(.output, "the staging folder lost \(length - done) bytes of a spool") }
      done += count
    }
  }
}
