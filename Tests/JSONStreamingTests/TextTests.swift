import JSONReading
import JSONStreaming
import Testing

@Suite struct TextTests {
  @Test func everyASCIICharacter() {
    for byte in UInt8(0)..<128 {
      let expected =
        switch byte {
        case 0x22: "\\\""
        case 0x5C: "\\\\"
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        case 0..<0x10: "\\u000" + String(byte, radix: 16)
        case 0x10..<0x20: "\\u00" + String(byte, radix: 16)
        default: String(UnicodeScalar(byte))
        }
      // At every place in a word of eight bytes.
      for place in 0..<9 {
        let before = String(repeating: "x", count: place)
        let text = before + String(UnicodeScalar(byte)) + "yz"
        #expect(written { $0.string(text) } == "\"" + before + expected + "yz\"")
      }
    }
  }

  @Test(arguments: [
    "", "é", "€uro", "😀", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "a/b", "\u{2028}\u{2029}", "日本語のテキスト、長い", "é\"€\\😀\n",
  ])
  func otherText(text: String) throws {
    let expected = "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    #expect(written { $0.string(text) } == expected)
    #expect(written { $0.text(Array(text.utf8)) } == expected)
  }

  @Test func stringsOfTheProgramsOwn() {
    #expect(written { $0.string("a\"b" as StaticString) } == #""a\"b""#)
    #expect(written { $0.string("€" as StaticString) } == "\"€\"")
  }

  /// What Swift's own decoder takes for text is text, and the rest bytes; wherever the fault is.
  @Test func invalidTextIsWrittenAsBytes() {
    var random = SeededGenerator(seed: 5)
    let parts: [[UInt8]] = [
      Array("plain".utf8), Array("é".utf8), Array("€".utf8), Array("😀".utf8), [0x80], [0xC0, 0xAF], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80],
      [0xF0, 0x8F, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82], [0x22], [0x5C], [0x0A],
    ]
    var valid = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
        parts[min(Int.random(in: 0..<30, using: &random), Int.random(in: 0..<15, using: &random))]
      }
      let text = String(validating: bytes, as: UTF8.self)
      let expected = written { writer in
        if let text {
          writer.string(text)
        } else {
          writer.bytes(bytes)
        }
      }
      #expect(written { $0.text(bytes) } == expected)
      var validator = UTF8Validator()
      for byte in bytes {
        _ = withUnsafePointer(to: byte) { validator.append(UnsafeBufferPointer(start: $0, count: 1)) }
      }
      #expect(validator.isComplete == (text != nil))
      valid += text == nil ? 0 : 1
    }
    #expect(valid > 4000 && valid < 16_000)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ("\u{3FF}\u{3FF}", "z7/Pvw=="),
  ])
  func base64(bytes: String, encoded: String) {
    #expect(written { $0.bytes(Array(bytes.utf8)) } == #"{"$base64":"\#(encoded)"}"#)
    #expect(written { writer in Array(bytes.utf8).withUnsafeBytes { writer.base64($0) } } == "\"\(encoded)\"")
  }

  @Test func uuid() {
    let bytes: [UInt8] = [0xF8, 0x1D, 0x4F, 0xAE, 0x7D, 0xEC, 0x11, 0xD0, 0xA7, 0x65, 0x00, 0xA0, 0xC9, 0x1E, 0x6B, 0xF6]
    #expect(written { writer in bytes.withUnsafeBytes { writer.uuid($0) } } == "\"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6\"")
  }
}

@Suite struct PiecesTests {
  /// However a text is cut, it is written as it would be whole.
  @Test func textInPieces() throws {
    let bytes = Array("a\"é€😀\\\n\u{10FFFF}日本語 plain text that is longer than a word\u{1}".utf8)
    let expected = written { $0.text(bytes) }
    for first in 0...bytes.count {
      for second in first...bytes.count {
        #expect(try inPieces([bytes[..<first], bytes[first..<second], bytes[second...]]) == expected)
      }
    }
    #expect(try inPieces(bytes.indices.map { bytes[$0...$0] }) == expected)
  }

  @Test(
    arguments: [
      ([[0x61, 0xC3], [0x28]], 1), ([[0x61], [0xC3]], 1), ([[0xF0], [0x9F], [0x98], [0x41]], 0), ([[0x61, 0x80]], 1),
      ([[0x61], [0x62, 0xFF, 0x63]], 2),
      ([[0xE2, 0x82], [0xAC, 0xAC]], 3), ([[0xED], [0xA0, 0x80]], 0),
    ] as [([[UInt8]], Int)])
  func invalidTextInPieces(chunks: [[UInt8]], offset: Int) {
    let error = #expect(throws: JSONWriterError.self) { try inPieces(chunks.map { $0[...] }) }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.offset == offset)
  }

  @Test func invalidTextIsTakenBack() throws {
    let text = written { writer in
      writer.beginArray()
      writer.integer(1)
      let mark = writer.mark()
      writer.beginText()
      #expect(throws: JSONWriterError.self) { try writer.append([0x61, 0xFF]) }
      writer.rewind(to: mark)
      writer.bytes([0x61, 0xFF])
      writer.endArray()
    }
    #expect(text == #"[1,{"$base64":"Yf8="}]"#)
  }

  @Test func bytesInPieces() {
    let bytes = (0..<20).map { UInt8($0 * 13 & 0xFF) }
    for length in bytes.indices {
      let all = Array(bytes[..<length])
      let expected = written { $0.bytes(all) }
      for first in 0...length {
        for second in first...length {
          let text = written { writer in
            writer.beginBase64()
            for chunk in [all[..<first], all[first..<second], all[second...]] {
              chunk.withUnsafeBytes { writer.appendBase64($0) }
            }
            writer.endBase64()
          }
          #expect(text == expected)
        }
      }
    }
  }

  /// A value goes on after the buffer was emptied in its middle, and the buffer stays small.
  @Test func aLongTextNeedsLittleMemory() throws {
    var writer = JSONWriter(capacity: 4096)
    let chunk = Array("0123456789é\"".utf8)
    var length = 0
    writer.beginArray()
    writer.beginText()
    for _ in 0..<10_000 {
      try writer.append(chunk)
      if writer.count > 4000 {
        length += writer.count
        writer.removeAll()
      }
    }
    try writer.endText()
    writer.endArray()
    #expect(length + writer.count == 10_000 * (chunk.count + 1) + 4)
    #expect(writer.capacity <= 8192)
  }

  private func inPieces(_ chunks: [ArraySlice<UInt8>]) throws -> String {
    try written { writer in
      writer.beginText()
      for chunk in chunks {
        try writer.append(Array(chunk))
      }
      try writer.endText()
    }
  }
}

extension JSONWriter {
  fileprivate mutating func append(_ chunk: [UInt8]) throws {
    try chunk.withUnsafeBufferPointer { try appendText(utf8: $0) }
  }
}
