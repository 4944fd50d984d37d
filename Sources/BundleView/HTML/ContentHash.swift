internal import Checksums

/// Hashes as a Content-Security-Policy writes them.
enum ContentHash {
  /// `'sha256-…'` of an element's content.
  static func source(of bytes: [UInt8]) -> String {
    do throws(ChecksumError) {
      var hasher = try SHA256.make()
      bytes.withUnsafeBytes { hasher.update($0) }
      let digest = try hasher.finish()
      return "'sha256-" + base64(digest.hex) + "'"
    } catch {
      preconditionFailure("no SHA-256 can be made here: \(error)")  // the export itself needs it, and has failed before
    }
  }

  private static func base64(_ hex: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let digits = hex.utf8.map { UInt32($0 < 0x40 ? $0 - 0x30 : $0 - 0x57) }
    var text: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 6) {
      let group = digits[start..<min(start + 6, digits.count)]
      let bits = group.reduce(0) { $0 << 4 | $1 } << UInt32((6 - group.count) * 4)
      let letters = (group.count * 4 + 5) / 6
      for index in 0..<4 {
        text.append(index < letters ? alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
