import PropertyLists
import Testing

private typealias Fixture = BinaryFixture

@Suite struct HostileListTests {
  private static func error(_ bytes: [UInt8], limits: PropertyListLimits = .standard) -> PropertyListError? {
    do {
      _ = try PropertyList(bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  private static let objects: [([UInt8], PropertyListError.Code, Int)] = [
    ([0x01], .badMarker, 8), ([0x0C], .badMarker, 8), ([0x32, 0, 0, 0, 0], .badMarker, 8), ([0x90], .badMarker, 8), ([0xE0], .badMarker, 8),
    ([0x21, 0, 0], .badMarker, 8), ([0x15] + [UInt8](repeating: 0, count: 32), .integerTooLarge, 8),
    ([0x14] + [UInt8](repeating: 1, count: 16), .integerTooLarge, 8),
    ([0x14] + [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 8), .integerTooLarge, 8),
    ([0x8F] + [UInt8](repeating: 1, count: 16), .integerTooLarge, 8),
    // Lengths beyond the end, up to those that overflow.
    ([0x4E, 0], .truncated, 8), ([0x4F, 0x10, 200], .truncated, 8), ([0x5F, 0x13] + [UInt8](repeating: 0x7F, count: 8), .truncated, 8),
    ([0x6F, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], .truncated, 8), ([0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8), .truncated, 8),
    ([0xDF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, 8), ([0x4F, 0x14], .badMarker, 9),
    ([0x4F, 0x20], .badMarker, 9),
    // References.
    ([0xA1, 9], .badReference, 9), ([0xA1, 0], .cycle, 8), ([0xC1, 0], .cycle, 8), ([0xD1, 0, 0], .cycle, 8),
  ]

  @Test(arguments: objects)
  func `a broken object is an error with its place`(object: [UInt8], code: PropertyListError.Code, offset: Int) throws {
    let found = try #require(Self.error(Fixture(object).bytes))
    #expect(found.code == code)
    #expect(found.offset == offset)
  }

  private static let trailers: [(Int, [UInt8], PropertyListError.Code)] = [
    (6, [0], .badTrailer), (6, [9], .badTrailer), (7, [0], .badTrailer), (7, [255], .badTrailer),
    (8, [UInt8](repeating: 0, count: 8), .badTrailer), (8, [0xFF], .badTrailer), (8, [0x7F], .tooManyObjects), (15, [2], .badTrailer),
    (16, [0xFF], .badTrailer), (23, [1], .badTrailer),
    (24, [UInt8](repeating: 0xFF, count: 8), .badTrailer), (24, [0x7F] + [UInt8](repeating: 0xFF, count: 7), .badTrailer),
    (31, [7], .badTrailer),
    (31, [0], .badTrailer), (31, [200], .badTrailer),
  ]

  @Test(arguments: trailers)
  func `a wrong trailer is an error`(place: Int, bytes: [UInt8], code: PropertyListError.Code) throws {
    var file = Fixture([0x09]).bytes
    let start = file.count - 32 + place
    file.replaceSubrange(start..<start + bytes.count, with: bytes)
    let found = try #require(Self.error(file))
    #expect(found.code == code)
    #expect(found.offset >= file.count - 32)
  }

  @Test(arguments: ["bplist15", "bplist17", "bplistX0"])
  func `another version is an error`(header: String) {
    #expect(Self.error(Array(header.utf8) + Fixture([0x09]).bytes.dropFirst(8))?.code == .unsupportedVersion)
  }

  @Test func `an offset outside the objects is an error`() {
    for offset in [0, 7, 10, 11, 60, 65535] {
      var file = Fixture([0x09]).bytes
      file.replaceSubrange(9..<11, with: Fixture.number(offset, 2))
      let found = Self.error(file)
      if offset == 10 {
        #expect(found?.code == .badMarker || found == nil)  // inside the table, whose bytes are an object like any
      } else {
        #expect(found != nil, "offset \(offset)")
      }
    }
  }

  @Test func `cycles through several collections are errors`() {
    let fixture = Fixture(Fixture.array([1]), Fixture.dictionary((2, 3)), Fixture.text("k"), Fixture.set([0]))
    #expect(Self.error(fixture.bytes) != nil)
    #expect(Self.error(fixture.bytes)?.code == .cycle)
  }

  @Test func `depth has a limit of exactly 512`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      let arrays: [[UInt8]] = (1..<depth).map { (next: Int) in [0xA1] + Fixture.number(next, 2) }
      var fixture = Fixture(objects: arrays + [[0xA0]])
      fixture.referenceSize = 2
      return fixture.bytes
    }
    #expect(try Transcript.of(nested(512)) == String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
    #expect(Self.error(nested(513))?.code == .tooDeep)
    let xml = "<plist>" + String(repeating: "<array>", count: 100_000)
    #expect(Self.error(Array(xml.utf8))?.code == .tooDeep)
    #expect(Self.error(Array(String(repeating: "(", count: 100_000).utf8))?.code == .tooDeep)
    #expect(Self.error(Array(String(repeating: "{a=", count: 100_000).utf8))?.code == .tooDeep)
  }

  @Test func `shared collections that multiply are an error`() {
    // Forty arrays, each twice in the one before: a trillion values in 200 bytes.
    let arrays: [[UInt8]] = (1..<40).map { (next: UInt8) in Fixture.array([next, next]) }
    let objects: [[UInt8]] = arrays + [[0x09]]
    var limits = PropertyListLimits.standard
    limits.expandedValues = 100_000
    #expect(Self.error(Fixture(objects: objects).bytes, limits: limits)?.code == .tooManyValues)
  }

  @Test func `shared data and keys that multiply are errors`() {
    var limits = PropertyListLimits.standard
    limits.expandedBytes = 10_000
    let data = Fixture(Fixture.array([UInt8](repeating: 1, count: 11)), Fixture.data([UInt8](repeating: 7, count: 1000)))
    #expect(Self.error(data.bytes, limits: limits)?.code == .tooManyBytes)
    // A thousand keys that lie over one another: n bytes each, from 1000 places in the same 2000 bytes.
    let keys = Fixture(
      Fixture.dictionary((1, 3), (2, 3)), Fixture.text(String(repeating: "k", count: 6000)),
      Fixture.text(String(repeating: "l", count: 6000)), [0x09])
    #expect(Self.error(keys.bytes, limits: limits)?.code == .tooManyBytes)
  }

  @Test func `limits on size and objects hold for all kinds`() {
    let files = [Fixture(Fixture.array([1, 2]), [0x08], [0x09]).bytes, Array("<array><true/><false/></array>".utf8), Array("(a,b)".utf8)]
    for file in files {
      var small = PropertyListLimits.standard
      small.bytes = file.count - 1
      #expect(Self.error(file, limits: small)?.code == .tooLarge)
      var few = PropertyListLimits.standard
      few.objects = 2
      #expect(Self.error(file, limits: few)?.code == .tooManyObjects)
      few.objects = 3
      #expect(Self.error(file, limits: few) == nil)
    }
  }

  @Test func `many keys with one of them twice become pairs`() throws {
    let names = (0..<200).map { "key \($0)" } + ["key 7"]
    var fixture = Fixture(objects: [[0xDF, 0x11] + Fixture.number(201, 2)] + names.map(Fixture.text) + [[0x09]])
    fixture.referenceSize = 2
    fixture.objects[0] += (1...201).flatMap { Fixture.number($0, 2) } + (1...201).flatMap { _ in Fixture.number(202, 2) }
    #expect(try Transcript.of(fixture.bytes).hasPrefix("pairs[['key 0':,true],['key 1':,true]"))
    fixture.objects[201] = Fixture.text("key 200")
    #expect(try Transcript.of(fixture.bytes).hasPrefix("{key 0:true,key 1:true"))
  }
}
