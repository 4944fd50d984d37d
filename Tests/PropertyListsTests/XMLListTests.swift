import PropertyLists
import Testing

@Suite struct XMLListTests {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    """

  private static let values: [(String, String)] = [
    ("<string/>", "''"), ("<string></string>", "''"), ("<string>  a\tb\n </string>", "'  a\tb\n '"),
    ("<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#x0041;</string>", "'<>&\"'A😀A'"),
    ("<string><![CDATA[<&amp;>]]]]><![CDATA[>]]></string>", "'<&amp;>]]>'"), ("<string>a<!-- - -->b<?pi?>c</string>", "'abc'"),
    ("<string>a\r\nb\rc&#13;</string>", "'a\nb\nc\r'"), ("<string>\u{1}</string>", "'\u{1}'"),
    ("<integer>0</integer>", "0"), ("<integer> -9223372036854775808 </integer>", "-9223372036854775808"),
    ("<integer>18446744073709551615</integer>", "unsigned(18446744073709551615)"), ("<integer>+007</integer>", "7"),
    ("<integer>0xFFffFFffFFffFFff</integer>", "unsigned(18446744073709551615)"), ("<integer>-0x10</integer>", "-16"),
    ("<integer>-0</integer>", "0"),
    ("<real>1</real>", "1.0"), ("<real>-0</real>", "-0.0"), ("<real>0.1</real>", "0.1"), ("<real>.5</real>", "0.5"),
    ("<real>1e-7</real>", "1e-07"),
    ("<real>nan</real>", "nan"), ("<real>-Infinity</real>", "-inf"), ("<real>+inf</real>", "inf"),
    ("<date>2001-01-01T00:00:00Z</date>", "date(0.0)"), ("<date>1970-01-01T00:00:00Z</date>", "date(-978307200.0)"),
    ("<date>2024-02-29T12:30:05Z</date>", "date(730902605.0)"), ("<date>0001-01-01T00:00:00Z</date>", "date(-63113904000.0)"),
    ("<date>9999-12-31T23:59:59Z</date>", "date(252423993599.0)"), ("<date>2001-01-01T00:00:00.25Z</date>", "date(0.25)"),
    ("<date>-0001-12-31T00:00:00Z</date>", "date(-63145612800.0)"), ("<date>12345-06-07T08:09:10Z</date>", "date(326438669350.0)"),
    ("<data>AAEC\n\t /w==</data>", "data(000102ff)"), ("<data/>", "data()"), ("<data>AAECAw</data>", "data(00010203)"),
    ("<true/>", "true"), ("<false></false>", "false"), ("<array/>", "[]"), ("<dict/>", "{}"), ("<dict>\n</dict>", "{}"),
    ("<dict><key>b</key><true/><key>a</key><array><dict/></array></dict>", "{b:true,a:[{}]}"),
    ("<dict><!-- x --><key>a</key><!-- y --><string>1</string></dict>", "{a:'1'}"), ("<dict><key/><true/></dict>", "{:true}"),
    ("<dict><key>a</key><true/><key>a</key><false/></dict>", "pairs[['a':,true],['a':,false]]"),
    ("<dict><key>CF$UID</key><integer>7</integer></dict>", "{CF$UID:7}"), ("<string xml:space='preserve'>a</string >", "'a'"),
  ]

  @Test(arguments: values)
  func `every element is read without loss`(element: String, expected: String) throws {
    #expect(try Transcript.of(Array("\(Self.head)\n<plist version=\"1.0\">\(element)</plist>\n".utf8)) == expected)
    #expect(try Transcript.of(Array("\(element)<!-- the end -->".utf8)) == expected, "without the element around it")
  }

  private static let errors: [(String, PropertyListError.Code, Int)] = [
    ("<plist></plist>", .missingValue, 7), ("<plist/>", .missingValue, 0), ("<plist><true/><true/></plist>", .unexpectedElement, 14),
    ("<true/><true/>", .trailingContent, 7), ("<true/>x", .trailingContent, 7), ("<plist><true/></plist>x", .trailingContent, 22),
    ("<plist>x<true/></plist>", .unexpectedCharacter, 7), ("<array>x</array>", .unexpectedCharacter, 7),
    ("<dict><true/></dict>", .unexpectedElement, 6), ("<dict><key>a</key></dict>", .missingValue, 18),
    ("<dict><key>a</key><key>b</key></dict>", .unexpectedElement, 18), ("<key>a</key>", .unexpectedElement, 0),
    ("<array><key>a</key></array>", .unexpectedElement, 7), ("<array></dict>", .unexpectedElement, 7), ("</array>", .unexpectedElement, 0),
    ("<plist><string>a</key></plist>", .unexpectedElement, 16), ("<string><true/></string>", .unexpectedElement, 8),
    ("<plist><set/></plist>", .unexpectedElement, 7), ("<plist><plist/></plist>", .unexpectedElement, 7),
    ("<string>&nbsp;</string>", .badEntity, 8), ("<string>&#0;</string>", .badEntity, 8), ("<string>&#xD800;</string>", .badEntity, 8),
    ("<string>&#x110000;</string>", .badEntity, 8), ("<string>a&b</string>", .badEntity, 9), ("<string>&#x;</string>", .badEntity, 8),
    ("<string>&#99999999999999999999;</string>", .badEntity, 8), ("<string>\0</string>", .unexpectedCharacter, 8),
    ("<integer/>", .badInteger, 10), ("<integer>42xy</integer>", .badInteger, 9), ("<integer>1.0</integer>", .badInteger, 9),
    ("<integer>- 1</integer>", .badInteger, 9), ("<integer>18446744073709551616</integer>", .integerTooLarge, 9),
    ("<integer>-9223372036854775809</integer>", .integerTooLarge, 9),
    ("<integer>\(String(repeating: "9", count: 400))</integer>", .integerTooLarge, 9),
    ("<real/>", .badReal, 7), ("<real>1e999</real>", .badReal, 6), ("<real>0x1p3</real>", .badReal, 6), ("<real>1,5</real>", .badReal, 6),
    ("<real>--1</real>", .badReal, 6),
    ("<date>2024-02-30T00:00:00Z</date>", .badDate, 6), ("<date>2023-02-29T00:00:00Z</date>", .badDate, 6), ("<date/>", .badDate, 7),
    ("<date>2024-01-01T24:00:00Z</date>", .badDate, 6), ("<date>2024-01-01T00:00:00</date>", .badDate, 6),
    ("<date>2024-00-01T00:00:00Z</date>", .badDate, 6),
    ("<date>99999999999-01-01T00:00:00Z</date>", .badDate, 6),
    ("<data>AA!A</data>", .badData, 6), ("<data>A</data>", .badData, 6), ("<data>A===</data>", .badData, 6),
    ("<data>AA==AA</data>", .badData, 6),
    ("<true>x</true>", .unexpectedCharacter, 6),
    ("<!DOCTYPE plist [ <!ENTITY a \"b\"> ]><plist><true/></plist>", .entityDeclaration, 18),
    ("<!DOCTYPE plist [ <!ELEMENT plist ANY> <!ENTITY % a SYSTEM \"file:///etc/passwd\"> ]><plist/>", .entityDeclaration, 39),
    ("<?xml version='1.0' encoding='Shift_JIS'?><plist><true/></plist>", .unsupportedEncoding, 0),
  ]

  @Test(arguments: errors)
  func `a broken list is an error with its place`(text: String, code: PropertyListError.Code, offset: Int) throws {
    let found = #expect(throws: PropertyListError.self) { try Transcript.of(Array(text.utf8)) }
    #expect(found?.code == code)
    #expect(found?.offset == offset)
  }

  @Test(arguments: [
    "<!DOCTYPE plist SYSTEM \"file:///nowhere.dtd\">", "<!DOCTYPE plist [ <!ELEMENT plist ANY> <!-- <!ENTITY ]> --> ]>",
    "<!-- a --><?pi b?><!DOCTYPE plist PUBLIC \"a>b\" 'c>d'>", "<!DOCTYPE plist [ <!ATTLIST plist version CDATA \"]>\"> ]>",
  ])
  func `document types mean nothing`(type: String) throws {
    #expect(try Transcript.of(Array("\(type)<plist><true/></plist>".utf8)) == "true")
  }

  /// A text in all encodings that can be told, with and without a byte order mark.
  private static func encoded(_ text: String) -> [(String, [UInt8])] {
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big32 = text.unicodeScalars.flatMap { BinaryFixture.number(Int($0.value), 4) }
    let little32 = text.unicodeScalars.flatMap { BinaryFixture.number(Int($0.value), 4).reversed() }
    return [
      ("UTF-8", Array(text.utf8)), ("UTF-8, mark", [0xEF, 0xBB, 0xBF] + Array(text.utf8)), ("UTF-16BE", big), ("UTF-16LE", little),
      ("UTF-16BE, mark", [0xFE, 0xFF] + big), ("UTF-16LE, mark", [0xFF, 0xFE] + little), ("UTF-32BE", big32), ("UTF-32LE", little32),
      ("UTF-32BE, mark", [0, 0, 0xFE, 0xFF] + big32), ("UTF-32LE, mark", [0xFF, 0xFE, 0, 0] + little32),
    ]
  }

  @Test(arguments: [
    "<?xml version='1.0'?><plist><string>Zoë 😀</string></plist>", "{ a = \"Zoë 😀\"; }", "<plist><string>Zoë 😀</string></plist>",
  ])
  func `all encodings give the same`(text: String) throws {
    for (name, bytes) in Self.encoded(text) {
      let expected = text.hasPrefix("{") ? "{a:'Zoë 😀'}" : "'Zoë 😀'"
      #expect(try Transcript.of(bytes) == expected, "\(name)")
    }
  }

  @Test func `errors give the place in the file's own encoding`() throws {
    let text = "<plist><string>ë😀</string><true/></plist>"
    // UTF-8 has two bytes for ë and four for 😀, UTF-16 two and four, UTF-32 four and four.
    let expected = [30, 33, 54, 54, 56, 56, 104, 104, 108, 108]
    for ((name, bytes), offset) in zip(Self.encoded(text), expected) {
      let found = #expect(throws: PropertyListError.self) { try Transcript.of(bytes) }
      #expect(found?.offset == offset, "\(name)")
    }
  }

  @Test func `bytes that don't fit the encoding are an error`() {
    let cases: [([UInt8], Int)] = [
      (Array("<string>".utf8) + [0xE9, 0x3C], 8), (Array("<string>".utf8) + [0xED, 0xA0, 0x80, 0x3C], 8),
      ([0xFE, 0xFF, 0, 0x3C, 0xD8], 4), ([0xFE, 0xFF, 0, 0x3C, 0xD8, 0], 4), ([0xFE, 0xFF, 0, 0x3C, 0xDC, 0], 4),
      ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x3C, 0, 0x11, 0, 0], 8),
    ]
    for (bytes, offset) in cases {
      let found = #expect(throws: PropertyListError.self) { try Transcript.of(bytes) }
      #expect(found?.code == .invalidText)
      #expect(found?.offset == offset)
    }
  }

  @Test func `declared latin 1 is read as such`() throws {
    let text = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><string>".utf8) + [0xE9] + Array("</string></plist>".utf8)
    #expect(try Transcript.of(text) == "'é'")
  }
}
