/// What is kept of one source for the pages.
struct KeptSource: Sendable {
  private let limits: KeptLimits
  private let spool: Spool
  private(set) var collections: [PagedCollection] = []
  private(set) var values: [PagedValue] = []

  init(limits: KeptLimits, staging: StagingFolder) {
    self.limits = limits
    spool = Spool(staging: staging, memoryLimit: 256 << 10)
  }

  /// What a collection that begins may keep: never more than half of what is left, so that something of every collection is kept.
  func tap(_ description: CollectionDescription) -> RowTap {
    RowTap(description, spool: spool, rows: limits.rows, bytes: min(limits.collectionBytes, (limits.sourceBytes - spool.length) / 2))
  }

  mutating func add(_ table: TableDraft, path: String, csv: String?, bytes: Int, tap: inout RowTap) throws {
    guard let content = try tap.finish() else { return }
    collections.append(
      PagedCollection(
        description: table.description, path: path, bytes: bytes, csv: csv, rows: table.rows, keptRows: tap.keptRows, content: content,
        kinds: table.kinds, months: tap.months.total > 0 ? tap.months : nil, dateColumn: tap.dateColumn))
  }

  /// Keeps a file of one value whole, or only that it is there.
  mutating func add(value content: SpoolSlice, title: String, path: String) throws {
    var kept: KeptBytes?
    if content.length <= min(limits.valueBytes, (limits.sourceBytes - spool.length) / 2) {
      let start = spool.length
      try content.copy(to: spool)
      kept = KeptBytes(slice: SpoolSlice(spool: spool, offset: start, length: content.length))
    }
    values.append(PagedValue(title: title, path: path, bytes: content.length, content: kept))
  }
}

extension SpoolSlice {
  /// Appends these bytes to another spool.
  fileprivate func copy(to other: Spool) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var done = 0
    while done < length {
      let count = try KeptBytes(slice: self).read(into: buffer, at: done)
      try other.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      done += count
    }
  }
}
