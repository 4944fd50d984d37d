/// What names say, remembered for those that come again and again: a JSON column has few, and each in every row.
struct NameCache<Facts: Sendable>: Sendable {
  private struct Known: Sendable {
    var name: [UInt8]
    var facts: Facts
  }

  private var known: [Known?] = []

  /// What a name says; `tell` is asked where it isn't remembered.
  /// - Parameter longest: Names of more bytes are not remembered.
  mutating func facts(_ name: UnsafeBufferPointer<UInt8>, longest: Int, _ tell: (String) -> Facts) -> Facts {
    if known.isEmpty { known = [Known?](repeating: nil, count: 256) }
    var hash: UInt32 = 2_166_136_261
    for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let slot = Int((hash >> 8 ^ hash) & 255)
    if let found = known[slot], found.name.elementsEqual(name) { return found.facts }
    let facts = tell(String(decoding: name, as: UTF8.self))
    if name.count <= longest { known[slot] = Known(name: Array(name), facts: facts) }
    return facts
  }
}
