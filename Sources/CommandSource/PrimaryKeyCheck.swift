internal import AccountExport

/// Whether the primary key that a program declares is one: its values are never null and never come twice. A reader of the bundle checks that,
/// so a claim that isn't proven is withdrawn.
///
/// Up to a bound the keys are remembered, as hashes; beyond it, only whole numbers that go up can be told without memory.
struct PrimaryKeyCheck {
  private let columns: Set<Int>
  private var isProven: Bool
  private var seen: Set<Int> = []
  private var rowHash = Hasher()
  private var isRowKnown = true
  private var goesUp: Bool
  private var last: Int64?

  private static let remembered = 100_000

  /// - Parameter columns: The key's columns; none where no key is declared.
  init(_ columns: [Int]) {
    self.columns = Set(columns)
    isProven = !columns.isEmpty
    goesUp = columns.count == 1
  }

  /// Whether a column is of the key, and the key is still one.
  private func isWatched(_ column: Int) -> Bool { isProven && columns.contains(column) }

  /// A text of the row, or null.
  mutating func add(_ column: Int, _ text: UnsafeBufferPointer<UInt8>?) {
    guard isWatched(column) else { return }
    goesUp = false
    guard let text else { return isRowKnown = false }
    rowHash.combine(column)
    rowHash.combine(bytes: UnsafeRawBufferPointer(text))
  }

  /// A number of the row. Others than whole ones may be equal and written in two ways.
  mutating func add(_ column: Int, number: UnsafeRawBufferPointer) {
    guard isWatched(column) else { return }
    guard case .signed(let value) = WholeNumber(number) else { return isRowKnown = false }
    rowHash.combine(column)
    rowHash.combine(value)
    if let last, value <= last { goesUp = false }
    last = value
  }

  /// A value that is no key's.
  mutating func giveUp(_ column: Int) {
    if isWatched(column) { isRowKnown = false }
  }

  /// Ends a row that was written.
  mutating func endRow(_ records: inout RecordWriter) throws {
    guard isProven else { return }
    if seen.count < Self.remembered {
      if !seen.insert(rowHash.finalize()).inserted { isProven = false }
    } else if !goesUp {
      isProven = false
    }
    if !isRowKnown { isProven = false }
    if !isProven {
      records.withdrawPrimaryKey()
      seen = []
    }
    beginRow()
  }

  /// Begins a row, also after one that was taken back.
  mutating func beginRow() {
    rowHash = Hasher()
    isRowKnown = true
  }
}
