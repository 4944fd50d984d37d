import Files
import Testing

@Suite("Paths as bytes")
struct PathBytesTests {
  @Test func comparesBytesNotCharacters() {
    #expect(PathBytes("caf\u{E9}") != PathBytes("cafe\u{301}"))
    #expect(PathBytes([0x61, 0, 0x62]) == "a")
  }

  @Test(arguments: [
    ("a/b/c", "c", "a/b"), ("a", "a", "."), ("/", "", "/"), ("", "", "."), ("/a", "a", "/"), ("a/b///", "b", "a"), ("..", "..", "."),
  ])
  func splits(path: String, last: String, parent: String) {
    #expect(PathBytes(path).lastComponent == PathBytes(last))
    #expect(PathBytes(path).parent == PathBytes(parent))
  }

  @Test(arguments: [("", "a", "a"), ("a", "b", "a/b"), ("/", "b", "/b"), ("a/", "b", "a/b")])
  func appends(path: String, component: String, whole: String) {
    #expect(PathBytes(path).appending(PathBytes(component)) == PathBytes(whole))
  }

  @Test func knowsText() {
    #expect(PathBytes([0xC3, 0xA9]).text == "\u{E9}")
    #expect(PathBytes([0xE9]).text == nil)
    #expect(PathBytes([0xED, 0xA0, 0x80]).text == nil, "a lone surrogate is no UTF-8")
    #expect(PathBytes("/a").isAbsolute && !PathBytes("a").isAbsolute)
  }

  @Test(arguments: [
    ("plain \u{E9}", "plain \u{E9}"), ("\u{1B}[31m", "\\x1b[31m"), ("a\nb", "a\\x0ab"), ("x\u{202E}gpj", "x\\xe2\\x80\\xaegpj"),
    ("\u{7F}", "\\x7f"),
  ])
  func showsNothingThatSteers(name: String, shown: String) {
    #expect(PathBytes(name).display == shown)
    #expect("\(PathBytes(name))" == shown)
  }

  @Test(arguments: [0, 1, 1000, 100_000])
  func handsOutACString(length: Int) {
    let path = PathBytes([UInt8](repeating: 0xFF, count: length))
    #expect(path.withCString { (start) in (0...length).allSatisfy { start[$0] == ($0 < length ? -1 : 0) } })
  }
}
