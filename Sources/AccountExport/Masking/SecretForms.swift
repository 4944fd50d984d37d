/// Texts that are secrets whatever stands beside them: they wholly are a known form of password hash, token or private key.
///
/// The forms are bcrypt, argon2, scrypt, PBKDF2, phpass and crypt(3) as their programs write them, signed and encrypted JSON Web Tokens, and private keys
/// as PEM. Prefixes that single services give their keys are no forms here: they change, and a column of such keys has a name.
package enum SecretForms {
  /// Whether a text may be of such a form by its first byte.
  static func mayBegin(with byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "$"), UInt8(ascii: "-"), UInt8(ascii: "{"), UInt8(ascii: "S"), UInt8(ascii: "a"), UInt8(ascii: "b"),
      UInt8(ascii: "e"),
      UInt8(ascii: "p"), UInt8(ascii: "s"), 0x20, 0x09, 0x0A, 0x0D:
      true
    default: false
    }
  }

  /// Whether a text is of such a form. Cheap for every other text: its first bytes decide.
  package static func matches(_ whole: UnsafeBufferPointer<UInt8>) -> Bool {
    guard whole.count >= 16, mayBegin(with: whole[0]) else { return false }
    // White space around it makes it no less a secret.
    guard let start = whole.firstIndex(where: { $0 > 0x20 }), start + 16 <= whole.count, let form = form(whole[start...]) else {
      return false
    }
    guard let end = whole.lastIndex(where: { $0 > 0x20 }), end - start >= 15 else { return false }
    let text = whole[start...end]
    switch form {
    case .modular: return text.count <= 1024 && !hasSpace(text) && isModularHash(text)
    case .named(let prefix): return text.count <= 1024 && !hasSpace(text) && isNamedHash(text, prefix)
    case .token: return text.count <= 65536 && isToken(text)
    case .key: return text.count <= 65536 && isPrivateKey(text)
    }
  }

  private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  private enum Form {
    case modular
    case named(Int)
    case token, key
  }

  /// How hashes begin that name their algorithm, and how many more `$` or `:` divide their parts.
  private static let names: [(prefix: StaticString, marks: Int)] = [
    ("pbkdf2_sha", 2), ("pbkdf2:sha", 2), ("scrypt:", 3), ("scrypt$", 2), ("SCRAM-SHA-", 3), ("argon2$argon2", 3), ("bcrypt$$2", 2),
    ("bcrypt_sha256$$2", 2), ("{SSHA", 0), ("{SHA", 0), ("{SMD5}", 0), ("{CRYPT}", 0), ("{crypt}", 0), ("{PBKDF2", 0), ("{ARGON2", 0),
    ("{BLF-CRYPT}", 0),
  ]

  /// The form that a text begins like.
  private static func form(_ text: Text) -> Form? {
    guard let first = text.first else { return nil }
    switch first {
    case UInt8(ascii: "$"): return .modular
    case UInt8(ascii: "e"): return begins(text, "ey") || begins(text, "ew") ? .token : nil
    case UInt8(ascii: "-"): return begins(text, "-----BEGIN ") ? .key : nil
    default: return mayBeNamed(first, text[text.startIndex + 1]) ? names.firstIndex { begins(text, $0.prefix) }.map(Form.named) : nil
    }
  }

  /// Most texts are told apart by their second byte.
  private static func mayBeNamed(_ first: UInt8, _ second: UInt8) -> Bool {
    switch (first, second) {
    case (UInt8(ascii: "p"), UInt8(ascii: "b")), (UInt8(ascii: "s"), UInt8(ascii: "c")), (UInt8(ascii: "S"), UInt8(ascii: "C")),
      (UInt8(ascii: "a"), UInt8(ascii: "r")), (UInt8(ascii: "b"), UInt8(ascii: "c")),
      (UInt8(ascii: "{"), UInt8(ascii: "A")...UInt8(ascii: "c")):
      true
    default: false
    }
  }

  /// `$2b$…` (bcrypt), `$argon2id$…`, `$P$…` (phpass), `$1$ $5$ $6$ $y$ $7$` (crypt), `$scrypt$…`, `$pbkdf2…`.
  private static func isModularHash(_ text: Text) -> Bool {
    guard let end = text.dropFirst().firstIndex(of: UInt8(ascii: "$")) else { return false }
    let (scheme, rest) = (text[text.index(after: text.startIndex)..<end], text[(end + 1)...])
    if equals(scheme, "2") || equals(scheme, "2a") || equals(scheme, "2b") || equals(scheme, "2x") || equals(scheme, "2y") {
      // Two digits of cost, then 22 characters of salt and 31 of hash.
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      return digits.count == 2 && rest.count == 56 && rest.dropFirst(2).first == UInt8(ascii: "$") && isHash(rest.dropFirst(3))
    }
    if begins(scheme, "argon2") || begins(scheme, "pbkdf2") || begins(scheme, "bcrypt-sha256") { return rest.count >= 20 }
    if equals(scheme, "scrypt") || equals(scheme, "s0") { return rest.count >= 20 }
    if equals(scheme, "P") || equals(scheme, "H") { return rest.count == 31 && isHash(rest) }
    if equals(scheme, "1") || equals(scheme, "5") || equals(scheme, "6") || equals(scheme, "y") || equals(scheme, "7")
      || equals(scheme, "gy")
    {
      // A salt, and the hash behind the last mark: prices in a row have nothing so long.
      guard let mark = rest.lastIndex(of: UInt8(ascii: "$")), mark > rest.startIndex else { return false }
      return rest[(mark + 1)...].count >= 22 && isHash(rest[(mark + 1)...])
    }
    return false
  }

  /// Django's and others' `pbkdf2_sha256$…`, `scrypt:…`, LDAP's `{SSHA}…`, `{CRYPT}…`.
  private static func isNamedHash(_ text: Text, _ name: Int) -> Bool {
    let (prefix, marks) = names[name]
    if marks > 0 {
      return text.count >= 32
        && text.dropFirst(prefix.utf8CodeUnitCount - 1).count { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: ":") } >= marks
    }
    guard let end = text.firstIndex(of: UInt8(ascii: "}")), end - text.startIndex <= 20 else { return false }
    return text.endIndex - end > 20
  }

  /// A JSON Web Token (RFC 7519): the parts of a signed (three) or an encrypted one (five), base64url, of which the first holds a JSON object
  /// that names its algorithm. Where the first two both begin like objects, it is one without further look.
  private static func isToken(_ text: Text) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 5, let header = parts.first, let last = parts.last, header.count >= 8, last.count >= 10 else {
      return false
    }
    guard parts.allSatisfy({ $0.allSatisfy { base64URLValue($0) != nil } }) else { return false }
    if parts.count == 3 && begins(header, "eyJ") && begins(parts[1], "eyJ") && parts[1].count >= 8 { return true }
    return namesAlgorithm(header)
  }

  /// Whether a token's header is an object with a member `alg`.
  private static func namesAlgorithm(_ header: Text) -> Bool {
    if header.count > 8192 { return false }
    var decoded: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in header {
      bits = bits << 6 | UInt32(base64URLValue(byte) ?? 0)
      count += 6
      if count >= 8 {
        count -= 8
        decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    guard decoded.first == UInt8(ascii: "{"), decoded.last(where: { $0 > 0x20 }) == UInt8(ascii: "}") else { return false }
    return decoded.withUnsafeBufferPointer { contains($0[...], #""alg""#) }
  }

  /// A private key as PEM (RFC 7468), of any kind, also behind its certificate.
  private static func isPrivateKey(_ text: Text) -> Bool {
    text.split(separator: UInt8(ascii: "\n")).contains { line in
      begins(line, "-----BEGIN ") && (contains(line, "PRIVATE KEY-----") || contains(line, "PRIVATE KEY BLOCK-----"))
    }
  }

  private static func hasSpace(_ text: Text) -> Bool { text.contains { $0 <= 0x20 } }

  /// The alphabet of crypt(3).
  private static func isHash(_ text: Text) -> Bool {
    text.allSatisfy { byte in
      switch byte {
      case 0x2E...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: false
      }
    }
  }

  private static func base64URLValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }

  private static func begins(_ text: Text, _ prefix: StaticString) -> Bool {
    text.count >= prefix.utf8CodeUnitCount && prefix.withUTF8Buffer { text.starts(with: $0) }
  }

  private static func equals(_ text: Text, _ other: StaticString) -> Bool {
    other.withUTF8Buffer { text.elementsEqual($0) }
  }

  private static func contains(_ text: Text, _ part: StaticString) -> Bool {
    part.withUTF8Buffer { part in text.indices.contains { text[$0...].starts(with: part) } }
  }
}
