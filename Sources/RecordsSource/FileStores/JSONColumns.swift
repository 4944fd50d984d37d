internal import CSVReading

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The keys that rows have, as columns: each in the order in which it came first. A key that comes twice in a row has a column for each time.
struct JSONColumns {
  private var keys: [[UInt8]] = []
  private var slots: [Int32] = Array(repeating: -1, count: 64)
  /// The column of the same key for the next time that it comes in a row.
  private var following: [Int] = []
  /// The column that came last, so that keys that come in the same order each time are found without a search.
  private var last = -1
  /// How many rows have a value for a column.
  private(set) var uses: [Int] = []
  /// Whether there are keys without a column.
  private(set) var hasOthers = false
  /// What was there before the present row.
  private var before = (count: 0, hasOthers: false)

  /// So many keys get columns, if they have no more bytes than the second.
  static let most = 1000
  static let longestKey = 1024

  /// How many columns there are.
  var count: Int { keys.count }

  /// The column of a key, counted from 0.
  mutating func find(_ key: UnsafeRawBufferPointer) -> Int? {
    let guess = last + 1
    if guess < keys.count && Self.isSame(keys[guess], key) {
      last = guess
      return guess
    }
    var slot = Self.hash(key) & (slots.count - 1)
    while slots[slot] >= 0 {
      let column = Int(slots[slot])
      if Self.isSame(keys[column], key) {
        last = column
        return column
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// The column for the next time that a column's key comes in the same row.
  func next(after column: Int) -> Int? { following[column] < 0 ? nil : following[column] }

  /// The key of a column.
  func key(of column: Int) -> [UInt8] { keys[column] }

  /// Begins a row.
  mutating func begin() {
    last = -1
    before = (keys.count, hasOthers)
  }

  /// Takes back the columns that the present row has added, since it can't be read.
  mutating func takeBack() {
    hasOthers = before.hasOthers
    if keys.count == before.count { return }
    let added = keys.count - before.count
    keys.removeLast(added)
    following.removeLast(added)
    uses.removeLast(added)
    for column in following.indices where following[column] >= keys.count { following[column] = -1 }
    last = -1
    fillSlots(slots.count, upTo: keys.count)
  }

  /// Adds a column for a key, of the same key as an earlier one or of a new one; nil where there are too many.
  mutating func add(_ key: UnsafeRawBufferPointer, after earlier: Int?, isAllowed: Bool = true) -> Int? {
    guard isAllowed, keys.count < Self.most, key.count <= Self.longestKey else {
      hasOthers = true
      return nil
    }
    let column = keys.count
    keys.append(Array(key))
    following.append(-1)
    uses.append(0)
    if let earlier {
      following[earlier] = column
      return column
    }
    if 2 * keys.count > slots.count { fillSlots(slots.count * 2, upTo: column) }
    insert(column)
    last = column
    return column
  }

  /// Takes note of a value.
  mutating func use(_ column: Int) { uses[column] += 1 }

  private var duplicates: Set<Int> { Set(following.filter { $0 >= 0 }) }

  /// Makes the slots anew, for the columns before one.
  private mutating func fillSlots(_ count: Int, upTo end: Int) {
    slots = Array(repeating: -1, count: count)
    let duplicates = duplicates
    for column in 0..<end where !duplicates.contains(column) { insert(column) }
  }

  private mutating func insert(_ column: Int) {
    var slot = keys[column].withUnsafeBytes { Self.hash($0) } & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(column)
  }

  @inline(__always)
  private static func isSame(_ known: [UInt8], _ key: UnsafeRawBufferPointer) -> Bool {
    known.count == key.count && (key.isEmpty || known.withUnsafeBytes { memcmp($0.baseAddress!, key.baseAddress!, key.count) == 0 })
  }

  @inline(__always)
  private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32) & Int.max
  }

  // MARK: The rows' keys

  /// What becomes of the columns when all rows are known.
  struct Layout {
    /// The columns that rows have as keys, in order.
    var own: [Int] = []
    /// Whether a column's values stand among the others.
    var isOther: [Bool] = []
    /// The names of those, and of the column for the others where there is one.
    var header = CSVHeader()
    var hasOthers = false
  }

  /// Lays the columns out: all of them, but the rarest where rows have little in common.
  /// - Parameter leftOut: Columns that are not written here.
  func layout(rows: Int, leftOut: Set<Int> = []) -> Layout {
    var own = keys.indices.filter { !leftOut.contains($0) }
    let room = ColumnBudget.columns(rows: rows, values: uses.reduce(0, +))
    if own.count > room {
      own = own.sorted { (-uses[$0], $0) < (-uses[$1], $1) }.prefix(room).sorted()
    }
    var layout = Layout(own: own, isOther: keys.indices.map { !leftOut.contains($0) })
    for column in own {
      layout.isOther[column] = false
      layout.header.add(keys[column], longest: Self.longestKey)
    }
    layout.hasOthers = hasOthers || own.count + leftOut.count < keys.count
    if layout.hasOthers { layout.header.add("other keys") }
    return layout
  }
}
