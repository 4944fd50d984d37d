internal import Checksums

extension EntryWriter {
  /// Writes a collection once more as CSV, from its finished JSON: so every row has the columns that were found last, too.
  nonisolated(nonsending) mutating func putCSV(of rows: SpoolSlice, _ draft: CSVDraft, path: String) async throws {
    let spool = Spool(staging: staging, memoryLimit: limits.stagedCollection)
    let digest = try await CSVFile.write(rows, draft.labels, to: spool)
    tally.bytes += UInt64(spool.length)
    try await put(EntryDraft(path: path, size: UInt64(spool.length), role: .csv(draft)), .spooled(spool.whole), digest)
  }
}

/// A CSV file in a spool.
private enum CSVFile {
  /// Bytes of JSON between two looks whether others want to go on.
  private static let piece = 64 << 10

  static func write(_ rows: SpoolSlice, _ labels: [String], to spool: Spool) async throws -> SHA256Digest {
    var hasher = try SHA256.forExport()
    var csv = CSVRows()
    csv.output = CSVHeader(columns: labels).line
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
    defer { buffer.deallocate() }
    try await rows.forEachChunk(buffer) { json in
      csv.feed(json)
      try csv.output.withBytes { (bytes) throws(ExportError) in
        hasher.update(bytes)
        try spool.append(bytes)
      }
      csv.output.removeAll(keepingCapacity: true)
      try Task.checkCancellation()
      await Task.yield()
    }
    return try hasher.finish()
  }
}
