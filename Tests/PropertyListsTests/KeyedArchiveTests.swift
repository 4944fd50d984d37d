import PropertyLists
import Testing

@Suite struct KeyedArchiveTests {
  /// The transcript of an archive whose root is the first of these objects (index 1).
  private static func decoded(_ objects: [Plain], top: [(String, Plain)] = [("root", .uid(1))]) throws -> String {
    let text = try Transcript.of(Plain.archive(objects, top: top).binary)
    #expect(text.hasPrefix("archive(") && text.hasSuffix(")"))
    return String(text.dropFirst(8).dropLast())
  }

  private static func isArchive(_ bytes: [UInt8]) -> Bool { KeyedArchive.isArchive(bytes.span) }

  private static let bytes16: [UInt8] = (0..<16).map { $0 }

  private static let plainForms: [(String, [(String, Plain)], String)] = [
    ("NSString", [("NS.string", .text("a"))], "'a'"), ("NSMutableString", [("NS.string", .uid(3))], "'three'"),
    ("NSString", [("NS.bytes", .data([0xC3, 0xA9]))], "'é'"), ("NSString", [("NS.bytes", .data([0xFF]))], "malformed(ff)"),
    ("NSData", [("NS.data", .data([1]))], "data(01)"), ("NSMutableData", [("NS.bytes", .data([2]))], "data(02)"),
    ("NSDate", [("NS.time", .real(0.5))], "date(0.5)"), ("NSDate", [("NS.time", .integer(3))], "date(3.0)"),
    ("NSUUID", [("NS.uuidbytes", .data(bytes16))], "uuid(000102030405060708090a0b0c0d0e0f)"),
    ("NSURL", [("NS.base", .uid(0)), ("NS.relative", .uid(3))], "'three'"), ("NSURL", [("NS.relative", .text("x:"))], "'x:'"),
    ("NSURL", [("NS.base", .uid(3)), ("NS.relative", .uid(3))], "NSURL{NS.base:'three',NS.relative:'three'}"),
    ("NSNull", [], "null"), ("NSNumber", [("NS.number", .integer(4))], "4"), ("NSNumber", [("NS.boolval", .boolean(true))], "true"),
    ("NSArray", [("NS.objects", .array([.uid(3), .uid(0), .integer(5)]))], "['three',null,5]"), ("NSMutableArray", [], "[]"),
    ("NSSet", [("NS.objects", .array([.uid(3)]))], "set['three']"), ("NSMutableSet", [("NS.object.0", .uid(3))], "set['three']"),
    ("NSOrderedSet", [("NS.object.1", .integer(1)), ("NS.object.0", .integer(0))], "orderedSet[0,1]"),
    ("NSDictionary", [("NS.keys", .array([.uid(3), .text("b")])), ("NS.objects", .array([.integer(1), .integer(2)]))], "{three:1,b:2}"),
    ("NSMutableDictionary", [("NS.key.0", .uid(3)), ("NS.object.0", .integer(1))], "{three:1}"),
    ("NSDictionary", [("NS.keys", .array([.integer(7)])), ("NS.objects", .array([.uid(3)]))], "pairs[[7,'three']]"),
    (
      "NSDictionary", [("NS.keys", .array([.uid(3), .uid(3)])), ("NS.objects", .array([.integer(1), .integer(2)]))],
      "pairs[['three':,1],['three':,2]]"
    ),
    ("NSDictionary", [("NS.keys", .array([.uid(0)])), ("NS.objects", .array([.integer(1)]))], "pairs[[null,1]]"),
    // What the plain form would lose, or what isn't the known form, stays an object.
    ("NSString", [("NS.string", .text("a")), ("extra", .integer(1))], "NSString{NS.string:'a',extra:1}"),
    ("NSUUID", [("NS.uuidbytes", .data([1]))], "NSUUID{NS.uuidbytes:data(01)}"),
    ("NSDate", [("NS.time", .text("now"))], "NSDate{NS.time:'now'}"),
    ("NSDictionary", [("NS.keys", .array([.uid(3)])), ("NS.objects", .array([]))], "NSDictionary{NS.keys:['three'],NS.objects:[]}"),
    ("NSOrderedSet", [("NS.object.0", .integer(0)), ("NS.object.2", .integer(1))], "NSOrderedSet{NS.object.0:0,NS.object.2:1}"),
    ("NSArray", [("NS.objects", .array([])), ("name", .uid(3))], "NSArray{NS.objects:[],name:'three'}"),
    ("NSAttributedString", [("NSString", .uid(3)), ("NSAttributes", .uid(0))], "NSAttributedString{NSString:'three',NSAttributes:null}"),
    ("Shop.Basket", [("items", .array([.uid(3)])), ("$own", .integer(1))], "Shop.Basket{items:['three'],$own:1}"),
    ("Café", [], "Café{}"),
  ]

  @Test(arguments: plainForms)
  func `classes are told apart`(name: String, fields: [(String, Plain)], expected: String) throws {
    #expect(try Self.decoded([.object(class: 2, fields), .described(name), .text("three")]) == expected)
  }

  @Test func `what came before is a reference`() throws {
    let pair = Plain.object(class: 3, [("NS.objects", .array([.uid(2), .uid(2), .uid(4), .uid(4), .uid(1)]))])
    let objects: [Plain] = [
      pair, .object(class: 5, [("self", .uid(2)), ("up", .uid(1))]), .described("NSArray"), .text("shared texts stand at each place"),
      .described("Node"),
    ]
    let text = "'shared texts stand at each place'"
    #expect(try Self.decoded(objects) == "[Node{self:ref(2),up:ref(1)},ref(2),\(text),\(text),ref(1)]")
  }

  @Test func `dictionary keys may be archived strings`() throws {
    let objects: [Plain] = [
      .object(class: 2, [("NS.keys", .array([.uid(3)])), ("NS.objects", .array([.uid(1)]))]), .described("NSDictionary"),
      .object(class: 4, [("NS.string", .text("k"))]), .described("NSMutableString"),
    ]
    #expect(try Self.decoded(objects) == "{k:ref(1)}")
  }

  @Test func `references that lead nowhere or in circles`() throws {
    #expect(
      try Self.decoded([.array([.uid(99), .uid(0), .uid(2), .uid(4)]), .uid(3), .uid(2), .uid(4)]) == "[uid(99),null,ref(2),ref(4)]")
    #expect(try Self.decoded([.dictionary([("$class", .uid(77)), ("a", .uid(1))])]) == "{$class:uid(77),a:ref(1)}")
    #expect(try Self.decoded([.dictionary([("$class", .uid(1)), ("$classname", .integer(3))])]) == "{$class:ref(1),$classname:3}")
    #expect(try Self.decoded([.dictionary([("$class", .text("no reference"))])]) == "{$class:'no reference'}")
  }

  @Test func `top with other keys is an object`() throws {
    let top: [(String, Plain)] = [("root", .uid(1)), ("$1", .uid(1)), ("plain", .integer(4))]
    #expect(try Self.decoded([.array([.integer(1)])], top: top) == "{root:[1],$1:ref(1),plain:4}")
    #expect(try Self.decoded([], top: []) == "{}")
    #expect(try Self.decoded([.text("x")], top: [("other", .uid(1))]) == "{other:'x'}")
  }

  @Test func `archives inside data are decoded too`() throws {
    let inner = Plain.archive([.text("inside")]).binary
    let middle = Plain.archive([.dictionary([("d", .data(inner))])]).binary
    #expect(try Transcript.of(Plain.array([.data(middle), .data([1])]).binary) == "[archive({d:archive('inside')}),data(01)]")
    let plain = try Transcript.of(Plain.array([.data(inner)]).binary, decodingArchives: false)
    #expect(plain.hasPrefix("[data(62706c697374") && !plain.contains("archive("))
  }

  @Test func `data that only begins like an archive stays data`() throws {
    var broken = Plain.archive([.text("inside")]).binary
    broken[broken.count - 20] = 0xFF
    let truncated = Array(Plain.archive([.text("inside")]).binary.dropLast())
    for bytes in [broken, truncated, Array("bplist00 is no archive".utf8), Plain.dictionary([("$archiver", .text("x"))]).binary] {
      #expect(try Transcript.of(Plain.array([.data(bytes)]).binary).hasPrefix("[data("))
      #expect(!Self.isArchive(bytes))
    }
  }

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$objects</key><array><string>$null</string>
        <dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict><key>n</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        <dict><key>$classname</key><string>Node</string></dict></array>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
    </dict></plist>
    """

  @Test func `xml archives refer by dictionaries, binary ones don't`() throws {
    #expect(try Transcript.of(Array(Self.xml.utf8)) == "archive(Node{n:ref(1)})")
    #expect(try Transcript.of(Plain.array([.data(Array(Self.xml.utf8))]).binary) == "[archive(Node{n:ref(1)})]")
    #expect(try Self.decoded([.dictionary([("CF$UID", .integer(1))])]) == "{CF$UID:1}")
  }

  @Test func `isArchive tells archives from other lists and other bytes`() throws {
    #expect(Self.isArchive(Plain.archive([]).binary))
    #expect(Self.isArchive(Array(Self.xml.utf8)))
    #expect(try PropertyList(Array(Self.xml.utf8)).isArchive)
    #expect(try !PropertyList(Array("{}".utf8)).isArchive)
    for bytes in [[], [0], Array("<?xml $archiver".utf8), Array("<plist><string>$archiver</string></plist>".utf8), Plain.array([]).binary]
      as [[UInt8]]
    {
      #expect(!Self.isArchive(bytes))
    }
  }

  @Test func `decode passes nothing of what is no archive`() throws {
    var transcript = Transcript()
    let (list, archive) = (Plain.array([.integer(1)]).binary, Plain.archive([.integer(1)]).binary)
    let isListDecoded = try KeyedArchive.decode(list.span, into: &transcript)
    #expect(!isListDecoded)
    #expect(transcript.text.isEmpty)
    let isArchiveDecoded = try KeyedArchive.decode(archive.span, into: &transcript)
    #expect(isArchiveDecoded)
    #expect(transcript.text == "archive(1)")
  }

  @Test func `an archive too deep to decode comes as the plain list`() throws {
    func chain(_ count: Int) -> Plain { .archive((1...count).map { .array($0 == count ? [] : [.uid($0 + 1)]) }) }
    #expect(
      try Transcript.of(chain(512).binary) == "archive(" + String(repeating: "[", count: 512) + String(repeating: "]", count: 512) + ")")
    #expect(
      try Transcript.of(chain(513).binary).hasPrefix(
        "{$version:100000,$archiver:'NSKeyedArchiver',$top:{root:uid(1)},$objects:['$null',[uid(2)]"))
    #expect(try Transcript.of(Plain.array([.data(chain(512).binary)]).binary).hasPrefix("[data("))
    // A chain of references is as deep as it is long.
    let references = Plain.archive((1...5000).map { Plain.uid($0 + 1) })
    #expect(try Transcript.of(references.binary).hasPrefix("{$version"))
  }

  @Test func `many small bombs inside data end`() throws {
    // Each is an archive that would expand to 2^39 values; each attempt is bounded, and so are all together.
    let arrays: [[UInt8]] = (5..<43).map { (next: UInt8) in BinaryFixture.array([next + 3, next + 3]) }
    var bomb = BinaryFixture(
      objects: [
        BinaryFixture.dictionary((1, 1), (2, 4), (3, 5)), BinaryFixture.text("$archiver"), BinaryFixture.text("$objects"),
        BinaryFixture.text("$top"),
        BinaryFixture.array([7]), BinaryFixture.dictionary((6, 7)), BinaryFixture.text("root"),
      ] + arrays + [[0x09]])
    bomb.objects.append([0x09])
    #expect(Self.isArchive(bomb.bytes))
    let list = Plain.array([Plain](repeating: .data(bomb.bytes), count: 300))
    var limits = PropertyListLimits.standard
    limits.expandedValues = 200_000
    #expect(try Transcript.of(list.binary, limits: limits).hasPrefix("[data("))
  }

  @Test func `a visitor's error ends the walk`() throws {
    struct Full: Error {}
    struct Sink: PropertyListVisitor {
      var left: Int
      mutating func take() throws { left -= 1; if left < 0 { throw Full() } }
      mutating func null() throws { try take() }
      mutating func boolean(_ value: Bool) throws { try take() }
      mutating func integer(_ value: Int64) throws { try take() }
      mutating func unsigned(_ value: UInt64) throws { try take() }
      mutating func real(_ value: Double) throws { try take() }
      mutating func date(secondsSince2001 seconds: Double) throws { try take() }
      mutating func data(_ bytes: Span<UInt8>) throws { try take() }
      mutating func uuid(_ bytes: Span<UInt8>) throws { try take() }
      mutating func text(_ utf8: Span<UInt8>) throws { try take() }
      mutating func malformedText(_ bytes: Span<UInt8>) throws { try take() }
      mutating func uid(_ value: UInt64) throws { try take() }
      mutating func beginArray(_ kind: PropertyListArrayKind, count: Int) throws { try take() }
      mutating func endArray() throws { try take() }
      mutating func beginDictionary(count: Int) throws { try take() }
      mutating func key(_ utf8: Span<UInt8>) throws { try take() }
      mutating func endDictionary() throws { try take() }
      mutating func beginPairs(count: Int) throws { try take() }
      mutating func beginPair() throws { try take() }
      mutating func endPair() throws { try take() }
      mutating func endPairs() throws { try take() }
      mutating func beginPairValue(named name: Span<UInt8>?) throws { try take() }
      mutating func archive(_ bytes: Span<UInt8>, decode: (inout Sink) throws -> Void) throws {
        try take()
        try decode(&self)
        try take()
      }
      mutating func beginObject(class name: Span<UInt8>, count: Int) throws { try take() }
      mutating func endObject() throws { try take() }
      mutating func reference(_ index: Int) throws { try take() }
    }
    let inner = Plain.archive([.object(class: 2, [("a", .uid(1)), ("b", .array([.integer(1)]))]), .described("Node")]).binary
    let list = try PropertyList(Plain.dictionary([("k", .data(inner)), ("t", .text("x"))]).binary)
    var events = 0
    while true {
      var sink = Sink(left: events)
      do { try list.visit(&sink) } catch is Full { events += 1; continue }
      break
    }
    #expect(events == 15)
  }
}
