internal import Checksums

/// The public half of the key that signs receipts: Ed25519. Whoever has it can check where a receipt, and the bundle that it is for, are from.
public struct ReceiptKey: Hashable, Sendable {
  let key: Ed25519PublicKey

  init(_ key: Ed25519PublicKey) { self.key = key }

  /// Reads a key that is written as PEM (RFC 8410), as OpenSSL writes it.
  public init(pem: [UInt8]) throws(ExportError) {
    do throws(ChecksumError) { key = try Ed25519PublicKey(pem: pem) } catch {
      throw ExportError(.badInput, "this is no public key of Ed25519 in PEM", cause: error)
    }
  }

  /// The key as PEM, to hand to others.
  public func pem() throws(ExportError) -> [UInt8] {
    do throws(ChecksumError) { return try key.pem() } catch { throw ExportError(.output, "the public key can't be written", cause: error) }
  }

  /// What the key is called: its JWK thumbprint (RFC 7638, RFC 8037 appendix A.3), 43 letters and digits.
  public func id() throws(ExportError) -> String {
    var members = #"{"crv":"Ed25519","kty":"OKP","x":"\#(Base64URL.text(key.bytes))"}"#
    do throws(ChecksumError) {
      var hasher = try SHA256.make()
      members.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
      return try hasher.finish().withUnsafeBytes { Base64URL.text($0) }
    } catch {
      throw ExportError(.output, "a key's name can't be worked out", cause: error)
    }
  }
}

/// The key that signs receipts. It stays where the exports are made: who has it can make receipts.
public struct ReceiptSigner: ~Copyable, Sendable {
  private let key: Ed25519Key
  /// The half that is for others.
  public let publicKey: ReceiptKey

  init(_ key: consuming Ed25519Key) throws(ChecksumError) {
    publicKey = ReceiptKey(try key.publicKey())
    self.key = key
  }

  /// A new key. Its receipts can be checked by those who have its public half.
  public init() throws(ExportError) {
    do throws(ChecksumError) { try self.init(Ed25519Key.generate()) } catch {
      throw ExportError(.output, "no key can be made", cause: error)
    }
  }

  /// Reads a key that is written as PEM (RFC 8410), without a password.
  public init(pem: [UInt8]) throws(ExportError) {
    do throws(ChecksumError) { try self.init(Ed25519Key.read(pem: pem)) } catch {
      throw ExportError(.badInput, "this is no private key of Ed25519 in PEM", cause: error)
    }
  }

  /// The key as PEM, for a file that none but its owner can read.
  public func pem() throws(ExportError) -> [UInt8] {
    do throws(ChecksumError) { return try key.pem() } catch { throw ExportError(.output, "the key can't be written", cause: error) }
  }

  /// A signature of some bytes: 64 bytes.
  func signature(of message: [UInt8]) throws(ExportError) -> [UInt8] {
    do throws(ChecksumError) { return try key.signature(of: message) } catch {
      throw ExportError(.output, "nothing can be signed", cause: error)
    }
  }
}
