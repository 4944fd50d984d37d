/// Decides whether a dictionary's keys can be the keys of one JSON object: all of them well-formed text, and no two equal.
///
/// Keys are compared by Swift's seeded hash first, so that no choice of keys makes this slow. Only one key's text is held at a time: a
/// hostile list can have a million keys of a megabyte each that lie over one another. The buffers are used again for each dictionary.
struct DictionaryKeys {
  private var hashes: [(hash: Int, key: ListObject)] = []
  private var text: [UInt8] = []
  private var other: [UInt8] = []

  /// Empties the buffers for another dictionary.
  mutating func begin() { hashes.removeAll(keepingCapacity: true) }

  /// Takes a key; false where it is no well-formed text. `budget` pays for looking at it.
  mutating func add(_ key: ListObject, of table: ObjectTable, _ budget: inout Budget) throws(PropertyListError) -> Bool {
    var hasher = Hasher()
    switch key {
    case .text(let range):
      try budget.take(bytes: range.count, at: range.lowerBound)
      let bytes = table.slice(range)
      guard isWellFormedUTF8(bytes.span) else { return false }
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    case .utf16(let range):
      try budget.take(bytes: range.count, at: range.lowerBound)
      text.removeAll(keepingCapacity: true)
      guard table.appendText(key, to: &text) == true else { return false }
      text.withUnsafeBytes { hasher.combine(bytes: $0) }
    default:
      return false
    }
    hashes.append((hasher.finalize(), key))
    return true
  }

  /// Whether all keys taken are different.
  mutating func areDifferent(in table: ObjectTable) -> Bool {
    hashes.sort { $0.hash < $1.hash }
    var index = 1
    while index < hashes.count {
      if hashes[index].hash == hashes[index - 1].hash, areEqual(hashes[index].key, hashes[index - 1].key, table) { return false }
      index += 1
    }
    return true
  }

  private mutating func areEqual(_ one: ListObject, _ two: ListObject, _ table: ObjectTable) -> Bool {
    text.removeAll(keepingCapacity: true)
    other.removeAll(keepingCapacity: true)
    _ = table.appendText(one, to: &text)
    _ = table.appendText(two, to: &other)
    return text == other
  }
}
