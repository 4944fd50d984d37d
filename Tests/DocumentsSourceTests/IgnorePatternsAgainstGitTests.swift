import Files
import Glibc
import Testing

@testable import DocumentsSource

/// `git check-ignore` decides what a pattern means; random patterns over a small alphabet reach the corners of its syntax.
@Suite("Patterns against git itself")
struct IgnorePatternsAgainstGitTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let pieces = [
    "a", "b", "c", "ab", "*", "*", "**", "***", "?", "/", "/", "/", "**/", "/**", "/**/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[", "]",
    "[[:alpha:]]",
    "[[:punct:]x]", "[[:space:]]", "[[:upper:]", "[a-", "[\\]]", "[b-\\c]", "[--/]", "[a-b-c]", "[[:a]", "[[::]]", "\\", "\\a", "\\*",
    "\\[", " ", "\\ ", "!",
    "\\!", "#", ".", "-", "\u{B}",
  ]
  private static let names = [
    "a", "b", "c", "ab", "ba", "abc", "*", "[", "]", "a b", "a ", "!", "#", "-", ".", "\\", "a*", "[a", "B", "\u{B}", "\u{E9}",
  ]

  private static func pattern(_ random: inout SeededGenerator) -> String {
    var line = Int.random(in: 0..<4, using: &random) == 0 ? "!" : ""
    for _ in 0..<Int.random(in: 1...7, using: &random) { line += pieces.randomElement(using: &random)! }
    return Int.random(in: 0..<5, using: &random) == 0 ? line + "/" : line
  }

  /// Makes files and folders up to three levels deep; the paths, folders first.
  private func makeTree(_ random: inout SeededGenerator) throws -> [(path: String, isFolder: Bool)] {
    var folders = [""]
    var made: [(path: String, isFolder: Bool)] = []
    for level in 0..<3 {
      var next: [String] = []
      for folder in folders {
        for name in Self.names.shuffled(using: &random).prefix(level == 0 ? 21 : 5) where name != "." {
          let isFolder = level < 2 && Bool.random(using: &random)
          try make(folder + name, isFolder: isFolder)
          made.append((folder + name, isFolder))
          if isFolder { next.append(folder + name + "/") }
        }
      }
      folders = next
    }
    return made
  }

  private func make(_ path: String, isFolder: Bool) throws {
    let code = path.withCString { isFolder ? mkdirat(scratch.folder.raw, $0, 0o700) : mknodat(scratch.folder.raw, $0, S_IFREG | 0o600, 0) }
    try #require(code == 0)
  }

  /// What a command prints.
  private func output(of command: String) throws -> [UInt8] {
    let folder = scratch.path.text!
    let shell = "cd \(folder) && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=/tmp \(command)"
    let stream = try #require(popen(shell, "r"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer[..<count] }
    pclose(stream)
    return bytes
  }

  private func write(_ bytes: [UInt8], to name: PathBytes) throws {
    if try FolderListing(of: scratch.folder).contains(name) { try scratch.folder.remove(name) }
    let file = try scratch.folder.creating(name)
    var bytes = bytes
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func decidesAsGit(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tree = try makeTree(&random)
    _ = try output(of: "git init -q . && rm -rf .git/hooks .git/info/exclude")
    try write(Array(tree.map(\.path).joined(separator: "\0").utf8), to: "paths.z")
    var decided = (ignored: 0, reversed: 0, untouched: 0)
    for _ in 0..<60 {
      let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.pattern(&random) }
      let text = Array(lines.joined(separator: "\n").utf8)
      try write(text, to: ".gitignore")
      // Four fields each: the file, the line, the pattern, the path; the first three are empty where none matches.
      let answer = try output(of: "git check-ignore --no-index -v -n -z --stdin < paths.z").split(
        separator: 0, omittingEmptySubsequences: false)
      try #require(answer.count == tree.count * 4 + 1)
      let patterns = IgnorePatterns(text: text)
      for (index, found) in tree.enumerated() {
        let pattern = answer[index * 4 + 2]
        let isIgnored = !pattern.isEmpty && pattern.first != UInt8(ascii: "!")
        if isIgnored { decided.ignored += 1 } else if pattern.isEmpty { decided.untouched += 1 } else { decided.reversed += 1 }
        let isOurs = patterns.excludes(PathBytes(found.path), isFolder: found.isFolder)
        #expect(isOurs == isIgnored, "seed \(seed), \(lines), \(found)")
      }
    }
    #expect(decided.ignored > 500 && decided.reversed > 100 && decided.untouched > 500, "\(decided) reaches too little")
  }
}

extension FolderListing {
  fileprivate borrowing func contains(_ name: PathBytes) -> Bool {
    for index in 0..<count where self.name(at: index) == name { return true }
    return false
  }
}
