import Foundation
import PropertyLists
import Testing

private typealias Fixture = BinaryFixture

@Suite struct BinaryListTests {
  private static let values: [([UInt8], String)] = [
    ([0x00], "null"), ([0x0F], "null"), ([0x08], "false"), ([0x09], "true"),
    ([0x10, 0xFF], "255"), ([0x11, 0xFF, 0xFF], "65535"), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], "4294967295"),
    (Fixture.integer(.min), "-9223372036854775808"), (Fixture.integer(.max), "9223372036854775807"), (Fixture.integer(-1), "-1"),
    (Fixture.wide(0, .max), "unsigned(18446744073709551615)"), (Fixture.wide(0, 7), "7"),
    (Fixture.wide(.max, UInt64(bitPattern: -5)), "-5"),
    (Fixture.real(-0.0), "-0.0"), (Fixture.real(.nan), "nan"), (Fixture.real(-.infinity), "-inf"), (Fixture.real(1), "1.0"),
    (Fixture.single(0.1), "single(0.1)"), (Fixture.single(.infinity), "single(inf)"),
    (Fixture.date(0.5), "date(0.5)"), (Fixture.date(1e300), "date(1e+300)"), (Fixture.date(.nan), "date(nan)"),
    (Fixture.date(-.infinity), "date(-inf)"),
    (Fixture.data([]), "data()"), (Fixture.data([0, 255]), "data(00ff)"),
    (Fixture.text("a$b"), "'a$b'"), (Fixture.text(""), "''"), (Fixture.text("twenty characters ok"), "'twenty characters ok'"),
    (Fixture.utf16([0xE9, 0xD83D, 0xDE00]), "'é😀'"),
    (Fixture.utf16([0x61, 0xD83D]), "malformed(61eda0bd)"), (Fixture.utf16([0xDE00, 0x62]), "malformed(edb88062)"),
    ([0x52, 0xC3, 0xA9], "'é'"), ([0x52, 0xE9, 0x61], "malformed(e961)"), ([0x72, 0xC3, 0xA9], "'é'"),
    ([0x80, 7], "uid(7)"), ([0x83, 0, 1, 0, 0], "uid(65536)"), ([0x8F] + [UInt8](repeating: 0, count: 15) + [9], "uid(9)"),
    (Fixture.array([]), "[]"), (Fixture.set([]), "set[]"), (Fixture.orderedSet([]), "orderedSet[]"), (Fixture.dictionary(), "{}"),
  ]

  @Test(arguments: values)
  func `every kind of object is read without loss`(object: [UInt8], expected: String) throws {
    #expect(try Transcript.of(Fixture(object).bytes) == expected)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 8], [1, 2, 3, 8])
  func `offsets and references of any size`(offsetSize: Int, referenceSize: Int) throws {
    let two = Fixture.number(1, referenceSize) + Fixture.number(2, referenceSize)
    var fixture = Fixture([0xA2] + two, [0x10, 1], Fixture.text("x"))
    (fixture.offsetSize, fixture.referenceSize) = (offsetSize, referenceSize)
    #expect(try Transcript.of(fixture.bytes) == "[1,'x']")
  }

  @Test func `order is the file's`() throws {
    let fixture = Fixture(
      Fixture.dictionary((1, 2), (3, 4)), Fixture.text("z"), [0x09], Fixture.text("a"), Fixture.set([2, 5]), Fixture.orderedSet([1]))
    #expect(try Transcript.of(fixture.bytes) == "{z:true,a:set[true,orderedSet['z']]}")
  }

  private static let keys: [(BinaryFixture, String)] = [
    (Fixture(Fixture.dictionary((1, 2)), [0x10, 5], [0x09]), "pairs[[5,true]]"),
    (Fixture(Fixture.dictionary((1, 2), (3, 2)), Fixture.text("k"), [0x09], Fixture.data([1])), "pairs[['k':,true],[data(01),true]]"),
    // One key twice: as the same object, as equal objects, in two encodings.
    (Fixture(Fixture.dictionary((1, 2), (1, 3)), Fixture.text("k"), [0x08], [0x09]), "pairs[['k':,false],['k':,true]]"),
    (Fixture(Fixture.dictionary((1, 2), (3, 2)), Fixture.text("k"), [0x08], Fixture.text("k")), "pairs[['k':,false],['k':,false]]"),
    (Fixture(Fixture.dictionary((1, 2), (3, 2)), Fixture.text("k"), [0x08], Fixture.utf16([0x6B])), "pairs[['k':,false],['k':,false]]"),
    (Fixture(Fixture.dictionary((1, 2)), Fixture.utf16([0xD800]), [0x08]), "pairs[[malformed(eda080),false]]"),
    // Equal to a person, different as text.
    (Fixture(Fixture.dictionary((1, 2), (3, 2)), Fixture.utf16([0xE9]), [0x08], Fixture.utf16([0x65, 0x301])), "{é:false,e\u{301}:false}"),
  ]

  @Test(arguments: keys)
  func `keys that no JSON object can have become pairs`(fixture: BinaryFixture, expected: String) throws {
    #expect(try Transcript.of(fixture.bytes) == expected)
  }

  @Test func `a uid is no dictionary and a dictionary no uid`() throws {
    let fixture = Fixture(Fixture.array([1, 2]), Fixture.uid(7), Fixture.dictionary((3, 4)), Fixture.text("CF$UID"), [0x10, 7])
    #expect(try Transcript.of(fixture.bytes) == "[uid(7),{CF$UID:7}]")
  }

  /// Written by Python's plistlib, which shares equal objects.
  private static let foreign = """
    YnBsaXN0MDDZAQIDBAUGBwgJCgsMEhUWFxgZVHRleHRVZW1vamlRblFyUWRRYlF1UXRWbmVzdGVkZQBHAHIA/ADfAGVi2D3eAKUNDg8QERAAE///////////FAAAAAAAAAAA
    //////////8Q/xIAAQAAohMUIz/4AAAAAAAAI3/wAAAAAAAAM0HFyFgmgAAAQgABgAcJ0RobUWGgCBsgJigqLC4wMjlESU9RWmttcnV+h5CTlZaZmwAAAAAAAAEBAAAAAAAA
    ABwAAAAAAAAAAAAAAAAAAACc
    """

  @Test func `another writer's list is read`() throws {
    let bytes = try #require(Data(base64Encoded: Self.foreign, options: .ignoreUnknownCharacters))
    #expect(
      try Transcript.of(Array(bytes)) == """
        {text:'Grüße',emoji:'😀',n:[0,-1,unsigned(18446744073709551615),255,65536],r:[1.5,inf],d:date(730902605.0),b:data(0001),u:uid(7),t:true,\
        nested:{a:[]}}
        """)
  }
}
