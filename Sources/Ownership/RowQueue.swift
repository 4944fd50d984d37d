/// Rows whose keys are still to be followed, by table.
struct RowQueue {
  /// The keys to follow from each table. Rows of a table without any need not wait.
  let keys: [[Int]]
  private var rows: [[RowHandle]]
  private var tables: [Int] = []

  init(keys: [[Int]]) {
    self.keys = keys
    rows = Array(repeating: [], count: keys.count)
  }

  /// For the way down, from rows to those that refer to them and are the same person's.
  init(plan: OwnershipPlan) {
    self.init(keys: plan.schema.keysTo.map { $0.filter(plan.directions.goesDown) })
  }

  mutating func append(_ row: RowHandle, of table: Int) {
    if keys[table].isEmpty { return }
    if rows[table].isEmpty { tables.append(table) }
    rows[table].append(row)
  }

  /// All waiting rows of the table that waits longest, ascending.
  mutating func next() -> (table: Int, rows: [RowHandle])? {
    guard !tables.isEmpty else { return nil }
    let table = tables.removeFirst()
    var found: [RowHandle] = []
    swap(&found, &rows[table])
    found.sort()
    return (table, found)
  }
}

extension Array where Element == RowHandle {
  /// The rows in pieces of at most `size`.
  func forEachBatch(of size: Int, _ body: ([RowHandle]) throws -> Void) rethrows {
    var start = startIndex
    while start < endIndex {
      let end = Swift.min(start + Swift.max(size, 1), endIndex)
      try body(start == startIndex && end == endIndex ? self : Array(self[start..<end]))
      start = end
    }
  }
}
