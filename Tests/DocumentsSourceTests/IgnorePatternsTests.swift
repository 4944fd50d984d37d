import Files
import Testing

@testable import DocumentsSource

@Suite("Patterns in gitignore's syntax")
struct IgnorePatternsTests {
  private func excludes(_ lines: [String], _ path: String) -> Bool {
    let isFolder = path.hasSuffix("/")
    let bytes = isFolder ? PathBytes(path.utf8.dropLast()) : PathBytes(path)
    return IgnorePatterns(lines: lines.map { PathBytes($0) }).excludes(bytes, isFolder: isFolder)
  }

  @Test(arguments: [
    (["*.log"], "a/b.log", true), (["*.log"], "a/b.log.txt", false), (["/*.log"], "a/b.log", false), (["/*.log"], "b.log", true),
    (["a/b"], "a/b", true), (["a/b"], "x/a/b", false), (["**/a/b"], "x/a/b", true), (["**/a/b"], "a/b", true), (["a/**"], "a", false),
    (["a/**"], "a/b/c", true), (["a/**/b"], "a/b", true), (["a/**/b"], "a/x/y/b", true), (["a/**/b"], "a/xb", false),
    (["cache/"], "cache", false), (["cache/"], "cache/", true), (["cache/"], "x/cache/y", true), (["a*c"], "abc", true),
    (["a/*c"], "a/b/c", false),
    (["*", "!keep"], "keep", false), (["dir/", "!dir/keep"], "dir/keep", true), (["!a", "a"], "a", true), (["a", "!a"], "a", false),
    (["# note"], "# note", false), (["\\# note"], "# note", true), (["\\!a"], "!a", true), (["a  "], "a", true), (["a\\ "], "a ", true),
    (["a\\  "], "a ", true), (["a\t"], "a", false), (["", " "], " ", false), (["["], "[", false), (["a\\"], "a", false),
    (["a\\"], "a\\", false),
    (["[a-c]x"], "bx", true), (["[!a-c]x"], "bx", false), (["[^a-c]x"], "dx", true), (["[]-]"], "]", true), (["[]-]"], "-", true),
    (["[[:digit:]]"], "5", true), (["[[:nothing:]]"], "n", false), (["[a-\\]]"], "]", false), (["[Z-\\]]"], "\\", true),
    (["?"], "\u{E9}", false),
    (["??"], "\u{E9}", true), (["/"], "a", false), (["//"], "a", false), (["!"], "!", false), (["A"], "a", false),
  ])
  func decides(lines: [String], path: String, isExcluded: Bool) {
    #expect(excludes(lines, path) == isExcluded)
  }

  @Test func readsFilesAsGitDoes() {
    let patterns = IgnorePatterns(text: Array("\u{FEFF}first\r\n\n# no\nlast \nwithout end".utf8))
    for name in ["first", "last", "without end"] { #expect(patterns.excludes(PathBytes(name), isFolder: false)) }
    #expect(!patterns.excludes("# no", isFolder: false) && !patterns.isEmpty && IgnorePatterns(text: []).isEmpty)
  }

  @Test func matchesBytesThatAreNoText() {
    let patterns = IgnorePatterns(lines: [PathBytes([0xFF, 0x2A]), PathBytes([0x5B, 0x80, 0x2D, 0x8F, 0x5D])])
    #expect(patterns.excludes(PathBytes([0xFF, 0xFE]), isFolder: false))
    #expect(patterns.excludes(PathBytes([0x85]), isFolder: false))
    #expect(!patterns.excludes(PathBytes([0x90]), isFolder: false))
  }

  @Test func hostilePatternsStayFast() {
    // Trying combinations, each of these would take longer than the universe has been there.
    let text = String(repeating: "a", count: 255)
    #expect(!excludes([String(repeating: "*a", count: 100) + "b"], text))
    #expect(excludes([String(repeating: "*a", count: 100) + "*"], text))
    let deep = Array((String(repeating: "a/", count: 100) + "a").utf8)
    let stars = String(repeating: "**/a/", count: 20)
    #expect(IgnorePatterns(lines: [PathBytes(stars + "b")]).verdict(on: deep.span, isFolder: false) == nil)
    #expect(IgnorePatterns(lines: [PathBytes(stars + "*")]).verdict(on: deep.span, isFolder: false) == .matched)
  }
}
