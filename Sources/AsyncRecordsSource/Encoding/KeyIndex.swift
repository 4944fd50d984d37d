#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds keys by their bytes as they are written: by looking at each while they are few, then by hashes.
///
/// The bytes stay with the owner, who compares; the hashes are seeded anew in each process, so that nobody can make keys collide.
struct KeyIndex {
  private var newest: [Int: Int] = [:]
  /// For each key, the one before it of the same hash.
  private var previous: [Int] = []

  /// Up to so many keys, looking at each is quicker.
  static let few = 16

  /// How many keys it knows: they are added in order.
  var count: Int { previous.count }

  mutating func removeAll() {
    if previous.isEmpty { return }
    newest.removeAll(keepingCapacity: true)
    previous.removeAll(keepingCapacity: true)
  }

  mutating func add(_ key: UnsafeRawBufferPointer) {
    let hash = Self.hash(key)
    previous.append(newest[hash] ?? -1)
    newest[hash] = previous.count - 1
  }

  func find(_ key: UnsafeRawBufferPointer, isEqual: (Int) -> Bool) -> Int? {
    var candidate = newest[Self.hash(key)] ?? -1
    while candidate >= 0 {
      if isEqual(candidate) { return candidate }
      candidate = previous[candidate]
    }
    return nil
  }

  private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: key)
    return hasher.finalize()
  }
}

extension UnsafeRawBufferPointer {
  /// Whether two runs of bytes are the same.
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return memcmp(mine, theirs, count) == 0
  }
}
