internal import AccountExport
internal import Checksums

/// Hashes as a Content-Security-Policy writes them.
enum ContentHash {
  /// `'sha256-…'` of an element's content.
  static func source(of bytes: [UInt8]) -> String {
    do throws(ChecksumError) {
      var hasher = try SHA256.make()
      bytes.withUnsafeBytes { hasher.update($0) }
      let digits = try hasher.finish().withUnsafeBytes { Base64URL.text($0) }
      // The policy has Base64's first alphabet, and 32 bytes are padded by one sign.
      return "'sha256-" + String(digits.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "='"
    } catch {
      preconditionFailure("no SHA-256 can be made here: \(error)")  // the export itself needs it, and has failed before
    }
  }
}
