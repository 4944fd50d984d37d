/// A call of OpenSSL's digest interface (EVP) that failed: which one, and the code of its error queue. It never holds
/// what was being hashed.
public struct ChecksumError: Error, Hashable, Sendable {
  /// The call, as OpenSSL names it: `EVP_DigestInit_ex2`.
  public let operation: String
  /// The newest code of the thread's OpenSSL error queue; 0 when OpenSSL gave none.
  public let code: UInt

  /// An error of an operation, with OpenSSL's code.
  public init(_ operation: String, code: UInt) {
    self.operation = operation
    self.code = code
  }
}

extension ChecksumError: CustomStringConvertible {
  /// `EVP_MD_fetch: OpenSSL error 0x308010c`
  public var description: String { "\(operation): OpenSSL error 0x\(String(code, radix: 16))" }
}
