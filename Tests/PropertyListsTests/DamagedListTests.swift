import PropertyLists
import Testing

@Suite struct DamagedListTests {
  /// One list of each kind with every type in it, and archives.
  private static let samples: [(String, [UInt8])] = [
    (
      "binary",
      BinaryFixture(
        BinaryFixture.dictionary((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16)),
        BinaryFixture.text("text"), BinaryFixture.utf16([0x41, 0xD83D, 0xDE00]), BinaryFixture.text("numbers"),
        BinaryFixture.array([17, 18, 19, 20]),
        BinaryFixture.text("date"), BinaryFixture.date(0.25), BinaryFixture.text("data"), BinaryFixture.data([UInt8](0..<40)),
        BinaryFixture.text("set"), BinaryFixture.set([1, 1]), BinaryFixture.text("uid"), BinaryFixture.uid(70_000),
        BinaryFixture.text("null"), [0x00],
        BinaryFixture.text("empty"), BinaryFixture.dictionary(), BinaryFixture.integer(-1), BinaryFixture.wide(0, .max),
        BinaryFixture.real(.pi),
        BinaryFixture.single(0.5)
      ).bytes
    ),
    (
      "archive",
      Plain.archive([
        .object(class: 4, [("NS.keys", .array([.uid(2), .uid(3)])), ("NS.objects", .array([.uid(1), .uid(5)]))]), .text("key"), .integer(7),
        .described("NSDictionary"), .object(class: 6, [("inner", .data(Plain.archive([.text("inside")]).binary)), ("up", .uid(1))]),
        .described("Node"),
      ]).binary
    ),
    (
      "xml",
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//A//B" "http://localhost/"><plist version="1.0"><dict>
        <key>a&amp;b</key><array><integer>-5</integer><real>1.5</real><true/><false/></array><!-- c --><key>d</key><date>2024-02-29T12:30:05Z</date>
        <key>e</key><data>AAEC/w==</data><key>f</key><string><![CDATA[<x>]]>&#233;</string></dict></plist>
        """.utf8)
    ),
    (
      "openStep",
      Array(
        "{ a = (1, \"two\\U00e9\\341\", <0fbd77>, <*I5>, <*BY>, <*D2001-01-01 00:00:00 +0000>, <[AAEC]>); /* c */ 'b' = { c; }; // end\n }"
          .utf8)
    ),
  ]

  @Test(arguments: samples)
  func `a list cut anywhere is an error`(name: String, bytes: [UInt8]) throws {
    _ = try PropertyList(bytes)
    let end = try #require(bytes.lastIndex { $0 != 0x0A && $0 != 0x20 })
    for length in 0...end {
      #expect(throws: PropertyListError.self, "\(name), first \(length) bytes") { try PropertyList(Array(bytes[..<length])) }
      readByAllMeans(Array(bytes[..<length]))
    }
  }

  /// 5,000 damaged copies of each sample, always the same ones: bytes changed, bits flipped, runs copied over others.
  @Test(arguments: samples)
  func `a damaged list never traps`(name: String, bytes: [UInt8]) throws {
    var random = SplitMix(state: 0x5EED)
    var read = 0
    var limits = PropertyListLimits.standard
    limits.expandedValues = 100_000
    limits.expandedBytes = 1 << 20
    for _ in 0..<5000 {
      var damaged = bytes
      for _ in 0...Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(damaged.count))
        switch random.next() % 4 {
        case 0: damaged[place] ^= 1 << UInt8(random.next() % 8)
        case 1: damaged[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: damaged[place] = [0, 1, 0x7F, 0x80, 0xFF][Int(random.next() % 5)]
        default:
          let length = min(Int(random.next() % 8) + 1, damaged.count - place)
          let from = Int(random.next() % UInt64(damaged.count - length + 1))
          damaged.replaceSubrange(place..<place + length, with: damaged[from..<from + length])
        }
      }
      if readByAllMeans(damaged, limits: limits) { read += 1 }
    }
    #expect(read > 0 && read < 5000, "\(name): \(read) of 5000 were still lists")
  }
}

/// SplitMix64: the same numbers everywhere.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
