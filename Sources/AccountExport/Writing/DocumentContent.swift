internal import Checksums

/// The handle of a document's contents: bytes in, in order.
public struct DocumentContent: ~Copyable, Sendable {
  private let lane: Lane<PackItem>?
  private let progress: Progress?
  private let limit: UInt64
  private var bytes: [UInt8] = []
  private var hasher: SHA256
  private var written: UInt64 = 0
  private(set) var changed = false
  private(set) var changedLength: UInt64?

  /// Bytes pushed so far; more than the declared size count, but aren't kept where the document streams.
  public private(set) var length: UInt64 = 0

  /// Whether what is pushed waits in memory until the document is whole: only then it can be read again.
  public var isStaged: Bool { lane == nil }

  init(staging limit: Int, expecting size: Int) throws {
    (lane, progress) = (nil, nil)
    self.limit = UInt64(limit)
    hasher = try SHA256.forExport()
    bytes.reserveCapacity(min(size, limit))
  }

  init(streaming lane: Lane<PackItem>, size: UInt64, progress: Progress) throws {
    self.lane = lane
    self.progress = progress
    limit = size
    hasher = try SHA256.forExport()
  }

  /// Forgets what was pushed, to read a document again that changed meanwhile.
  /// - Returns: false where the document streams, and nothing can be taken back.
  public mutating func restart() -> Bool {
    guard isStaged else { return false }
    bytes.removeAll(keepingCapacity: true)
    length = 0
    (changed, changedLength) = (false, nil)
    return true
  }

  /// Says that the document changed while it was read, so that what is inside may be no state that it ever had.
  /// - Parameter length: Its length now, where it is known.
  public mutating func markChanged(length: UInt64? = nil) {
    changed = true
    changedLength = length
  }

  /// Pushes the next bytes. Waits while the bundle is behind.
  public nonisolated(nonsending) mutating func write(_ piece: UnsafeRawBufferPointer) async throws {
    length += UInt64(piece.count)
    guard let lane else { return stage(piece) }
    let room = limit - written
    let kept = UInt64(piece.count) <= room ? piece : UnsafeRawBufferPointer(rebasing: piece[..<Int(room)])
    if kept.isEmpty { return }
    hasher.update(kept)
    written += UInt64(kept.count)
    progress?.add(items: 0, bytes: UInt64(kept.count))
    try await lane.put(.chunk(Array(kept)), bytes: kept.count, unshared: kept.count)
  }

  /// A document that grew while it was staged is kept up to twice the bound, and is `changed` beyond.
  private mutating func stage(_ piece: UnsafeRawBufferPointer) {
    let room = Int(limit * 2) - bytes.count
    if piece.count > room { markChanged(length: length) }
    bytes.append(contentsOf: piece.prefix(max(0, room)))
  }

  /// Fills a document that came short up with zeros: its size was declared before its data.
  nonisolated(nonsending) mutating func fillUp() async throws {
    guard let lane else { return }
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    while written < limit {
      let piece = Array(zeros.prefix(Int(min(UInt64(zeros.count), limit - written))))
      piece.withUnsafeBytes { hasher.update($0) }
      written += UInt64(piece.count)
      try await lane.put(.chunk(piece), bytes: piece.count, unshared: piece.count)
    }
  }

  /// The hash of what is in the bundle.
  mutating func digest() throws -> SHA256Digest {
    if isStaged { bytes.withUnsafeBytes { hasher.update($0) } }
    return try hasher.finish()
  }

  /// Gives a staged document's bytes away.
  mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes = []
    return taken
  }
}
