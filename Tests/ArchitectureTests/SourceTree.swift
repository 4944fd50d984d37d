import Testing
import Foundation

/// A text file of the package.
struct SourceFile: CustomTestStringConvertible, Sendable {
  /// Relative to the package's folder.
  let path: String
  let lines: [String]

  var testDescription: String { path }

  /// The target that a file below `Sources/` belongs to.
  var target: String { String(path.split(separator: "/")[1]) }

  /// The lines with their numbers, without what only comments say.
  var code: [(number: Int, text: Substring)] {
    lines.enumerated().map { ($0 + 1, withoutComment($1)) }
  }

  /// How long the file is, where a table of data (the lines of a literal of several) counts as one line.
  var length: Int {
    var inTable = false
    return lines.count { line in
      let begins = line.components(separatedBy: "\"\"\"").count == 2
      if begins { inTable.toggle() }
      return begins || !inTable
    }
  }

  var imports: [Import] {
    code.compactMap { Import(line: $1) }
  }
}

/// A line up to the comment that ends it; `//` inside a string literal, as in an address, begins none.
func withoutComment(_ line: String) -> Substring {
  if !line.contains("//") { return line[...] }
  var inString = false
  var previous: Character = " "
  for index in line.indices {
    let character = line[index]
    if character == "\"", previous != "\\" { inString.toggle() }
    if character == "/", previous == "/", !inString { return line[..<line.index(before: index)] }
    previous = character
  }
  return line[...]
}

/// One import declaration.
struct Import: Equatable, Sendable {
  let module: String
  /// Whether the module's names can stand in public signatures of the importing one.
  let isPublic: Bool

  init(module: String, isPublic: Bool) {
    self.module = module
    self.isPublic = isPublic
  }

  /// Reads a line such as `internal import struct Glibc.stat`; nil where it is no import.
  init?(line: Substring) {
    var words = line.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("@") }
    let access = ["public", "package", "internal", "fileprivate", "private"].first { words.first == $0[...] }
    if access != nil { words.removeFirst() }
    guard words.first == "import", words.count > 1 else { return nil }
    words.removeFirst()
    if words.count > 1, ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"].contains(words[0]) {
      words.removeFirst()
    }
    module = String(words[0].prefix { $0 != "." })
    isPublic = access == nil || access == "public"
  }
}

/// The package, as files.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every file below a folder whose name ends so, in the order of the paths.
  static func files(below folder: String, suffix: String) throws -> [SourceFile] {
    let start = root.appending(path: folder)
    guard let names = FileManager.default.enumerator(atPath: start.path(percentEncoded: false)) else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    let paths = names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
    return try paths.map { name in
      let text = try String(contentsOf: start.appending(path: name), encoding: .utf8)
      return SourceFile(path: folder + "/" + name, lines: text.components(separatedBy: "\n"))
    }
  }

  /// What `Package.swift` says that a target depends on; targets there are declared by functions of one shape:
  /// `room("Name", ["Dependency", …])`.
  static func declaredDependencies() throws -> [String: Set<String>] {
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    var found: [String: Set<String>] = [:]
    for match in manifest.matches(of: /(?:room|foreign)\(\s*"([^"]+)"\s*(?:,\s*\[([^\]]*)\])?/) {
      let names = (match.2 ?? "").matches(of: /"([^"]+)"/).map { String($0.1) }
      found[String(match.1)] = Set(names)
    }
    for match in manifest.matches(of: /\.(?:executableTarget|target)\(\s*name: "([^"]+)",\s*(?:dependencies: \[([^\]]*)\])?/) {
      let names = (match.2 ?? "").matches(of: /"([^"]+)"/).map { String($0.1) }
      found[String(match.1)] = Set(names)
    }
    return found
  }
}
