import Foundation
import JSONReading
import Testing

@testable import BundleView

@Suite("Values as people read them")
struct ValueTests {
  private func html(_ json: String) -> String {
    let values = ValueHTML(words: Words(language: "en"), root: "../../", file: "data/x.json")
    var html = SafeHTML(capacity: 16)
    let bytes = Array(json.utf8)
    bytes.withUnsafeBytes { bytes in
      let item = JSONItem(bytes: bytes)
      if values.scalar(item, to: &html) { return }
      var tree = TreeHTML(values)
      tree.cell(item, to: &html)
    }
    let text = String(decoding: html.bytes, as: UTF8.self)
    #expect(PageText(text).problems.isEmpty)
    return text
  }

  @Test(arguments: [
    ("null", "<span class=\"nil\">–</span>"), ("true", "Yes"), ("false", "No"), ("12345678901234567890", "12345678901234567890"),
    ("-1.5e300", "-1.5e300"),
    ("\"\"", ""), ("\"a<b\"", "a&lt;b"), ("[]", "<span class=\"nil\">empty list</span>"), ("{}", "<span class=\"nil\">empty</span>"),
    ("\"https://a.example/x\"", "<a href=\"https://a.example/x\" rel=\"noreferrer noopener\">https://a.example/x</a>"),
    ("\"javascript:x\"", "javascript:x"),
    ("\"2024-03-12T10:15:00Z\"", "<time datetime=\"2024-03-12T10:15:00Z\" title=\"2024-03-12T10:15:00Z\">12 March 2024, 10:15</time>"),
    (
      "\"2024-03-12T10:15:00.123456789Z\"",
      "<time datetime=\"2024-03-12T10:15:00.123Z\" title=\"2024-03-12T10:15:00.123456789Z\">12 March 2024, 10:15</time>"
    ),
    ("\"2024-03-12T10:15:00\"", "<time datetime=\"2024-03-12T10:15:00\" title=\"2024-03-12T10:15:00\">12 March 2024, 10:15</time>"),
    ("\"2024-03-12 10:15:00\"", "2024-03-12 10:15:00"), ("\"2024-13-12T10:15:00Z\"", "2024-13-12T10:15:00Z"),
    ("\"2024-03-12T10:15:00Zx\"", "2024-03-12T10:15:00Zx"),
    (
      "{\"$date\":\"2024-03-12T10:15:00Z\"}",
      "<time datetime=\"2024-03-12T10:15:00Z\" title=\"2024-03-12T10:15:00Z\">12 March 2024, 10:15</time>"
    ),
    ("{\"$date\":-1e15}", "-1e15 seconds after 1970"), ("{\"$number\":\"-Infinity\"}", "Minus infinity"),
    ("{\"$number\":\"NaN\"}", "Not a number"),
    ("{\"$missing\":\"a<b.jpg\"}", "<span class=\"badge warn\">File is gone: <bdi>a&lt;b.jpg</bdi></span>"),
    ("{\"$uid\":7}", "Reference 7"),
    ("{\"$ref\":3}", "<span class=\"soft\">the same as object 3</span>"),
    ("{\"$base64\":\"AAECAw==\"}", "<span class=\"bytes\">4 bytes of data</span>"),
    ("{\"$base64\":\"iVBORw0KGgoAAAANSUhEUgAAAAE=\"}", "<span class=\"bytes\">20 bytes, PNG</span>"),
    (
      "{\"$file\":\"records/x/files/a b.jpg\",\"bytes\":1234}", "<a class=\"file\" href=\"../../data/records/x/files/a%20b.jpg\">1.2 KB</a>"
    ),
    ("{\"$file\":\"records/x/files/1.bin\",\"bytes\":9}", "<span class=\"file\">9 bytes<br><code>data/records/x/files/1.bin</code></span>"),
    (
      "{\"$file\":\"records/x/files/1.HTML\",\"bytes\":9}",
      "<span class=\"file\">9 bytes<br><code>data/records/x/files/1.HTML</code></span>"
    ),
    (
      "{\"$$x\":1}",
      "<details><summary>1 entry</summary><ul class=\"tree\"><li><span class=\"k\">$x</span><div class=\"v\">1</div></li></ul></details>"
    ),
    (
      "{\"\":[null],\"b\":{\"$class\":\"C\",\"x\":1}}",
      "<details><summary>2 entries</summary><ul class=\"tree\"><li><details><summary><span class=\"k\">“”</span><span class=\"c\">1 entry</span></summary><ul><li><span class=\"k\">1</span><div class=\"v\"><span class=\"nil\">–</span></div></li></ul></details></li><li><details><summary><span class=\"k\">b</span><span class=\"c\">1 entry · <bdi>C</bdi></span></summary><ul><li><span class=\"k\">x</span><div class=\"v\">1</div></li></ul></details></li></ul></details>"
    ),
    (
      "{\"$archive\":[1],\"$base64\":\"AA==\"}",
      "<details><summary>Saved object</summary><ul class=\"tree\"><li><span class=\"k\">1</span><div class=\"v\">1</div></li></ul></details>"
    ),
    (
      "{\"$pairs\":[[1,2]]}",
      "<details><summary>1 entry</summary><ul class=\"tree\"><li><span class=\"c\">Key</span><ul><li><div class=\"v\">1</div></li></ul><span class=\"c\">Value</span><ul><li><div class=\"v\">2</div></li></ul></li></ul></details>"
    ),
    ("{\"$cut\":2000000}", "<span class=\"bytes\">2 MB of data</span> <code>data/x.json</code>"),
  ])
  func values(json: String, expected: String) {
    #expect(html(json) == expected)
  }

  @Test("a masked value says why", arguments: ["secret", "third-party", "regulated", "odd"])
  func masked(reason: String) {
    let text = html("{\"$redacted\":\"\(reason)\"}")
    #expect(text.hasPrefix("<span class=\"badge mask\" title=\""))
    #expect(text.contains(">Masked: "))
  }

  @Test("a long text is folded", arguments: [(300, false), (301, true), (10_000, true), (10_001, true)])
  func folded(letters: Int, isFolded: Bool) {
    let text = html("\"" + String(repeating: "\\n", count: letters) + "\"")
    #expect(text.contains("<details") == isFolded)
    #expect(text.contains("Cut here") == (letters > 10_000))
  }

  @Test("values of a row are found as a reader of JSON finds them")
  func split() {
    let row = #"{"a":1,"b\"}":"x\\\"},","c":[1,{"d":"]}"},[]],"e":{},"f":null,"g":-1.5e-7,"h":true,"i":{"j":[{"k":"\\"}]},"l":""}"#
    let bytes = Array(row.utf8)
    bytes.withUnsafeBytes { line in
      var fields = RowFields()
      fields.split(line)
      let found = fields.values.map { String(decoding: $0, as: UTF8.self) }
      #expect(found == ["1", #""x\\\"},""#, #"[1,{"d":"]}"},[]]"#, "{}", "null", "-1.5e-7", "true", #"{"j":[{"k":"\\"}]}"#, "\"\""])
    }
  }

  @Test(arguments: [
    ("oauth_access_grants", "Oauth access grants"), ("createdAt", "Created at"), ("ZNOTE", "ZNOTE"), ("_x", "X"), ("__", "__"), ("", ""),
    ("a  b_", "A b"),
    ("URLPath", "URLPath"), ("straße", "Straße"), ("éa", "Éa"), ("page2Title", "Page2 title"),
  ])
  func labels(name: String, expected: String) {
    #expect(Label.of(collection: name) == expected)
  }

  @Test(arguments: [("id", "ID"), ("ID", "ID"), ("folder_id", "Folder"), ("_id", "Id"), ("user_name", "User name")])
  func columnLabels(name: String, expected: String) {
    #expect(Label.of(column: name) == expected)
  }
}

@Suite("The words of the pages")
struct WordTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (1234, "1.2 KB"), (9950, "10 KB"), (99_500, "100 KB"),
    (1_500_000, "1.5 MB"), (2_000_000_000, "2 GB"),
  ])
  func sizes(bytes: UInt64, expected: String) {
    #expect(Words(language: "en").size(bytes) == expected)
  }

  @Test(arguments: [(0, "0 rows"), (1, "1 row"), (1000, "1,000 rows"), (1_234_567, "1,234,567 rows")])
  func plurals(count: Int, expected: String) {
    #expect(Words(language: "en").plural("rows", count) == expected)
  }

  @Test("a language that there isn't is English", arguments: ["en", "en-GB", "tlh", "", "EN"])
  func fallback(language: String) {
    #expect(Words(language: language)["page.search"] == "Search")
  }

  @Test(
    "hashes are as a policy writes them",
    arguments: [
      ("", "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"), ("abc", "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"),
    ])
  func hashes(text: String, expected: String) {
    #expect(ContentHash.source(of: Array(text.utf8)) == expected)
  }
}
