internal import Checksums
internal import Files
internal import ZipArchive

/// Writes entries in the order in which it is handed them, and keeps the books: sizes, hashes, and what the manifest tells of each file.
///
/// With workers, data is deflated beside it, and waits for its turn in a queue; the books are ahead of the ZIP by what waits there.
struct Packer: ~Copyable {
  private var zip: ZipWriter
  private let sink: any BundleSink
  private let top: String
  private let time: Int64
  private let isStoring: Bool
  private var wholeHasher: SHA256
  private(set) var books: BundleBooks
  private var queue: PackQueue?
  private var streaming: Streaming?
  /// Where a spool's data is read that no worker reads.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  /// A document that comes in pieces.
  private struct Streaming {
    let draft: EntryDraft
    var left: UInt64
    /// Pieces that aren't a part yet, and their bytes.
    var gathered: [[UInt8]] = []
    var count = 0
  }

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
    books = BundleBooks(staging: staging)
    queue = staging.workers.map { PackQueue($0) }
  }

  deinit { buffer.deallocate() }

  // MARK: Items

  /// Packs one item of a source.
  mutating func pack(_ item: PackItem) async throws {
    switch item {
    case .entry(let draft, let content, let digest): try await pack(draft, content, digest)
    case .values(let batch): try await pack(batch)
    case .open(let draft):
      streaming = Streaming(draft: draft, left: draft.size)
      try await add(.begin(entry(draft, at: "data/" + draft.path)))
    case .chunk(let bytes): try await stream(bytes)
    case .close(let digest):
      guard let draft = streaming?.draft else { throw ExportError(.source, "a document ended that had not begun") }
      streaming = nil
      try await add(.end)
      try books.payload(draft, digest)
    }
  }

  private mutating func pack(_ draft: EntryDraft, _ content: EntryContent, _ digest: SHA256Digest) async throws {
    try await write(content, as: entry(draft, at: "data/" + draft.path))
    try books.payload(draft, digest)
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
    try await write(content, as: entry(draft, at: path))
    try books.tag(path, size: content.count, digest: try content.digest())
  }

  private func entry(_ draft: EntryDraft, at path: String) -> ZipEntry {
    let effort: ZipEntry.Effort = isStoring || draft.isCompressed ? .storedBlocks : .normal
    return ZipEntry(path: top + "/" + path, size: draft.size, modified: draft.modified ?? time, effort: effort)
  }

  private mutating func write(_ content: EntryContent, as entry: ZipEntry) async throws {
    try await add(.begin(entry))
    if queue != nil, case .spooled(let slice) = content { await slice.spool.ahead?.settle() }
    var offset = 0
    while let part = content.part(at: offset, effort: entry.effort) {
      try await add(.part(part))
      offset += part.count
    }
    try await add(.end)
  }

  /// Adds a piece of the document that streams. Without workers, the ZIP's writer gathers.
  private mutating func stream(_ bytes: [UInt8]) async throws {
    guard queue != nil, var document = streaming.take() else {
      return try await perform(.part(EntryPart(data: .bytes(bytes), effort: .normal, isLast: false)))
    }
    let effort = entry(document.draft, at: "").effort
    var rest = bytes[...]
    while !rest.isEmpty {
      let size = Int(min(UInt64(ZipChunk.size), document.left))
      let piece = rest.prefix(size - document.count)
      document.gathered.append(piece.count == bytes.count ? bytes : Array(piece))
      document.count += piece.count
      rest = rest.dropFirst(piece.count)
      if document.count < size { break }
      document.left -= UInt64(size)
      try await add(.part(EntryPart(data: .pieces(document.gathered), effort: effort, isLast: document.left == 0)))
      (document.gathered, document.count) = ([], 0)
    }
    streaming = document
  }

  // MARK: Steps

  /// Does a step, or puts it into the queue.
  private mutating func add(_ step: PackStep) async throws {
    guard queue != nil else { return try await perform(step) }
    queue?.add(step)
    if queue?.isFull ?? false { try await send() }
  }

  /// Sends the queue's last parcel, when there is room for it.
  private mutating func send() async throws {
    while true {
      if queue?.isCrowded ?? false { try await performFirst() }
      if queue?.send() ?? true { return }
      guard queue?.hasSent ?? false else { break }
      try await performFirst()
    }
    for step in queue?.takeOpen() ?? [] { try await perform(step) }
  }

  /// Writes the first parcel of the queue, awaiting its chunks.
  private mutating func performFirst() async throws {
    guard var queue = queue.take() else { return }
    let (steps, chunks) = try await queue.takeFirst()
    self.queue = consume queue
    var next = 0
    for step in steps {
      if case .part = step {
        try zip.write(chunks[next])
        next += 1
        try await drain(all: false)
      } else {
        try await perform(step)
      }
    }
  }

  private mutating func perform(_ step: PackStep) async throws {
    switch step {
    case .begin(let entry): return try zip.begin(entry)
    case .part(let part): try await deflate(part)
    case .end: try zip.endEntry()
    }
    try await drain(all: false)
  }

  private mutating func deflate(_ part: EntryPart) async throws {
    switch part.data {
    case .bytes(let bytes): try bytes.withUnsafeBytes { try zip.write($0) }
    case .pieces(let pieces): for piece in pieces { try piece.withUnsafeBytes { try zip.write($0) } }
    case .slice(let slice):
      try await slice.forEachChunk(buffer) { try zip.write($0) }
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
    if queue?.hasOpen ?? false { try await send() }
    while queue?.hasSent ?? false { try await performFirst() }
    try await drain(all: true)
    try await writeDirectory()
    try await drain(all: true)
    return try wholeHasher.finish()
  }

  /// Closes the ZIP. Its directory waits on the disk where it is large: the sink takes it only in turns.
  private mutating func writeDirectory() async throws {
    let directory = books.payloadLines.another()
    var failure: ExportError?
    do throws(ZipError) {
      try zip.finish { bytes in
        do throws(ExportError) { try directory.append(bytes) } catch { failure = error }
        return failure == nil
      }
    } catch { throw failure ?? error as any Error }
    var done = 0
    while done < directory.length {
      let count = try directory.read(into: buffer, at: done)
      if count == 0 { throw ExportError(.output, "the staging folder lost \(directory.length - done) bytes of a spool") }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      wholeHasher.update(bytes)
      try await sink.write(bytes)
      done += count
    }
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
