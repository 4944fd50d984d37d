import Checksums
import Testing

/// The test cases of RFC 4231, and what the interface promises.
@Suite struct HMACTests {
  @Test(
    arguments: [
      ([UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
      (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
      (
        [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ] as [([UInt8], [UInt8], String)])
  func known(_ example: (key: [UInt8], message: [UInt8], code: String)) throws {
    var code = try HMACSHA256.make(key: example.key)
    // The second message is under the same key, and comes in pieces.
    for size in [1000, 3] {
      var rest = example.message[...]
      while !rest.isEmpty {
        rest.prefix(size).withUnsafeBytes { code.update($0) }
        rest = rest.dropFirst(size)
      }
      #expect(try code.finish().hex == example.code)
    }
  }
}
