internal import CCrypto

/// A private key of Ed25519 (RFC 8032), by OpenSSL: what makes signatures.
///
/// `@unchecked` because the compiler knows nothing of what the pointer leads to: a key that never changes once it is made, owned by this value
/// alone, which OpenSSL only reads to sign.
public struct Ed25519Key: ~Copyable, @unchecked Sendable {
  private let key: OpaquePointer

  private init(key: OpaquePointer) { self.key = key }

  // OpenSSL clears the key as it frees it.
  deinit { EVP_PKEY_free(key) }

  /// Makes a new key, of OpenSSL's random bytes.
  public static func generate() throws(ChecksumError) -> Ed25519Key {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "ED25519", nil) else { throw ChecksumError.newest("EVP_PKEY_CTX_new_from_name") }
    defer { EVP_PKEY_CTX_free(context) }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_generate(context, &made) == 1, let made else {
      throw ChecksumError.newest("EVP_PKEY_generate")
    }
    return Ed25519Key(key: made)
  }

  /// Reads a key that is written as PEM (RFC 8410: PKCS #8), without a password.
  ///
  /// - Throws: `ChecksumError` when it is none, or another kind of key.
  public static func read(pem: [UInt8]) throws(ChecksumError) -> Ed25519Key {
    let read = try PEM.reading(pem) { PEM_read_bio_PrivateKey_ex($0, nil, { _, _, _, _ in -1 }, nil, nil, nil) }
    guard let read else { throw ChecksumError.newest("PEM_read_bio_PrivateKey") }
    // Owned from here on, so that another kind of key is freed as well.
    let key = Ed25519Key(key: read)
    guard EVP_PKEY_is_a(read, "ED25519") == 1 else { throw ChecksumError("EVP_PKEY_is_a", code: 0) }
    return key
  }

  /// The key as PEM, for a file that none but its owner can read.
  public func pem() throws(ChecksumError) -> [UInt8] {
    try PEM.written { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// What others check signatures with.
  public func publicKey() throws(ChecksumError) -> Ed25519PublicKey { try Ed25519PublicKey(of: key) }

  /// Signs a message. The same message has the same signature every time.
  public func signature(of message: [UInt8]) throws(ChecksumError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw ChecksumError.newest("EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil) == 1 else { throw ChecksumError.newest("EVP_DigestSignInit_ex") }
    var signature = [UInt8](repeating: 0, count: Ed25519PublicKey.signatureBytes)
    var count = signature.count
    guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count else {
      throw ChecksumError.newest("EVP_DigestSign")
    }
    return signature
  }
}

/// A public key of Ed25519: what signatures are checked with.
public struct Ed25519PublicKey: Hashable, Sendable {
  /// The key itself (RFC 8032, section 5.1.5): 32 bytes.
  public let bytes: [UInt8]

  /// Bytes of a signature, and of a key.
  public static let signatureBytes = 64, byteCount = 32

  fileprivate init(of key: OpaquePointer) throws(ChecksumError) {
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    var count = bytes.count
    guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == bytes.count else {
      throw ChecksumError.newest("EVP_PKEY_get_raw_public_key")
    }
    self.bytes = bytes
  }

  /// Reads a key that is written as PEM (RFC 8410: SubjectPublicKeyInfo).
  ///
  /// - Throws: `ChecksumError` when it is none, or another kind of key.
  public init(pem: [UInt8]) throws(ChecksumError) {
    let read = try PEM.reading(pem) { PEM_read_bio_PUBKEY_ex($0, nil, nil, nil, nil, nil) }
    guard let read else { throw ChecksumError.newest("PEM_read_bio_PUBKEY") }
    defer { EVP_PKEY_free(read) }
    guard EVP_PKEY_is_a(read, "ED25519") == 1 else { throw ChecksumError("EVP_PKEY_is_a", code: 0) }
    try self.init(of: read)
  }

  /// The key as PEM.
  public func pem() throws(ChecksumError) -> [UInt8] {
    let key = try opened()
    defer { EVP_PKEY_free(key) }
    return try PEM.written { PEM_write_bio_PUBKEY($0, key) }
  }

  /// Whether these bytes are this key's signature of a message.
  public func hasMade(_ signature: [UInt8], of message: [UInt8]) throws(ChecksumError) -> Bool {
    let key = try opened()
    defer { EVP_PKEY_free(key) }
    guard let context = EVP_MD_CTX_new() else { throw ChecksumError.newest("EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key, nil) == 1 else { throw ChecksumError.newest("EVP_DigestVerifyInit_ex") }
    let status = EVP_DigestVerify(context, signature, signature.count, message, message.count)
    if status != 1 { ERR_clear_error() }
    return status == 1
  }

  private func opened() throws(ChecksumError) -> OpaquePointer {
    guard let key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count) else {
      throw ChecksumError.newest("EVP_PKEY_new_raw_public_key_ex")
    }
    return key
  }
}

/// PEM texts, through OpenSSL's memory files.
private enum PEM {
  static func reading(_ pem: [UInt8], _ body: (OpaquePointer) -> OpaquePointer?) throws(ChecksumError) -> OpaquePointer? {
    guard let file = BIO_new_mem_buf(pem, CInt(clamping: pem.count)) else { throw ChecksumError.newest("BIO_new_mem_buf") }
    defer { BIO_free(file) }
    return body(file)
  }

  static func written(_ body: (OpaquePointer) -> CInt) throws(ChecksumError) -> [UInt8] {
    guard let file = BIO_new(BIO_s_secmem()) else { throw ChecksumError.newest("BIO_new") }
    defer { BIO_free(file) }
    guard body(file) == 1 else { throw ChecksumError.newest("PEM_write_bio") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { BIO_read(file, $0.baseAddress, CInt($0.count)) }
    guard count > 0, count < bytes.count else { throw ChecksumError.newest("BIO_read") }
    return Array(bytes[..<Int(count)])
  }
}
