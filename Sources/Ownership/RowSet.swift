/// How a store knows a row while it is walked: a rowid, a tuple identifier, or the number of a key that the store keeps. Rows of different tables may
/// have the same.
public typealias RowHandle = UInt64

/// A set of rows of one table, of 11 to 16 bytes each: open addressing in one array, without a heap object per row.
public struct RowSet: Sendable {
  /// How many rows there are.
  public private(set) var count = 0
  private var slots: ContiguousArray<RowHandle> = []  // 0 is an empty slot
  private var holdsZero = false

  // Chosen anew by every process: a database can't be made to have handles that collide.
  private static let seed = UInt64.random(in: .min ... .max)

  /// A set without rows.
  public init() {}

  /// Whether there is no row.
  public var isEmpty: Bool { count == 0 }

  /// Whether a row is there.
  public func contains(_ row: RowHandle) -> Bool {
    if row == 0 { return holdsZero }
    return !slots.isEmpty && slots[slot(of: row)] == row
  }

  /// Adds a row; false where it was there.
  @discardableResult
  public mutating func insert(_ row: RowHandle) -> Bool {
    if row == 0 {
      defer { holdsZero = true }
      count += holdsZero ? 0 : 1
      return !holdsZero
    }
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let slot = slot(of: row)
    if slots[slot] == row { return false }
    slots[slot] = row
    count += 1
    return true
  }

  /// Every row once, in no particular order.
  public func forEach<Failure: Error>(_ body: (RowHandle) throws(Failure) -> Void) throws(Failure) {
    if holdsZero { try body(0) }
    for row in slots where row != 0 { try body(row) }
  }

  /// The rows in ascending order.
  public func sorted() -> [RowHandle] {
    var rows: [RowHandle] = []
    rows.reserveCapacity(count)
    forEach { rows.append($0) }
    rows.sort()
    return rows
  }

  /// Where a row stands or would stand.
  private func slot(of row: RowHandle) -> Int {
    var mixed = row ^ Self.seed
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    mixed ^= mixed >> 31
    var slot = Int(truncatingIfNeeded: mixed.multipliedFullWidth(by: UInt64(slots.count)).high)
    while slots[slot] != 0 && slots[slot] != row { slot = slot + 1 == slots.count ? 0 : slot + 1 }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: 0, count: max(8, old.count + old.count / 2))
    for row in old where row != 0 { slots[slot(of: row)] = row }
  }
}
