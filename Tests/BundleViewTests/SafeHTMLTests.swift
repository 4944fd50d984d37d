import Testing

@testable import BundleView

@Suite("HTML that can't hold anything but ours")
struct SafeHTMLTests {
  private func html(_ write: (inout SafeHTML) -> Void) -> String {
    var html = SafeHTML(capacity: 0)
    write(&html)
    return String(decoding: html.bytes, as: UTF8.self)
  }

  static let texts: [(String, String)] = [
    ("plain text", "plain text"), ("", ""), ("<script>", "&lt;script&gt;"), ("\"'&", "&quot;&#39;&amp;"), ("a\tb\nc", "a\tb\nc"),
    ("\u{0}\u{8}\r\u{1F}\u{7F}", "␀␈␍␟␡"), ("\u{80}\u{9F}\u{A0}", "\u{FFFD}\u{FFFD}\u{A0}"),
    ("\u{FFFE}\u{FFFF}" + String(decoding: [0xEF, 0xB7, 0x90, 0xEF, 0xB7, 0xAF], as: UTF8.self), "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{1FFFE}\u{10FFFF}\u{FDF0}\u{FEFF}", "\u{FFFD}\u{FFFD}\u{FDF0}\u{FEFF}"), ("é日𝄞👩🏾‍🍳", "é日𝄞👩🏾‍🍳"), ("a\\n", "a\\n"),
    ("\u{202E}abc", "\u{202E}abc"),
  ]

  @Test(
    "text is escaped, and what HTML can't hold is replaced",
    arguments: texts)
  func text(text: String, expected: String) {
    #expect(html { $0.text(text) } == expected)
  }

  @Test(
    "what stands in JSON is read and escaped in one",
    arguments: [
      (#"a\"b"#, "a&quot;b"), (#"\\n"#, "\\n"), (#"\n\t"#, "\n\t"), (#"\r\b\f"#, "␍␈␌"), (#"\/"#, "/"), (#"\u003cb\u003E"#, "&lt;b&gt;"),
      (#"\u0000"#, "␀"),
      (#"\ud83d\ude00"#, "😀"), (#"\ud83d"#, "\u{FFFD}"), (#"\ud83dx"#, "\u{FFFD}x"), (#"\ude00"#, "\u{FFFD}"), (#"\u12"#, "\u{FFFD}12"),
      (#"<\\>"#, "&lt;\\&gt;"), (#"\""#, "&quot;"),
      (#"\u0026amp;"#, "&amp;amp;"),
    ])
  func json(text: String, expected: String) {
    #expect(html { html in Array(text.utf8).withUnsafeBytes { html.text(json: $0) } } == expected)
  }

  @Test(arguments: [(0, "0"), (-1, "-1"), (1234567, "1234567"), (Int.max, "9223372036854775807"), (Int.min, "-9223372036854775808")])
  func numbers(number: Int, expected: String) {
    #expect(html { $0.number(number) } == expected)
  }

  @Test(
    "data can't end its element",
    arguments: [(#"{"a":"</script>"}"#, #"{"a":"\u003c/script>"}"#), ("[]", "[]"), ("\"<!--<\"", "\"\\u003c!--\\u003c\"")])
  func data(json: String, expected: String) {
    #expect(html { html in Array(json.utf8).withUnsafeBytes { html.data(json: $0) } } == expected)
  }

  @Test(
    "a path keeps its letters in an address, whatever they are",
    arguments: [
      ("a/b.txt", "a/b.txt"), ("ä b#c?d.txt", "%C3%A4%20b%23c%3Fd.txt"), ("\"><x", "%22%3E%3Cx"), ("javascript:x", "javascript%3Ax"),
      ("a&b'c", "a%26b%27c"),
    ])
  func paths(path: String, expected: String) {
    #expect(html { $0.path(path) } == expected)
  }

  @Test(
    "only a whole and plain address of the web is a link",
    arguments: [
      ("https://a.example/x?y=1&z=2#f", true), ("https://a.example:8080?x", true), ("https://a@b.example/", false),
      ("https://a.example:x/", false), ("https://a.example[1]", false), ("http://a.example", true), ("HTTPS://a.example", false),
      ("javascript:alert(1)", false),
      ("https://", false),
      ("https://a.example/ b", false), ("https://a.example/\"", false), ("https://a.example/%zz", false), ("https://a.example/%2F", true),
      ("https:///x", false),
      ("https://a.example/<", false), ("https://a.example/é", false), ("ftp://a.example", false), ("https://a.example/#a#b", false),
      ("https://a.example/\\", false),
    ])
  func addresses(text: String, isLink: Bool) {
    #expect(Array(text.utf8).withUnsafeBytes { SafeHTML.isWebAddress($0) } == isLink)
  }

  @Test("it grows, and can be taken back")
  func buffer() {
    let text = String(repeating: "<", count: 100_000)
    #expect(html { $0.text(text) }.utf8.count == 400_000)
    #expect(
      html { html in
        html.text("kept")
        let length = html.count
        html.text("not")
        html.truncate(to: length)
      } == "kept")
  }
}
