/// What the pages need of a collection while it is written: its first rows, and the months of all of them.
struct RowTap: Sendable {
  /// Whether rows are kept or their dates counted at all.
  let isActive: Bool
  /// Whether a value may be the one that says when its row is from.
  private(set) var readsDates: Bool
  /// Where the present value begins.
  var valueStart = 0
  private(set) var months = MonthCounts()
  private(set) var keptRows = 0

  /// The column that says when a row is from, as far as one is found.
  private(set) var dateColumn: Int?
  /// Columns that never are.
  private var births: Set<Int> = []
  private var month: MonthCounts.Month?
  /// The begin of the text that was read last (`2024-03-`), and its month: most rows are of the same month as the one before.
  private var lastBegin: UInt64 = 0
  private var lastMonth: MonthCounts.Month?
  private var spool: Spool?
  private let start: Int
  private var rowsLeft: Int, bytesLeft: Int
  private var buffer: [UInt8] = []

  private static let drained = 32 << 10

  /// One that does nothing: there are no pages.
  static let none = RowTap()

  private init() {
    (isActive, readsDates, spool) = (false, false, nil)
    (start, rowsLeft, bytesLeft) = (0, 0, 0)
  }

  /// - Parameters:
  ///   - spool: Where kept rows wait, behind those of other collections.
  ///   - bytes: How many bytes of rows may be kept.
  init(_ description: CollectionDescription, spool: Spool, rows: Int, bytes: Int) {
    (isActive, readsDates, self.spool) = (true, true, spool)
    dateColumn = DateColumn.index(in: description.columns)
    births = Set(description.columns.indices.filter { DateColumn.isBirth(description.columns[$0].name) })
    (start, rowsLeft, bytesLeft) = (spool.length, rows, bytes)
  }

  /// Whether a row of so many bytes is to be kept. After one that isn't, none is: the kept rows are the first ones.
  mutating func wants(_ bytes: Int) -> Bool {
    if rowsLeft > 0 && bytes < bytesLeft { return true }
    rowsLeft = 0
    return false
  }

  mutating func keep(_ row: UnsafeRawBufferPointer) throws(ExportError) {
    buffer.append(contentsOf: row)
    buffer.append(UInt8(ascii: "\n"))
    (rowsLeft, bytesLeft, keptRows) = (rowsLeft - 1, bytesLeft - row.count - 1, keptRows + 1)
    if buffer.count >= Self.drained { try drain() }
  }

  private mutating func drain() throws(ExportError) {
    try buffer.withBytes { (bytes) throws(ExportError) in try spool?.append(bytes) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// The rows that were kept.
  mutating func finish() throws(ExportError) -> KeptBytes? {
    guard let spool else { return nil }
    try drain()
    return KeptBytes(slice: SpoolSlice(spool: spool, offset: start, length: spool.length - start))
  }

  // MARK: Dates

  /// Whether the value of a column is to be read: it is the one that says when, or the first moment of a collection where no name tells.
  @inline(__always)
  func isDate(_ column: Int, _ kind: ValueKinds?) -> Bool {
    column == dateColumn || (dateColumn == nil && kind == .moment && !births.contains(column))
  }

  mutating func read(date value: UnsafeRawBufferPointer, column: Int) {
    dateColumn = column
    if value.count < 12 {
      month = MonthCounts.Month(json: value)
      return
    }
    let begin = value.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
    if begin == lastBegin && value[0] == UInt8(ascii: "\"") {
      month = lastMonth
      return
    }
    month = MonthCounts.Month(json: value)
    if month != nil && value[0] == UInt8(ascii: "\"") { (lastBegin, lastMonth) = (begin, month) }
  }

  /// Counts a row that is complete.
  mutating func endRow() {
    if let month { months.add(month) }
    month = nil
  }

  mutating func forgetRow() { month = nil }
}
