internal import CCrypto

/// HMAC (RFC 2104) with SHA-256, by OpenSSL: codes of any number of messages under one key.
///
/// `@unchecked` because the compiler knows nothing of what the pointers lead to. The context is owned by this value alone and is reached
/// through `mutating` methods only, so that two threads can never be in it at once; OpenSSL ties none of it to the thread that made it.
public struct HMACSHA256: ~Copyable, @unchecked Sendable {
  private let context: OpaquePointer
  private let algorithm: OpaquePointer
  /// The first failure. It stays until the message is finished, so that no code of half a message comes out.
  private var failure: ChecksumError?

  private init(context: OpaquePointer, algorithm: OpaquePointer) {
    self.context = context
    self.algorithm = algorithm
  }

  deinit {
    // OpenSSL clears the key as it frees it.
    EVP_MAC_CTX_free(context)
    EVP_MAC_free(algorithm)
  }

  /// Makes one for a key of any length, which is copied.
  ///
  /// - Throws: `ChecksumError` when OpenSSL is out of memory, or its configuration offers no HMAC or no SHA-256.
  public static func make(key: [UInt8]) throws(ChecksumError) -> HMACSHA256 {
    guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { throw ChecksumError.newest("EVP_MAC_fetch") }
    guard let context = EVP_MAC_CTX_new(algorithm) else {
      EVP_MAC_free(algorithm)
      throw ChecksumError.newest("EVP_MAC_CTX_new")
    }
    let made = HMACSHA256(context: context, algorithm: algorithm)
    // Keys are filled up with zeros, so that one zero is the same as none, which OpenSSL wouldn't keep for the next message.
    let filled: [UInt8] = key + (key.isEmpty ? [0] : [])
    var name = Array("SHA256".utf8CString)
    let status = name.withUnsafeMutableBufferPointer { name in
      let parameters = [OSSL_PARAM_construct_utf8_string("digest", name.baseAddress, 0), OSSL_PARAM_construct_end()]
      return EVP_MAC_init(context, filled, filled.count, parameters)
    }
    guard status == 1 else { throw ChecksumError.newest("EVP_MAC_init") }
    return made
  }

  /// Takes the next bytes of the message. A failure of OpenSSL is kept, and thrown by `finish()`.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil, !bytes.isEmpty else { return }
    let status = EVP_MAC_update(context, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
    if status != 1 { failure = ChecksumError.newest("EVP_MAC_update") }
  }

  /// Ends the message, and begins the next under the same key.
  ///
  /// - Returns: the code of all the bytes taken since the last message.
  /// - Throws: the first `ChecksumError` of this message.
  public mutating func finish() throws(ChecksumError) -> SHA256Digest {
    var words: SHA256Digest.Words = (0, 0, 0, 0)
    var length = 0
    let status = withUnsafeMutableBytes(of: &words) { raw in
      EVP_MAC_final(context, raw.assumingMemoryBound(to: UInt8.self).baseAddress, &length, raw.count)
    }
    let first = failure
    failure = nil
    if let first { throw first }
    guard status == 1 else { throw ChecksumError.newest("EVP_MAC_final") }
    // No key given: OpenSSL goes on with the one it has.
    guard EVP_MAC_init(context, nil, 0, nil) == 1 else { throw ChecksumError.newest("EVP_MAC_init") }
    return SHA256Digest(words: words)
  }
}
