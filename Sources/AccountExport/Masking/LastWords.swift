/// The words that names may end with, for telling at little cost that a text is no name of interest: texts that may name a value come in each row.
struct LastWords: Sendable {
  private var hashes: Set<UInt64> = []
  private var endings: [[UInt8]] = []
  /// Whether a number may be the last word.
  private var hasNumbers = false

  mutating func add(_ word: String) {
    if isNumber(word) { hasNumbers = true }
    var hash = Self.seed
    for byte in word.utf8 { hash = Self.mix(hash, byte) }
    hashes.insert(hash)
  }

  mutating func add(ending: String) { endings.append(Array(ending.utf8)) }

  /// Whether a text ends with one of the words, numbers and marks behind it left out. Where its last letter isn't of ASCII, it may.
  func mayEnd(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if hasNumbers { return true }
    guard let last = text.lastIndex(where: { Self.isLetter($0) }) else { return false }
    if text[last] >= 0x80 { return true }
    let isUpper = Self.isUpper(text[last])
    var first = last
    while first > 0, Self.isLetter(text[first - 1]), text[first - 1] < 0x80, Self.isUpper(text[first - 1]) == isUpper { first -= 1 }
    // The capital that a word begins with; and what is beyond ASCII may be of the same word.
    if first > 0 && text[first - 1] >= 0x80 { return true }
    if !isUpper, first > 0, Self.isUpper(text[first - 1]) { first -= 1 }
    var hash = Self.seed
    for place in first...last { hash = Self.mix(hash, Self.lower(text[place])) }
    if hashes.contains(hash) { return true }
    return endings.contains { ending in
      ending.count <= last + 1 - first && ending.indices.allSatisfy { Self.lower(text[last + 1 - ending.count + $0]) == ending[$0] }
    }
  }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func mix(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

  private static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

  private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 }

  private static func lower(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
}
