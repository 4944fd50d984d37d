/// Base64 for URLs without padding (RFC 4648, section 5), as JWS writes all its parts.
package enum Base64URL {
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    var (waiting, bits): (UInt32, Int) = (0, 0)
    for byte in bytes {
      (waiting, bits) = (waiting << 8 | UInt32(byte), bits + 8)
      while bits >= 6 {
        bits -= 6
        digits.append(alphabet[Int(waiting >> bits & 63)])
      }
    }
    if bits > 0 { digits.append(alphabet[Int(waiting << (6 - bits) & 63)]) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The bytes of a text; nil where it is not the one way to write them.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (waiting, bits): (UInt32, Int) = (0, 0)
    for digit in text.utf8 {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      (waiting, bits) = (waiting << 6 | UInt32(value), bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: waiting >> bits))
      }
    }
    // Six bits over are a digit too many; others must be zero, or two texts would mean the same.
    return bits < 6 && waiting & (1 << bits - 1) == 0 ? bytes : nil
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
