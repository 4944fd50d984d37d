/// Which row has which key: hashes in order, 12 bytes a row.
struct KeyIndex {
  private var hashes: [UInt64] = []
  private var rows: [UInt32] = []
  private var isSorted = false

  mutating func add(_ hash: UInt64, row: Int) {
    hashes.append(hash)
    rows.append(UInt32(row))
  }

  mutating func sort() {
    let order = hashes.indices.sorted { (hashes[$0], $0) < (hashes[$1], $1) }
    (hashes, rows) = (order.map { hashes[$0] }, order.map { rows[$0] })
    isSorted = true
  }

  /// The first row that has a key.
  func row(_ hash: UInt64) -> Int? {
    precondition(isSorted || hashes.isEmpty, "an index is sorted before it is asked")
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == hash ? Int(rows[low]) : nil
  }
}

/// FNV-1a, 64 bits, a byte at a time.
enum FNV1a {
  static let basis: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  static func add(_ byte: UInt8, to hash: UInt64) -> UInt64 { (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}

/// Hashes of keys by their written form: a number and a text that says it are one key.
enum KeyHash {
  static let seed = FNV1a.basis

  /// Takes a value of a key into a hash; nil where it is none that a key can have.
  static func add(_ value: UnsafeRawBufferPointer, to hash: UInt64) -> UInt64? {
    guard let first = value.first else { return nil }
    let isText = first == UInt8(ascii: "\"")
    // Null, objects and arrays refer to nothing.
    if !isText && first != UInt8(ascii: "-") && !(0x30...0x39 ~= first) { return nil }
    return add(text: isText ? JSONText.inside(value) : value, to: hash)
  }

  /// Takes what stands between a text's quotes into a hash.
  static func add(text: UnsafeRawBufferPointer, to hash: UInt64) -> UInt64 {
    var hash = hash
    for byte in text { hash = FNV1a.add(byte, to: hash) }
    return FNV1a.add(0xFF, to: hash)
  }

  /// The hash of a key of several columns.
  static func of(_ columns: [Int], _ values: [UnsafeRawBufferPointer]) -> UInt64? {
    var hash = seed
    for column in columns {
      guard column < values.count, let next = add(values[column], to: hash) else { return nil }
      hash = next
    }
    return hash
  }
}
