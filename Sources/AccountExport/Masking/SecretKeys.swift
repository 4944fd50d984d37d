/// Whether keys name secrets, remembered for the keys that come again and again: a JSON column has few, and each in every row.
package struct SecretKeys: Sendable {
  private struct Known {
    var key: [UInt8] = []
    var isSecret = false
    var isFilled = false
  }

  private var known = [Known](repeating: Known(), count: 256)

  /// No key yet.
  package init() {}

  /// Whether a key names a secret.
  package mutating func isSecret(_ key: UnsafeBufferPointer<UInt8>, _ rules: SecretRules) -> Bool {
    var hash: UInt32 = 2_166_136_261
    for byte in key { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let slot = Int((hash >> 8 ^ hash) & 255)
    if known[slot].isFilled && known[slot].key.elementsEqual(key) { return known[slot].isSecret }
    let isSecret = rules.isSecret(name: String(decoding: key, as: UTF8.self))
    if key.count <= 256 { known[slot] = Known(key: Array(key), isSecret: isSecret, isFilled: true) }
    return isSecret
  }
}
