import AccountExport
import Files
import Foundation
import PreferencesSource
import Testing

@Suite struct PreferencesSourceTests {
  private static let values: [(String, String)] = [
    ("<string>Gr\u{FC}\u{DF}e</string>", "\"Gr\u{FC}\u{DF}e\""), ("<integer>18446744073709551615</integer>", "18446744073709551615"),
    ("<real>1</real>", "1.0"), ("<real>nan</real>", "{\"$number\":\"NaN\"}"), ("<real>-inf</real>", "{\"$number\":\"-Infinity\"}"),
    ("<true/>", "true"),
    ("<date>2024-02-29T12:30:05Z</date>", "{\"$date\":\"2024-02-29T12:30:05Z\"}"),
    ("<date>12345-01-01T00:00:00Z</date>", "{\"$date\":327403382400.0}"),
    ("<data>AAEC</data>", "{\"$base64\":\"AAEC\"}"), ("<array><dict/><array/></array>", "[{},[]]"),
    (
      "<dict><key>$a</key><true/><key>$$b</key><dict><key>$date</key><integer>1</integer></dict></dict>",
      "{\"$$a\":true,\"$$$b\":{\"$$date\":1}}"
    ),
    ("<dict><key>a</key><integer>1</integer><key>a</key><integer>2</integer></dict>", "{\"$pairs\":[[\"a\",1],[\"a\",2]]}"),
    ("<dict><key>CF$UID</key><integer>7</integer></dict>", "{\"CF$UID\":7}"),
  ]

  @Test(arguments: values)
  func `values are written as the format says`(element: String, expected: String) async throws {
    let scratch = try Scratch()
    let bundle = try await scratch.export(scratch.write("<plist>\(element)</plist>", to: "com.example.app.plist"))
    #expect(bundle.names == ["com.example.app.json"])
    #expect(bundle.text("com.example.app.json") == expected)
    #expect(bundle.outcome == .complete && bundle.omissions.isEmpty)
  }

  @Test func `the content decides, not the name`() async throws {
    let scratch = try Scratch()
    try scratch.write("{ a = (1, <*I2>, \"3\"); }", to: "in/openstep.json")
    try scratch.write(
      "\u{FEFF} {\"n\": 1.00, \"big\": 123456789012345678901234567890, \"e\": 1E+2, \"z\": {\"b\": null, \"a\": [true]}}",
      to: "in/json.plist")
    try scratch.write("<plist><true/></plist>", to: "in/XML.PLIST")
    try scratch.write(Self.uids, to: "in/binary")
    try scratch.write("\"key\" = \"value\";", to: "in/Localizable.strings")
    let bundle = try await scratch.export(scratch.path("in"))
    #expect(bundle.names == ["Localizable.strings.json", "XML.json", "binary.json", "json.json", "openstep.json"])
    #expect(bundle.text("openstep.json") == "{\"a\":[\"1\",2,\"3\"]}")
    #expect(bundle.text("json.json") == "{\"n\":1.00,\"big\":123456789012345678901234567890,\"e\":1E+2,\"z\":{\"b\":null,\"a\":[true]}}")
    #expect(bundle.text("binary.json") == "[{\"$uid\":7}]")
    #expect(bundle.text("Localizable.strings.json") == "{\"key\":\"value\"}")
    #expect(bundle.outcome == .complete)
  }

  /// `[UID(7)]`
  private static let uids: [UInt8] =
    Array("bplist00".utf8) + [0xA1, 1, 0x80, 7, 8, 10] + [0, 0, 0, 0, 0, 0, 1, 1]
    + [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12]

  @Test func `json that text can't hold is kept as bytes`() async throws {
    let scratch = try Scratch()
    let bundle = try await scratch.export(scratch.write("{\"\\ud800\": \"a\\ude00\", \"password\": \"x\"}", to: "a.json"))
    #expect(
      bundle.text("a.json")
        == "{\"$pairs\":[[{\"$base64\":\"7aCA\"},{\"$base64\":\"YeG4gA==\"}],[\"password\",{\"$redacted\":\"secret\"}]]}"
        .replacingOccurrences(of: "YeG4gA==", with: Data([0x61, 0xED, 0xB8, 0x80]).base64EncodedString()))
  }

  @Test func `secrets are masked by name and by form, and counted`() async throws {
    let scratch = try Scratch()
    let list = """
      { apiKey = "AK-2"; theme = { keyboard = en; password = x; }; tokens = (a, {b = c;}); "empty password" = ""; secret = {}; token_type = bearer;
        list = (plain, "$2b$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234"); pin_secret = <00>; password = <*BY>; }
      """
    let bundle = try await scratch.export(scratch.write(list, to: "s.plist"))
    let masked = "{\"$redacted\":\"secret\"}"
    #expect(
      bundle.text("s.json") == """
        {"apiKey":\(masked),"theme":{"keyboard":"en","password":\(masked)},"tokens":\(masked),"empty password":"","secret":{},"token_type":"bearer",\
        "list":["plain",\(masked)],"pin_secret":\(masked),"password":true}
        """)
    #expect(bundle.manifest.redactions.reduce(0) { $0 + $1.count } == 5)
    #expect(bundle.outcome == .complete)
  }

  @Test func `secrets in pairs are masked by their key`() async throws {
    let scratch = try Scratch()
    let list = "{ password = one; password = two; note = three; note = four; }"
    let bundle = try await scratch.export(scratch.write(list, to: "p.plist"))
    let masked = "{\"$redacted\":\"secret\"}"
    #expect(
      bundle.text("p.json") == "{\"$pairs\":[[\"password\",\(masked)],[\"password\",\(masked)],[\"note\",\"three\"],[\"note\",\"four\"]]}")
  }

  private static let archive = """
    <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
    <key>$objects</key><array><string>$null</string>
    <dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict><key>SECRET</key><string>x</string>
      <key>me</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
    <dict><key>$classname</key><string>Note</string></dict></array>
    <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict></dict></plist>
    """

  @Test func `archives are decoded beside their bytes, without them where something is masked`() async throws {
    let scratch = try Scratch()
    let plain = Self.archive.replacing("SECRET", with: "$text")
    let masked = Self.archive.replacing("SECRET", with: "password")
    try scratch.write(plain, to: "in/a.plist")
    try scratch.write(masked, to: "in/b.plist")
    try scratch.write("{ w = <\(plain.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined())>; }", to: "in/c.plist")
    let bundle = try await scratch.export(scratch.path("in"))
    let decoded =
      "{\"$archive\":{\"$class\":\"Note\",\"$$text\":\"x\",\"me\":{\"$ref\":1}},\"$base64\":\"\(Data(plain.utf8).base64EncodedString())\"}"
    #expect(bundle.text("a.json") == decoded)
    #expect(bundle.text("b.json") == "{\"$archive\":{\"$class\":\"Note\",\"password\":{\"$redacted\":\"secret\"},\"me\":{\"$ref\":1}}}")
    #expect(bundle.text("c.json") == "{\"w\":\(decoded)}")
  }

  @Test func `large data gets a file of its own`() async throws {
    let scratch = try Scratch()
    let large = [UInt8](repeating: 7, count: 4097)
    let list =
      "<plist><array><data>\(Data(large).base64EncodedString())</data><data>\(Data(large.dropLast()).base64EncodedString())</data></array></plist>"
    let bundle = try await scratch.export(scratch.write(list, to: "d.plist"))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(bundle.files["d.json"] ?? [])) as? [[String: Any]])
    #expect(json[0]["bytes"] as? Int == 4097)
    let file = try #require(json[0]["$file"] as? String)
    #expect(bundle.files[String(file.dropFirst("preferences/".count))] == large)
    #expect((json[1]["$base64"] as? String).flatMap { Data(base64Encoded: $0) } == Data(large.dropLast()))
  }

  @Test func `names are unique, and changed ones keep their original`() async throws {
    let scratch = try Scratch()
    for name in ["app.plist", "APP.json", "app", "ByHost/app.plist", "CON.plist", ".plist"] { try scratch.write("{}", to: "in/" + name) }
    let bundle = try await scratch.export(scratch.path("in"))
    #expect(bundle.names.count == 6)
    #expect(Set(bundle.names.map { $0.lowercased() }).count == 6)
    #expect(!bundle.names.contains { $0.uppercased().hasPrefix("CON.") })
    #expect(bundle.outcome == .complete)
  }
}
