import Checksums
import Testing

/// Against RFC 8032's own examples, and against everything that is no key or no signature.
@Suite struct Ed25519Tests {
  /// RFC 8032, section 7.1: the second and the third test. A key as PEM is 16 fixed bytes and the seed (RFC 8410, section 7).
  static let examples: [(pem: String, publicKey: String, message: [UInt8], signature: String)] = [
    (
      "MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7".pemKey(),
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", [0x72],
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
  ]

  @Test(arguments: examples.indices)
  func examplesOfTheRFC(_ index: Int) throws {
    let example = Self.examples[index]
    let key = try Ed25519Key.read(pem: Array(example.pem.utf8))
    let publicKey = try key.publicKey()
    #expect(publicKey.bytes.hex == example.publicKey)
    let signature = try key.signature(of: example.message)
    #expect(signature.hex == example.signature)
    #expect(try publicKey.hasMade(signature, of: example.message))
  }

  @Test func aKeyIsReadAsItWasWritten() throws {
    let key = try Ed25519Key.generate()
    let again = try Ed25519Key.read(pem: try key.pem())
    #expect(try again.publicKey() == key.publicKey())
    let publicKey = try key.publicKey()
    #expect(try Ed25519PublicKey(pem: try publicKey.pem()) == publicKey)
    #expect(try Ed25519Key.generate().publicKey() != publicKey)
  }

  @Test func whatIsNoSignature() throws {
    let key = try Ed25519Key.generate()
    let (publicKey, other) = (try key.publicKey(), try Ed25519Key.generate().publicKey())
    let message = Array("a receipt".utf8)
    let signature = try key.signature(of: message)
    #expect(try publicKey.hasMade(signature, of: message))
    #expect(try !other.hasMade(signature, of: message))
    #expect(try !publicKey.hasMade(signature, of: message + [0]))
    #expect(try !publicKey.hasMade([], of: message))
    #expect(try !publicKey.hasMade(signature + [0], of: message))
    for bit in 0..<signature.count * 8 {
      var flipped = signature
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(try !publicKey.hasMade(flipped, of: message))
    }
  }

  @Test(arguments: [
    "", "hello", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
    // An EC key, which is one, but not of Ed25519.
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G"
      .pemKey(),
  ])
  func whatIsNoKey(_ text: String) {
    #expect(throws: ChecksumError.self) { _ = try Ed25519Key.read(pem: Array(text.utf8)) }
    #expect(throws: ChecksumError.self) { _ = try Ed25519PublicKey(pem: Array(text.utf8)) }
  }
}

extension String {
  fileprivate func pemKey() -> String { "-----BEGIN PRIVATE KEY-----\n\(self)\n-----END PRIVATE KEY-----\n" }
}

extension [UInt8] {
  fileprivate var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
