internal import CCrypto

/// SHA-256 (FIPS 180-4) over bytes as they come, by OpenSSL.
///
/// One value hashes any number of messages, one after another, without allocating again:
/// `finish()` leaves it ready for the next message, `reset()` drops one that has begun.
///
/// `@unchecked` because the compiler knows nothing of what the pointers lead to. The context is owned by this value alone
/// and is reached through `mutating` methods only, so that two threads can never be in it at once; OpenSSL ties none of
/// it to the thread that made it.
public struct SHA256: ~Copyable, @unchecked Sendable {
  private let context: OpaquePointer
  /// The first failure. It stays until the message is finished or dropped, so that no digest of half a message comes out.
  private var failure: ChecksumError?

  private init(context: OpaquePointer) { self.context = context }

  deinit { EVP_MD_CTX_free(context) }

  /// OpenSSL's algorithm, looked up once, since that takes longer than hashing a small file; nil where it has none.
  ///
  /// `@unchecked` because the compiler knows nothing of what the pointer leads to: an object that never changes, and is never freed.
  private struct Algorithm: @unchecked Sendable {
    static let shared = Algorithm(raw: EVP_MD_fetch(nil, "SHA256", nil))
    let raw: OpaquePointer?
  }

  /// Makes one that is ready for its first message.
  ///
  /// - Throws: `ChecksumError` when OpenSSL is out of memory, or its configuration offers no SHA-256.
  public static func make() throws(ChecksumError) -> SHA256 {
    guard let algorithm = Algorithm.shared.raw else { throw ChecksumError.newest("EVP_MD_fetch") }
    guard let context = EVP_MD_CTX_new() else { throw ChecksumError.newest("EVP_MD_CTX_new") }
    let made = SHA256(context: context)
    try check(EVP_DigestInit_ex2(context, algorithm, nil), "EVP_DigestInit_ex2")
    return made
  }

  /// Takes the next bytes of the message. A failure of OpenSSL is kept, and thrown by `finish()`.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil, !bytes.isEmpty else { return }
    keep(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count), "EVP_DigestUpdate")
  }

  /// Ends the message, and begins the next.
  ///
  /// - Returns: the digest of all the bytes taken since `make()`, or the last `finish()` or `reset()`.
  /// - Throws: the first `ChecksumError` of this message.
  public mutating func finish() throws(ChecksumError) -> SHA256Digest {
    if let failure {
      reset()
      throw failure
    }
    var words: SHA256Digest.Words = (0, 0, 0, 0)
    let status = withUnsafeMutableBytes(of: &words) { raw in
      EVP_DigestFinal_ex(context, raw.assumingMemoryBound(to: UInt8.self).baseAddress, nil)
    }
    try Self.check(status, "EVP_DigestFinal_ex")
    reset()
    return SHA256Digest(words: words)
  }

  /// Drops the bytes taken so far, and a failure with them, and begins a new message.
  public mutating func reset() {
    failure = nil
    // No algorithm given: OpenSSL keeps the one fetched, and with it the memory.
    keep(EVP_DigestInit_ex2(context, nil, nil), "EVP_DigestInit_ex2")
  }

  private mutating func keep(_ status: CInt, _ operation: String) {
    do throws(ChecksumError) {
      try Self.check(status, operation)
    } catch {
      failure = error
    }
  }

  /// The one way that a status of OpenSSL takes: 1 is success, everything else an error.
  private static func check(_ status: CInt, _ operation: String) throws(ChecksumError) {
    guard status == 1 else { throw ChecksumError.newest(operation) }
  }
}

extension ChecksumError {
  /// The error of an operation that failed just now, with the newest code of this thread's queue, which is emptied.
  static func newest(_ operation: String) -> ChecksumError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return ChecksumError(operation, code: code)
  }
}
