import Checksums
import Foundation
import TestSupport
import Testing

private func digest(_ bytes: [UInt8], chunks: [Int] = []) throws -> SHA256Digest {
  var hash = try SHA256.make()
  try hash.take(bytes, chunks: chunks)
  return try hash.finish()
}

extension SHA256 {
  /// Feeds the bytes in chunks of the given sizes, over and over; at once when there are none.
  fileprivate mutating func take(_ bytes: [UInt8], chunks: [Int]) throws {
    var rest = bytes[...]
    var turn = 0
    while !rest.isEmpty {
      let count = chunks.isEmpty ? rest.count : min(chunks[turn % chunks.count], rest.count)
      rest.prefix(count).withUnsafeBytes { update($0) }
      rest = rest.dropFirst(count)
      turn += 1
    }
  }
}

/// 1 MiB that repeats nowhere soon.
private let mebibyte: [UInt8] = {
  var state: UInt32 = 2_463_534_242
  return (0..<1 << 20).map { _ in
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return UInt8(truncatingIfNeeded: state)
  }
}()

/// The examples of FIPS 180-4 and of NIST's CAVP set (SHA256ShortMsg).
@Test(arguments: [
  ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  (
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
  ),
  (
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
    "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
  ),
])
func publishedVectors(message: String, expected: String) throws {
  #expect(try digest(Array(message.utf8)).hex == expected)
}

@Test func aMillionLettersA() throws {
  #expect(
    try digest(Array(repeating: UInt8(ascii: "a"), count: 1_000_000)).hex
      == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
}

@Test(arguments: [[1], [3, 0, 5, 7], [63, 64, 65], [4096], [65_537, 1, 8191]])
func chunksDoNotMatter(chunks: [Int]) throws {
  let bytes = chunks == [1] ? Array(mebibyte.prefix(5000)) : mebibyte
  #expect(try digest(bytes, chunks: chunks) == digest(bytes))
}

@Test func oneValueHashesManyMessages() throws {
  var hash = try SHA256.make()
  for length in [0, 1, 55, 56, 63, 64, 65, 1000] {
    let message = Array(mebibyte.prefix(length))
    try hash.take(message, chunks: [17])
    #expect(try hash.finish() == digest(message))
  }
  try hash.take(mebibyte, chunks: [])
  hash.reset()
  try hash.take(Array("abc".utf8), chunks: [])
  #expect(try hash.finish().hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
}

@Test func agreesWithCoreutils() throws {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("sha256-\(UUID().uuidString)")
  try Data(mebibyte).write(to: file)
  let result = try runProgram("sha256sum", [file.path])
  try FileManager.default.removeItem(at: file)
  #expect(result.status == 0)
  let expected = try digest(mebibyte, chunks: [7001]).hex
  #expect(result.output.prefix(64) == expected)
}

@Test func hexReadsBackInBothCases() throws {
  let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  let abc = try digest(Array("abc".utf8))
  #expect(SHA256Digest(hex: hex) == abc)
  #expect(SHA256Digest(hex: hex.uppercased()) == abc)
  #expect(abc.withHex { digits in SHA256Digest(hexBytes: digits) } == abc)
  #expect(abc.withUnsafeBytes { bytes in SHA256Digest(bytes: bytes) } == abc)
  #expect(abc.withUnsafeBytes { bytes in bytes[0] } == 0xba)
  #expect(Set([abc, SHA256Digest(hex: hex)]).count == 1)
}

@Test(arguments: [
  "", "ba7816", "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a ",
  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0",
  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015aé",
])
func whatIsNoDigestIsRefused(text: String) {
  #expect(SHA256Digest(hex: text) == nil)
}

@Test func onlyThirtyTwoBytesAreADigest() {
  for count in [0, 31, 33] {
    let bytes = [UInt8](repeating: 1, count: count)
    #expect(bytes.withUnsafeBytes { SHA256Digest(bytes: $0) } == nil)
  }
}
