import Foundation

/// A block of code in an article of the documentation.
struct CodeBlock {
  let article: String
  let language: String
  let text: String
  /// What the comment right above it says: `compiled: Name.swift`, `run: name.py`; nil where there is none.
  let mark: String?
}

/// The articles of the documentation.
enum Articles {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let folder = root.appending(path: "Sources/AccountExport/AccountExport.docc")
  static let snippets = root.appending(path: "Tests/DocumentationTests/Snippets")

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }.sorted()
  }

  static func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

  /// All blocks of code, in the order in which they stand.
  static func blocks() throws -> [CodeBlock] { try names().flatMap { blocks(in: try text($0), article: $0) } }

  static func blocks(in text: String, article: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (language: String, mark: String?, lines: [Substring])?
    var previous: Substring = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let begun = open {
        if line == "```" {
          blocks.append(
            CodeBlock(article: article, language: begun.language, text: begun.lines.joined(separator: "\n"), mark: begun.mark))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        let mark = previous.hasPrefix("<!-- ") && previous.hasSuffix(" -->") ? String(previous.dropFirst(5).dropLast(4)) : nil
        open = (String(line.dropFirst(3)), mark, [])
      }
      previous = line
    }
    return blocks
  }

  /// What the blocks that are marked for a file make together.
  static func code(_ mark: String) throws -> String {
    try blocks().filter { $0.mark == mark }.map(\.text).joined(separator: "\n\n") + "\n"
  }
}
