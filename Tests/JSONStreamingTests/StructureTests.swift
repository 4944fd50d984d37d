import JSONStreaming
import Testing

@Suite struct StructureTests {
  @Test func commasComeByThemselves() {
    let text = written {
      $0.beginObject()
      $0.key("a")
      $0.integer(1)
      $0.key("b")
      $0.beginArray()
      $0.null()
      $0.beginObject()
      $0.endObject()
      $0.beginArray()
      $0.endArray()
      $0.bool(true)
      $0.bool(false)
      $0.endArray()
      $0.key("c")
      $0.string("x")
      $0.endObject()
    }
    #expect(text == #"{"a":1,"b":[null,{},[],true,false],"c":"x"}"#)
  }

  @Test(arguments: [1, 63, 64, 65, 127, 128, 129, 1000])
  func nestsAsDeepAsAsked(depth: Int) {
    let text = written {
      for level in 0..<depth {
        if level % 3 == 0 {
          $0.beginArray()
        } else {
          $0.beginObject()
          $0.key("k")
        }
      }
      $0.integer(7)
      #expect($0.depth == depth)
      for level in (0..<depth).reversed() {
        if level % 3 == 0 {
          $0.endArray()
        } else {
          $0.endObject()
        }
      }
      #expect($0.depth == 0)
    }
    let opening = (0..<depth).map { $0 % 3 == 0 ? "[" : #"{"k":"# }.joined()
    let closing = (0..<depth).reversed().map { $0 % 3 == 0 ? "]" : "}" }.joined()
    #expect(text == opening + "7" + closing)
  }

  @Test func rowsThatTheCallerFrames() {
    let text = written {
      $0.raw("[\n")
      for row in 0..<3 {
        if row > 0 {
          $0.raw(",\n")
        }
        $0.resetStructure()
        $0.beginObject()
        $0.key("row")
        $0.integer(row)
        $0.endObject()
      }
      $0.raw("\n]\n")
    }
    #expect(text == "[\n{\"row\":0},\n{\"row\":1},\n{\"row\":2}\n]\n")
  }

  @Test func rawValuesTakeTheirCommas() {
    let text = written { writer in
      writer.beginArray()
      for value in ["1", "{}"] {
        Array(value.utf8).withUnsafeBytes { writer.rawValue($0) }
      }
      writer.rawValue("[2]")
      writer.endArray()
    }
    #expect(text == "[1,{},[2]]")
  }

  @Test func aMaskedValueIsPutInAnothersPlace() {
    for mask in ["\"*\"", "{\"$redacted\":\"secret\"}", ""] {
      let text = written { writer in
        writer.beginArray()
        let from = writer.count
        writer.string("secret")
        let to = writer.count
        writer.integer(2)
        Array(mask.utf8).withUnsafeBytes { writer.replace(from: from, to: to, with: $0) }
        writer.endArray()
      }
      #expect(text == "[\(mask),2]")
    }
  }

  @Test func rewindingTakesBackBytesAndStructure() {
    let text = written {
      $0.beginArray()
      $0.integer(1)
      let mark = $0.mark()
      $0.beginObject()
      $0.key("half")
      $0.beginText()
      $0.rewind(to: mark)
      $0.integer(2)
      $0.endArray()
    }
    #expect(text == "[1,2]")
  }

  @Test func emptyingKeepsTheStructure() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.integer(1)
    writer.removeAll()
    writer.integer(2)
    writer.endArray()
    #expect(writer.withBytes { String(decoding: $0, as: UTF8.self) } == ",2]")
  }

  @Test func memoryIsKeptAndGivenBackWhenItIsMuch() {
    var writer = JSONWriter(capacity: 1000)
    writer.bytes([UInt8](repeating: 0, count: 10_000))
    let grown = writer.capacity
    #expect(grown > 10_000)
    writer.removeAll()
    #expect(writer.capacity == grown)
    writer.bytes([UInt8](repeating: 0, count: 2 << 20))
    writer.removeAll()
    #expect(writer.capacity == 1000)
    #expect(writer.count == 0)
  }

  @Test func keys() {
    let text = written {
      $0.beginObject()
      for name in ["plain", "$own", "quo\"te", ""] {
        $0.key(name)
        $0.null()
        $0.userKey(name)
        $0.null()
        $0.key(PreparedKey(name))
        $0.null()
        $0.key(PreparedKey.user(name))
        $0.null()
      }
      $0.endObject()
    }
    #expect(
      text == #"{"plain":null,"plain":null,"plain":null,"plain":null,"$own":null,"$$own":null,"$own":null,"$$own":null,"#
        + #""quo\"te":null,"quo\"te":null,"quo\"te":null,"quo\"te":null,"":null,"":null,"":null,"":null}"#)
  }

  /// The parts that are replaced are those of the Unicode standard, section 3.9, which Swift's own decoding follows.
  @Test func illFormedKeysAreRepaired() {
    var random = SeededGenerator(seed: 4)
    let interesting: [UInt8] = [0x41, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xA0, 0x9F, 0xED, 0xF0, 0x90, 0x8F, 0xF4, 0xF5, 0xFF, 0xE2, 0x82, 0xAC]
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in interesting.randomElement(using: &random)! }
      let text = written { writer in
        bytes.withUnsafeBufferPointer { writer.key(utf8: $0) }
        writer.null()
      }
      #expect(text == "\"" + String(decoding: bytes, as: UTF8.self) + "\":null")
    }
  }
}
