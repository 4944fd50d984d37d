/// Finds columns by their keys.
struct ColumnIndex {
  private(set) var names: [[UInt8]]
  private var places: [[UInt8]: Int] = [:]
  private(set) var bytes = 0

  /// Columns that a collection may have, and bytes of their names.
  static let mostColumns = 4096
  static let mostBytes = 1 << 20

  init(_ names: [[UInt8]] = []) {
    self.names = []
    for name in names { _ = add(name) }
  }

  /// Adds a column; false where there are too many.
  mutating func add(_ name: [UInt8]) -> Bool {
    if names.count >= Self.mostColumns || bytes + name.count > Self.mostBytes { return false }
    places[name] = names.count
    names.append(name)
    bytes += name.count
    return true
  }

  /// The column of a key. Where rows are alike it is the one that is expected.
  func find(_ key: UnsafeBufferPointer<UInt8>, expecting expected: Int) -> Int? {
    if expected < names.count && names[expected].elementsEqual(key) { return expected }
    return places[Array(key)]
  }
}
