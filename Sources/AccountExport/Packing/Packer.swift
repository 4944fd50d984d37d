internal import Checksums
internal import Files
internal import ZipArchive

/// Writes entries in the order in which it is handed them, and keeps the books: sizes, hashes, and what the manifest tells of each file.
struct Packer: ~Copyable {
  private var zip: ZipWriter
  private let sink: any BundleSink
  private let top: String
  private let time: Int64
  private let buffer: UnsafeMutableRawBufferPointer
  private let isStoring: Bool
  private var wholeHasher: SHA256
  var books: BundleBooks
  private var streaming: EntryDraft?

  /// Bytes that may wait before they go to the sink.
  private let block: Int

  init(
    sink: any BundleSink, top: String, time: Timestamp, level: CompressionLevel, block: Int, staging: StagingFolder
  ) throws {
    let zip = try ZipWriter.make(options: ZipOptions(level: level.zip))
    let hasher = try SHA256.forExport()
    self.zip = zip
    wholeHasher = hasher
    isStoring = level == .stored
    (self.sink, self.top, self.time, self.block) = (sink, top, time.seconds, max(1, block))
    buffer = .allocate(byteCount: 256 << 10, alignment: 16)
    books = BundleBooks(staging: staging)
  }

  deinit { buffer.deallocate() }

  /// Packs one item of a source.
  mutating func pack(_ item: PackItem) async throws {
    switch item {
    case .entry(let draft, let content, let digest): try await pack(draft, content, digest)
    case .values(let batch): try await pack(batch)
    case .open(let draft):
      try begin(draft, at: "data/" + draft.path)
      streaming = draft
    case .chunk(let bytes):
      try bytes.withUnsafeBytes { try zip.write($0) }
      try await drain(all: false)
    case .close(let digest):
      guard let draft = streaming else { throw ExportError(.source, "a document ended that had not begun") }
      streaming = nil
      try zip.endEntry()
      try books.payload(draft, digest)
    }
  }

  private mutating func pack(_ draft: EntryDraft, _ content: EntryContent, _ digest: SHA256Digest) async throws {
    try begin(draft, at: "data/" + draft.path)
    try await write(content)
    try zip.endEntry()
    try books.payload(draft, digest)
    try await drain(all: false)
  }

  private mutating func pack(_ batch: ValueBatch) async throws {
    var offset = 0
    for (index, (length, digest)) in Swift.zip(batch.lengths, batch.digests).enumerated() {
      if !batch.dropped.contains(index) {
        let draft = EntryDraft(path: batch.path(index + 1), size: UInt64(length), role: .value)
        try await pack(draft, .spooled(SpoolSlice(spool: batch.spool, offset: offset, length: length)), digest)
      }
      offset += length
    }
  }

  /// Packs a file beside `data/`, which the tag manifest covers.
  mutating func packTag(_ path: String, _ content: EntryContent) async throws {
    let draft = EntryDraft(path: path, size: UInt64(content.count), role: .value)
    try begin(draft, at: path)
    try await write(content)
    try zip.endEntry()
    try books.tag(path, size: content.count, digest: try content.digest())
    try await drain(all: false)
  }

  private mutating func begin(_ draft: EntryDraft, at path: String) throws {
    let effort: ZipEntry.Effort = isStoring || draft.isCompressed ? .storedBlocks : .normal
    try zip.begin(ZipEntry(path: top + "/" + path, size: draft.size, modified: draft.modified ?? time, effort: effort))
  }

  private mutating func write(_ content: EntryContent) async throws {
    switch content {
    case .bytes(let bytes):
      try bytes.withUnsafeBytes { try zip.write($0) }
    case .spooled(let slice):
      var done = 0
      while done < slice.length {
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, slice.length - done)])
        let count = try slice.spool.read(into: piece, at: slice.offset + done)
        if count == 0 { throw ExportError(.output, "the staging folder lost \(slice.length - done) bytes of a spool") }
        try zip.write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        done += count
        try await drain(all: false)
      }
    }
  }

  private mutating func drain(all: Bool) async throws {
    if zip.pendingCount < (all ? 1 : block) { return }
    let pending = zip.withPending { $0 }
    wholeHasher.update(pending)
    // The writer is not touched until the sink has taken the bytes, so they stay where they are.
    try await sink.write(pending)
    zip.discardPending()
    try Task.checkCancellation()
  }

  /// Writes the central directory, and gives the hash of the whole ZIP.
  mutating func finish() async throws -> SHA256Digest {
    try zip.finish()
    try await drain(all: true)
    return try wholeHasher.finish()
  }
}

extension EntryContent {
  /// The hash of a content that has none yet.
  func digest() throws -> SHA256Digest {
    switch self {
    case .spooled(let slice): return try slice.digest()
    case .bytes(let bytes):
      var hasher = try SHA256.forExport()
      bytes.withUnsafeBytes { hasher.update($0) }
      return try hasher.finish()
    }
  }
}
