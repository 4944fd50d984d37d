import Testing
import TextDecoding

@Suite struct TextDecodingTests {
  private static let text = "plain, Zürich, 日本語, 🙂 and the end"

  /// Decodes in pieces of a length.
  private func decoded(_ bytes: [UInt8], _ encoding: TextEncoding, piece: Int) -> [UInt8] {
    var decoder = TextDecoder(encoding)
    var result: [UInt8] = []
    var output = [UInt8](repeating: 0, count: TextDecoder.room(for: max(piece, 4)))
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let count = output.withUnsafeMutableBytes { output in
        bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { decoder.decode($0, into: output) }
      }
      result += output[..<count]
    }
    let count = output.withUnsafeMutableBytes { decoder.finish(into: $0) }
    return result + output[..<count]
  }

  private func utf16(_ text: String, highFirst: Bool) -> [UInt8] {
    text.utf16.flatMap { highFirst ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  @Test(arguments: [1, 2, 3, 5, 1000])
  func decodesUTF16(piece: Int) {
    let text = Self.text
    #expect(decoded(utf16(text, highFirst: false), .utf16LittleEndian, piece: piece) == Array(text.utf8))
    #expect(decoded(utf16(text, highFirst: true), .utf16BigEndian, piece: piece) == Array(text.utf8))
    #expect(decoded(Array(text.utf8), .utf8, piece: piece) == Array(text.utf8))
  }

  @Test func keepsWhatIsNoText() {
    // Half a surrogate pair before another character, and one at the end; then one before half a unit, which is no letter.
    #expect(decoded([0x3D, 0xD8, 0x61, 0x00, 0x3D, 0xD8], .utf16LittleEndian, piece: 2) == [0xED, 0xA0, 0xBD, 0x61, 0xED, 0xA0, 0xBD])
    #expect(decoded([0x00, 0xDC, 0x61], .utf16LittleEndian, piece: 9) == [0xED, 0xB0, 0x80])
    #expect(decoded([0xFF, 0x61], .utf8, piece: 1) == [0xFF, 0x61])
  }

  @Test(arguments: [([0x61, 0x00], false), ([0x61, 0x00, 0x62], true), ([0x3D, 0xD8], false)] as [([UInt8], Bool)])
  func tellsThatAUnitIsCut(bytes: [UInt8], isCut: Bool) {
    for (encoding, mayBeCut) in [(TextEncoding.utf16LittleEndian, true), (.utf16BigEndian, true), (.utf8, false), (.latin1, false)] {
      var decoder = TextDecoder(encoding)
      var output = [UInt8](repeating: 0, count: TextDecoder.room(for: bytes.count))
      _ = bytes.withUnsafeBytes { bytes in output.withUnsafeMutableBytes { decoder.decode(bytes, into: $0) } }
      #expect(decoder.isWithinUnit == (isCut && mayBeCut))
    }
  }

  @Test func decodesBytesOfOneCharacter() {
    #expect(decoded([0x61, 0xE9, 0x80, 0x81], .windows1252, piece: 1) == Array("aé€\u{81}".utf8))
    #expect(decoded([0x61, 0xE9, 0x80], .latin1, piece: 2) == Array("aé\u{80}".utf8))
  }

  @Test func decodesEveryByteAsTheStandardHasIt() {
    let open: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
    let all = (0...255).map { UInt8($0) }
    let text = String(decoding: decoded(all, .windows1252, piece: 7), as: UTF8.self)
    #expect(text.unicodeScalars.count == 256)
    for (byte, scalar) in zip(all, text.unicodeScalars) where !(0x80...0x9F).contains(byte) || open.contains(byte) {
      #expect(scalar.value == UInt32(byte))
    }
    #expect(text.unicodeScalars.dropFirst(0x80).prefix(32).filter { $0.value > 255 }.count == 27)
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x61], TextEncoding.utf8, 3), ([0xFF, 0xFE, 0x61, 0x00], .utf16LittleEndian, 2),
      ([0xFE, 0xFF, 0x00, 0x61], .utf16BigEndian, 2), ([0x61, 0, 0x62, 0, 0x2C, 0], .utf16LittleEndian, 0),
      ([0, 0x61, 0, 0x62, 0, 0x2C], .utf16BigEndian, 0), ([0x61, 0x62, 0x2C], .utf8, 0), ([], .utf8, 0), ([0x61, 0], .utf8, 0),
      ([0, 0, 0, 0, 0, 0], .utf8, 0), ([0xE9, 0x61, 0x62, 0x63], .utf8, 0),
    ] as [([UInt8], TextEncoding, Int)])
  func detects(head: [UInt8], encoding: TextEncoding, mark: Int) {
    head.withUnsafeBytes {
      #expect(TextEncoding.detected(in: $0) == encoding)
      #expect(encoding.markLength(of: $0) == mark)
    }
  }

  @Test func knowsItsNames() {
    for encoding in TextEncoding.all { #expect(TextEncoding(name: encoding.name) == encoding) }
    #expect(TextEncoding(name: "ebcdic") == nil)
  }
}
