internal import Checksums

/// The values of one collection that are too large to sit in a row, and the files that rows name: each becomes a file
/// `files/<collection>/<n>.bin`, or of another suffix where it had one.
struct ValueFiles: ~Copyable, Sendable {
  /// One such value, as its row refers to it.
  struct File {
    let path: String
    let length: Int
    let digest: SHA256Digest
  }

  private let base: String
  private let makeSpool: @Sendable () -> Spool
  private(set) var batch: ValueBatch?
  private var hasher: SHA256

  init(base: String, makeSpool: @escaping @Sendable () -> Spool) throws(ExportError) {
    self.base = base
    self.makeSpool = makeSpool
    hasher = try SHA256.forExport()
  }

  /// Adds a value that is whole.
  mutating func add(_ bytes: UnsafeRawBufferPointer) throws -> File {
    let spool = openBatch().spool
    hasher.reset()
    hasher.update(bytes)
    try spool.append(bytes)
    return try close(length: bytes.count)
  }

  /// Adds a value that comes in pieces.
  mutating func add(count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> File {
    try close(length: try copy(exactly: count, read))
  }

  /// Adds a file of any length, under a suffix of its own.
  mutating func add(suffix: String?, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> File {
    let length = try copy(exactly: nil, read)
    let place = count
    if let suffix { batch?.suffixes[place] = suffix }
    return try close(length: length)
  }

  /// Takes the pieces into the spool, and back where they don't come to their end.
  private mutating func copy(exactly count: Int?, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> Int {
    let spool = openBatch().spool
    let start = spool.length
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    hasher.reset()
    var length = 0
    do {
      while length <= count ?? .max {
        let got = try read(buffer)
        if got == 0 { break }
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<got])
        hasher.update(piece)
        try spool.append(piece)
        length += got
      }
      if let count, length != count { throw ExportError(.source, "a value of \(count) bytes came with another length") }
    } catch {
      try spool.truncate(to: start)
      throw error
    }
    return length
  }

  private mutating func openBatch() -> ValueBatch {
    if let batch { return batch }
    let new = ValueBatch(base: base, spool: makeSpool())
    batch = new
    return new
  }

  private mutating func close(length: Int) throws -> File {
    let digest = try hasher.finish()
    batch?.lengths.append(length)
    batch?.digests.append(digest)
    let number = batch?.lengths.count ?? 0
    return File(path: batch?.path(number) ?? "", length: length, digest: digest)
  }

  /// Leaves a value out of the bundle: it turned out to be a secret. Its number stays unused.
  mutating func drop(_ index: Int) { batch?.dropped.insert(index) }

  /// Takes back the values that came after so many: their row was taken back.
  mutating func truncate(to count: Int) throws(ExportError) {
    while let batch, batch.lengths.count > count {
      let spool = batch.spool
      try spool.truncate(to: spool.length - (batch.lengths.last ?? 0))
      self.batch?.lengths.removeLast()
      self.batch?.digests.removeLast()
      self.batch?.dropped.remove(batch.lengths.count - 1)
      self.batch?.suffixes[batch.lengths.count - 1] = nil
    }
  }

  /// How many values there are.
  var count: Int { batch?.lengths.count ?? 0 }
}

/// Large values in a row, 40 bytes each beside their spool.
struct ValueBatch: Sendable {
  let base: String
  let spool: Spool
  var lengths: [Int] = []
  var digests: [SHA256Digest] = []
  /// Values that are not written.
  var dropped: Set<Int> = []
  /// The suffixes of files that had a name, by their place.
  var suffixes: [Int: String] = [:]

  /// Bytes of the values that are written.
  var writtenBytes: UInt64 {
    lengths.indices.reduce(0) { $0 + (dropped.contains($1) ? 0 : UInt64(lengths[$1])) }
  }

  /// The path of a value below `data/`, counted from 1.
  func path(_ number: Int) -> String { "\(base)/\(number).\(suffixes[number - 1] ?? "bin")" }
}
