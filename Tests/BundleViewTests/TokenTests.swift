import AccountExport
import Testing

@testable import BundleView

@Suite("What the search finds a page by")
struct TokenTests {
  private func tokens(_ html: String) -> Set<String> {
    var tokens = PageTokens()
    Array(html.utf8).withUnsafeBytes { tokens.add(html: $0) }
    let all = (0..<tokens.count).map { String(decoding: tokens.bytes[tokens.range($0)], as: UTF8.self) }
    #expect(Set(all).count == all.count, "a token comes twice")
    return Set(all)
  }

  @Test(
    arguments: [
      ("Hello, WORLD 42x", ["hello", "world", "42x"]), ("", []), ("a<b class=\"x y\">c</b>", ["a", "c"]),
      ("x&amp;y &quot;z", ["x", "y", "z"]),
      ("Ärger façade", ["arger", "facade"]), ("A\u{308}rger", ["arger"]), ("İstanbul ẞ ς", ["istanbul", "ß", "ς"]),
      ("日本語", ["日本", "本語", "語"]),
      ("日", ["日"]), ("iPhone日本", ["iphone", "日本", "本"]), ("東京2020年", ["東京", "京", "2020", "年"]), ("ไทย", ["ไท", "ทย", "ย"]),
      ("한국어 날씨", ["한국어", "날씨"]), ("don't", ["don", "t"]), ("👩🏾‍🍳 x", ["x"]), ("foo foo FOO", ["foo"]), ("ﬀ ⅓", ["ﬀ", "⅓"]),
      ("がガ", ["がガ", "ガ"]),
    ] as [(String, Set<String>)])
  func tokens(html: String, expected: Set<String>) {
    #expect(tokens(html) == expected)
  }

  @Test("a long run counts with its first 32 letters", arguments: ["a", "é", "я", "𝒳"])
  func long(letter: String) {
    let found = tokens(String(repeating: letter, count: 100) + " end")
    #expect(found.count == 2)
    #expect(found.contains { $0.unicodeScalars.count == 32 })
  }

  @Test("many tokens keep apart")
  func many() {
    let words = (0..<20_000).map { "w\($0)" }
    #expect(tokens(words.joined(separator: " ")) == Set(words))
  }
}

@Suite("The index of the search")
struct SearchIndexTests {
  private func index(_ pages: [[String]], budget: Int = .max) throws -> (found: [String: [UInt32]], order: [[UInt8]], isCut: Bool) {
    let scratch = try Scratch()
    defer { withExtendedLifetime(scratch) {} }
    var index = SearchIndex(scratch: scratch.room)
    for (number, words) in pages.enumerated() {
      var tokens = PageTokens()
      Array(words.joined(separator: " ").utf8).withUnsafeBytes { tokens.add(html: $0) }
      try index.add(tokens, page: number + 1)
    }
    var found: [String: [UInt32]] = [:]
    var order: [[UInt8]] = []
    let isCut = try index.read(budget: budget) { token, pages in
      order.append(token)
      found[String(decoding: token, as: UTF8.self)] = pages
    }
    return (found, order, isCut)
  }

  @Test("tokens come in the order of their bytes, with their pages")
  func order() throws {
    let (found, order, isCut) = try index([["b", "a", "abcdefgh1", "abcdefgh2"], ["a", "é", "abcdefgh"], ["b", "a", "abcdefgh1"]])
    #expect(found == ["a": [1, 2, 3], "b": [1, 3], "abcdefgh": [2], "abcdefgh1": [1, 3], "abcdefgh2": [1], "e": [2]])
    #expect(order == order.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(!isCut)
  }

  @Test("what goes to the disk comes back in one order")
  func spooled() throws {
    // More tokens than one table holds.
    let pages = (0..<60).map { page in ["all"] + (0..<9000).map { "t\(($0 &* 7919 &+ page &* 104_729) % 1_000_003)" } }
    let (found, order, _) = try index(pages)
    var expected: [String: [UInt32]] = [:]
    for (number, words) in pages.enumerated() { for word in Set(words) { expected[word, default: []].append(UInt32(number + 1)) } }
    #expect(found == expected)
    #expect(found["all"]?.count == 60)
    #expect(order == order.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test("where there is no room, the least useful go first")
  func budget() throws {
    let pages = [["1234567890", "word", "mixed7", "both"], ["0987654321", "other", "a1b2", "both"]]
    let (all, _, isWhole) = try index(pages, budget: 10_000)
    #expect(all.count == 7)
    #expect(!isWhole)
    let (some, _, isCut) = try index(pages, budget: 60)
    #expect(isCut)
    #expect(some["both"] == [1, 2])
    #expect(some["1234567890"] == nil)
  }
}
