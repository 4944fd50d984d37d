/// What is kept of the entries gone by, to be held against the central directory: 64 bytes each, and the path.
struct ZipRecords {
  /// One entry as its local header and data were.
  struct Record {
    var offset: UInt64
    var compressedSize: UInt64 = 0
    var size: UInt64 = 0
    var timestamp: Int64?
    var pathStart: UInt32
    var crc: UInt32 = 0
    var dosTime: UInt32
    var pathCount: UInt16
    var flags: UInt16
    var method: UInt16
    var version: UInt16
    var timestampFlags: UInt8
    /// Whether the path begins with `top`, which isn't kept for each.
    var isBelowTop = false
  }

  private(set) var records: [Record] = []
  /// The paths, one behind the other, each without the folder that all entries of most ZIPs lie in: what the first path has before its first slash.
  private var paths: [UInt8] = []
  private var top: [UInt8]?
  /// Open addressing: indices into `records` plus 1, by hash of path; 0 is free.
  private var slots: [UInt32] = []

  var count: Int { records.count }

  subscript(index: Int) -> Record { records[index] }

  /// Adds an entry.
  ///
  /// - Returns: the index of the entry that has the same path already, if there is one.
  mutating func append(_ record: Record, path: ArraySlice<UInt8>, limits: ZipLimits) throws(ZipError) -> Int? {
    guard count < min(limits.entries, Int(UInt32.max) - 1) else { throw ZipError(.limit, detail: "more than \(count) entries") }
    guard path.count <= limits.pathBytes else { throw ZipError(.limit, detail: "a path of \(path.count) bytes") }
    guard path.count <= min(limits.allPathBytes, Int(UInt32.max)) - paths.count else {
      throw ZipError(.limit, detail: "paths of more than \(paths.count) bytes")
    }
    var record = record
    let top = top ?? Array(path.prefix { $0 != UInt8(ascii: "/") }) + [UInt8(ascii: "/")]
    self.top = top
    record.isBelowTop = path.starts(with: top)
    let rest = record.isBelowTop ? path.dropFirst(top.count) : path
    record.pathStart = UInt32(paths.count)
    record.pathCount = UInt16(rest.count)
    growSlots()
    let (slot, earlier) = path.withUnsafeBytes { find($0) }
    if earlier == nil { slots[slot] = UInt32(count + 1) }
    paths.append(contentsOf: rest)
    records.append(record)
    return earlier
  }

  /// Sets what is known only after the data of the last entry.
  mutating func completeLast(size: UInt64, compressedSize: UInt64, crc: UInt32) {
    records[records.count - 1].size = size
    records[records.count - 1].compressedSize = compressedSize
    records[records.count - 1].crc = crc
  }

  /// Calls `body` with an entry's path.
  func withPath<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    var path: [UInt8] = []
    let (top, rest) = parts(of: index)
    path.reserveCapacity(top.count + rest.count)
    path.append(contentsOf: top)
    path.append(contentsOf: rest)
    return path.withUnsafeBytes(body)
  }

  /// Whether an entry has a path, without putting it together.
  func isPath(_ path: UnsafeRawBufferPointer, of index: Int) -> Bool {
    let (top, rest) = parts(of: index)
    guard path.count == top.count + rest.count else { return false }
    return top.withUnsafeBytes { path.part(0, $0.count).equals($0) }
      && rest.withUnsafeBytes { path.part(top.count, $0.count).equals($0) }
  }

  private func parts(of index: Int) -> (top: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    let record = records[index]
    let start = Int(record.pathStart)
    return (record.isBelowTop ? (top ?? [])[...] : [], paths[start..<start + Int(record.pathCount)])
  }

  /// The index of the entry whose local header lies at an offset.
  func index(offset: UInt64) -> Int? {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = low + (high - low) / 2
      if records[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low].offset == offset ? low : nil
  }

  /// The slot where a path is, or would be, and the entry that is there.
  private func find(_ path: UnsafeRawBufferPointer) -> (slot: Int, index: Int?) {
    // Seeded per process, so that nobody can prepare paths that collide.
    var hasher = Hasher()
    hasher.combine(bytes: path)
    var slot = Int(UInt(bitPattern: hasher.finalize()) & UInt(slots.count - 1))
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if isPath(path, of: index) { return (slot, index) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return (slot, nil)
  }

  /// Keeps at least a third of the slots free.
  private mutating func growSlots() {
    guard 3 * (count + 1) > 2 * slots.count else { return }
    slots = Array(repeating: 0, count: max(64, slots.count * 2))
    for index in records.indices {
      let (slot, earlier) = withPath(index) { find($0) }
      if earlier == nil { slots[slot] = UInt32(index + 1) }
    }
  }
}
