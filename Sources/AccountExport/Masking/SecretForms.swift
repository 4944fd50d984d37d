/// Texts that are secrets whatever stands beside them: they wholly are a known form of password hash, token or private key.
package enum SecretForms {
  /// Whether a text is of such a form. Cheap for every other text: the first byte decides.
  package static func matches(_ whole: UnsafeBufferPointer<UInt8>) -> Bool {
    guard whole.count >= 16, let first = whole.first, firstBytes.contains(first) else { return false }
    // White space behind it makes it no less a secret.
    guard let end = whole.lastIndex(where: { $0 > 0x20 }), end >= 15 else { return false }
    let text = UnsafeBufferPointer(rebasing: whole[...end])
    switch first {
    case UInt8(ascii: "$"): return isModularHash(text)
    case UInt8(ascii: "e"): return isToken(text)
    case UInt8(ascii: "-"): return isPrivateKey(text)
    case UInt8(ascii: "p"), UInt8(ascii: "s"), UInt8(ascii: "{"): return isNamedHash(text)
    default: return false
    }
  }

  private static let firstBytes = Array("$e-ps{".utf8)

  /// `$2b$…` (bcrypt), `$argon2id$…`, `$P$…` (phpass), `$1$ $5$ $6$ $y$ $7$` (crypt), `$scrypt$…`, `$pbkdf2…`.
  private static func isModularHash(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= 1024, let end = text.dropFirst().firstIndex(of: UInt8(ascii: "$")), !hasSpace(text) else { return false }
    let scheme = text[1..<end]
    let rest = text.count - end - 1
    if equals(scheme, "2") || equals(scheme, "2a") || equals(scheme, "2b") || equals(scheme, "2x") || equals(scheme, "2y") {
      return text.count >= 59 && rest >= 55
    }
    if begins(scheme, "argon2") || begins(scheme, "pbkdf2") { return rest >= 20 }
    if equals(scheme, "scrypt") || equals(scheme, "s0") { return rest >= 20 }
    if equals(scheme, "P") || equals(scheme, "H") { return text.count == 34 }
    if equals(scheme, "1") || equals(scheme, "5") || equals(scheme, "6") || equals(scheme, "y") || equals(scheme, "7") {
      guard let salt = text[(end + 1)...].firstIndex(of: UInt8(ascii: "$")) else { return false }
      return text.count - salt - 1 >= 22
    }
    return false
  }

  /// Django's and others' `pbkdf2_sha256$…`, `scrypt:…`, LDAP's `{SSHA}…`, `{CRYPT}…`.
  private static func isNamedHash(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.count > 1024 || hasSpace(text) { return false }
    let all = text[...]
    if begins(all, "pbkdf2_") || begins(all, "pbkdf2:") || begins(all, "scrypt:") || begins(all, "scrypt$") {
      return text.count { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: ":") } >= 2 && text.count >= 32
    }
    return begins(all, "{SSHA") || begins(all, "{SHA}") || begins(all, "{CRYPT}")
  }

  /// A signed JSON Web Token (RFC 7519): three base64url parts, the first two of which begin like a JSON object.
  private static func isToken(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard begins(text[...], "eyJ"), text.count <= 16384 else { return false }
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, begins(parts[1], "eyJ"), parts[0].count >= 8, parts[1].count >= 8, parts[2].count >= 10 else { return false }
    return parts.allSatisfy { $0.allSatisfy(isBase64URL) }
  }

  /// A private key as PEM (RFC 7468), of any kind.
  private static func isPrivateKey(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard begins(text[...], "-----BEGIN "), text.count <= 65536 else { return false }
    let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return contains(line, "PRIVATE KEY-----") || contains(line, "PRIVATE KEY BLOCK-----")
  }

  private static func hasSpace(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.contains { $0 <= 0x20 } }

  private static func isBase64URL(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func begins(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { text.starts(with: $0) }
  }

  private static func equals(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ other: StaticString) -> Bool {
    other.withUTF8Buffer { text.elementsEqual($0) }
  }

  private static func contains(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ part: StaticString) -> Bool {
    part.withUTF8Buffer { part in text.indices.contains { text[$0...].starts(with: part) } }
  }
}
