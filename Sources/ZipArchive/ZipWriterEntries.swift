internal import CArchive

extension ZipWriter {
  /// Begins an entry: puts out its local header.
  ///
  /// - Throws: `ZipError` of code `order` inside another entry or after the end; `entry` for a path that is empty, absolute,
  ///   longer than 65,535 bytes or holds a NUL, a folder with a size, a size of 2^63 or more; `library`; the error kept from before.
  public mutating func begin(_ entry: ZipEntry) throws(ZipError) {
    try attempt { writer throws(ZipError) in
      guard case .between = writer.state else { throw ZipError.order("begin", writer.state) }
      try entry.check()
      try writer.describe(entry)
      let streams = zip_seam_streams(writer.seam)
      let before = writer.pendingCount
      zip_seam_prepare(writer.seam, entry.modified.clamped(to: ZipEntry.dosTimes))
      try writer.check(zip_seam_header(writer.seam, writer.archive, writer.entry), "archive_write_header", entry: entry.path)
      try writer.checkHeader(of: entry, from: before, streams: streams)
      writer.level = writer.options.level(for: entry.effort)
      writer.gathered.removeAll()
      writer.state = .inside(path: entry.path, declared: entry.size, written: 0)
    }
  }

  /// Takes the next bytes of the entry's data.
  ///
  /// - Throws: `ZipError` of code `order` outside of an entry; `size` for more bytes than were declared; `library`; the error
  ///   kept from before.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ZipError) {
    try attempt { writer throws(ZipError) in
      guard case .inside(let path, let declared, let written) = writer.state else { throw ZipError.order("write", writer.state) }
      guard UInt64(bytes.count) <= declared - written else {
        throw ZipError(.size, entry: path, detail: "more than the \(declared) bytes declared")
      }
      try writer.deflate(bytes, path: path, left: declared - written + UInt64(writer.gathered.count))
      writer.state = .inside(path: path, declared: declared, written: written + UInt64(bytes.count))
    }
  }

  /// Ends the entry: puts out the rest of its data and its data descriptor.
  ///
  /// - Throws: `ZipError` of code `order` outside of an entry; `size` when fewer bytes were written than declared; `library`; the
  ///   error kept from before.
  public mutating func endEntry() throws(ZipError) {
    try attempt { writer throws(ZipError) in
      guard case .inside(let path, let declared, let written) = writer.state else { throw ZipError.order("endEntry", writer.state) }
      guard written == declared else {
        throw ZipError(.size, entry: path, detail: "\(declared) bytes declared, \(written) written")
      }
      try writer.check(zip_seam_finish_entry(writer.seam, writer.archive), "archive_write_finish_entry", entry: path)
      writer.state = .between
    }
  }

  /// Takes the entry's next chunk, deflated by a deflater with this writer's options.
  ///
  /// - Throws: as `write(_:)`; `order` for a chunk that isn't a whole one, or is the last before the entry's end or none at it.
  package mutating func write(_ chunk: ZipChunk) throws(ZipError) {
    try attempt { writer throws(ZipError) in
      guard case .inside(let path, let declared, let written) = writer.state else { throw ZipError.order("write", writer.state) }
      let end = written + UInt64(chunk.plainCount)
      guard end <= declared else { throw ZipError(.size, entry: path, detail: "more than the \(declared) bytes declared") }
      guard writer.gathered.count == 0, chunk.isLast == (end == declared), chunk.isLast || chunk.plainCount == ZipChunk.size else {
        throw ZipError(.order, entry: path, detail: "a chunk of \(chunk.plainCount) bytes at byte \(written) of \(declared)")
      }
      if chunk.plainCount > 0 {
        try chunk.bytes.withBytes { (bytes) throws(ZipError) in
          try writer.hand(
            over: ChunkInPlace(
              plainCount: chunk.plainCount, crc: chunk.crc, isStored: chunk.isStored, isLast: chunk.isLast, bytes: bytes), path: path)
        }
      }
      writer.state = .inside(path: path, declared: declared, written: end)
    }
  }

  /// Deflates data whenever there is a chunk of it: a whole one, or all that is left of the entry.
  private mutating func deflate(_ bytes: UnsafeRawBufferPointer, path: String, left: UInt64) throws(ZipError) {
    guard zip_seam_is_built() else { return try deflateByArchive(bytes, path: path) }
    var (rest, left) = (bytes, left)
    while !rest.isEmpty {
      let size = Int(min(UInt64(ZipChunk.size), left))
      if gathered.count == 0 && rest.count >= size {
        try deflateChunk(rest.part(0, size), path: path, isLast: UInt64(size) == left)
        rest = rest.part(size, rest.count - size)
      } else {
        let taken = gathered.take(rest.part(0, min(rest.count, size - gathered.count)))
        rest = rest.part(taken, rest.count - taken)
        if gathered.count < size { return }
        try deflateChunk(gathered.bytes, path: path, isLast: UInt64(size) == left)
        gathered.removeAll()
      }
      left -= UInt64(size)
    }
  }

  private mutating func deflateChunk(_ bytes: UnsafeRawBufferPointer, path: String, isLast: Bool) throws(ZipError) {
    try hand(over: deflater.inPlace(bytes, level: level, isLast: isLast), path: path)
  }

  private func hand(over chunk: ChunkInPlace, path: String) throws(ZipError) {
    var handed = zip_chunk(
      plain_count: chunk.plainCount, crc: chunk.crc, bytes: chunk.bytes.baseAddress, count: chunk.bytes.count,
      is_stored: chunk.isStored, is_last: chunk.isLast)
    try checkWritten(zip_seam_chunk(seam, archive, &handed), of: chunk.plainCount, path: path)
  }

  /// Where the seam isn't built, libarchive deflates as it does by itself. It counts what it hands to zlib in 32 bits.
  private func deflateByArchive(_ bytes: UnsafeRawBufferPointer, path: String) throws(ZipError) {
    var rest = bytes
    while !rest.isEmpty {
      let piece = min(rest.count, 1 << 30)
      try checkWritten(zip_seam_data(archive, rest.baseAddress, piece), of: piece, path: path)
      rest = rest.part(piece, rest.count - piece)
    }
  }

  private func checkWritten(_ written: la_ssize_t, of count: Int, path: String) throws(ZipError) {
    if written < 0 { try check(CInt(truncatingIfNeeded: written), "archive_write_data", entry: path) }
    guard written == count else {
      throw ZipError(.library, entry: path, detail: "archive_write_data: \(written) of \(count) bytes")
    }
  }

  private func describe(_ entry: ZipEntry) throws(ZipError) {
    let handle = self.entry
    archive_entry_clear(handle)
    // Plain ASCII needs none of the tables that libarchive would set up, anew for each name, to turn UTF-8 into the locale's. Shift JIS has two
    // of its characters elsewhere.
    if entry.path.utf8.allSatisfy({ $0 < 0x7E && $0 != UInt8(ascii: "\\") }) {
      archive_entry_set_pathname(handle, entry.path)
    } else {
      archive_entry_set_pathname_utf8(handle, entry.path)
    }
    archive_entry_set_filetype(handle, entry.isFolder ? zip_folder() : zip_regular_file())
    archive_entry_set_perm(handle, mode_t(entry.mode & 0o7777))
    archive_entry_set_size(handle, Int64(entry.size))
    // 0 and 0 rather than the user's own, so that bytes are the same whoever exports; libarchive writes the field regardless.
    archive_entry_set_uid(handle, 0)
    archive_entry_set_gid(handle, 0)
    if ZipEntry.timestamps.contains(entry.modified) { archive_entry_set_mtime(handle, time_t(entry.modified), 0) }
  }

  /// Makes sure that the name went out as it was given (libarchive passes it through conversions that depend on the locale)
  /// and that the seam was asked for the level and the date.
  private func checkHeader(of entry: ZipEntry, from start: Int, streams: UInt64) throws(ZipError) {
    var path = entry.path
    let isWhole = path.withUTF8 { path in
      withPending { bytes in
        bytes.count - start >= 30 + path.count && bytes.part(start + 30, path.count).equals(UnsafeRawBufferPointer(path))
          && bytes.number(UInt16.self, at: start + 26) == path.count
      }
    }
    guard isWhole else { throw ZipError(.library, entry: entry.path, detail: "archive_write_header: the name was changed") }
    #if os(Linux)
      guard entry.isFolder || zip_seam_streams(seam) == streams + 1, zip_seam_dates(seam) > 0 else {
        throw ZipError(.library, detail: "libarchive isn't linked statically: neither levels nor times are in our hands")
      }
    #endif
  }
}

extension ZipEntry {
  fileprivate func check() throws(ZipError) {
    let bytes = path.utf8
    guard !bytes.isEmpty, bytes.count <= Int(UInt16.max), bytes.first != UInt8(ascii: "/"), !bytes.contains(0) else {
      throw ZipError(.entry, entry: path, detail: "a path must be relative, without NUL, of 1 to 65,535 bytes")
    }
    guard size <= UInt64(Int64.max) else { throw ZipError(.entry, entry: path, detail: "\(size) bytes are too many") }
    guard size == 0 || !isFolder else { throw ZipError(.entry, entry: path, detail: "a folder has no bytes") }
  }
}

extension Comparable {
  func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}

extension [UInt8] {
  /// The array's bytes, for a body with an error of a type.
  func withBytes<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    try withUnsafeBufferPointer { (buffer) throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}
