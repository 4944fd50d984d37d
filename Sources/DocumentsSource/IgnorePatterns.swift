public import Files

/// A list of patterns in gitignore's syntax, matched against paths relative to the exported root.
///
/// The syntax is git's own, as `git check-ignore` applies it to a `.gitignore` at the root: comments, `!`, escapes, `/` anchoring, folders
/// only by a `/` at the end, `*`, `?`, `**`, classes. The last pattern that matches decides. Bytes are compared, and case counts.
public struct IgnorePatterns: Sendable {
  /// What the deciding pattern says of a path.
  public enum Verdict: Hashable, Sendable {
    /// A pattern names it.
    case matched
    /// A pattern with `!` takes it out again.
    case reversed
  }

  private var patterns: [IgnorePattern] = []

  /// No patterns: nothing matches.
  public init() {}

  /// The patterns of lines, in order; comments and empty lines are none.
  public init(lines: [PathBytes]) {
    for line in lines { append(line: line.bytes[...]) }
  }

  /// The patterns of a file as git reads it: lines end with LF or CR LF, and a byte order mark at the beginning is skipped.
  public init(text: [UInt8]) {
    let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for line in text[start...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      append(line: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  private mutating func append(line: ArraySlice<UInt8>) {
    if line.first == UInt8(ascii: "#") { return }
    if let pattern = IgnorePattern(line: Self.trimming(line)) { patterns.append(pattern) }
  }

  /// Without the spaces at the end that no backslash keeps.
  private static func trimming(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    var at = line.startIndex
    while at < line.endIndex {
      if line[at] == UInt8(ascii: "\\") {
        at += 1
        if at == line.endIndex { return line }
      } else if line[at] == UInt8(ascii: " ") {
        at += 1
        continue
      }
      at += 1
      end = at
    }
    return line[..<end]
  }

  /// Whether there are none.
  public var isEmpty: Bool { patterns.isEmpty }

  /// What the last pattern that matches says of the thing at `path` (relative, no slash at either end); nil where none matches. The folders
  /// above are not looked at: who walks asks for each folder on the way, and does not enter one that is matched.
  public func verdict(on path: Span<UInt8>, isFolder: Bool) -> Verdict? {
    guard let index = decidingPattern(on: path, isFolder: isFolder) else { return nil }
    return patterns[index].isReversing ? .reversed : .matched
  }

  /// Whether `path` or a folder above it is matched: what lies in a matched folder can't be taken out again.
  public func excludes(_ path: PathBytes, isFolder: Bool) -> Bool {
    let bytes = path.bytes.span
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      if verdict(on: bytes.extracting(0..<index), isFolder: true) == .matched { return true }
    }
    return verdict(on: bytes, isFolder: isFolder) == .matched
  }

  /// The place in the list of the pattern that decides.
  func decidingPattern(on path: Span<UInt8>, isFolder: Bool) -> Int? {
    var name = path.count
    while name > 0 && path[unchecked: name - 1] != UInt8(ascii: "/") { name -= 1 }
    return patterns.lastIndex { $0.matches(path, nameFrom: name, isFolder: isFolder) }
  }
}

/// One line of a list.
struct IgnorePattern: Sendable {
  private enum Form {
    /// No wildcard: the name, or the path, is these bytes.
    case literal
    /// `*` and then no wildcard: the name ends so.
    case suffix
    /// Anything else.
    case wildcards(WildcardPattern)
  }

  let isReversing: Bool
  private let foldersOnly: Bool
  /// Whether it is matched against the last component alone: patterns without a slash inside.
  private let namesOnly: Bool
  /// The bytes before the first wildcard, or after the `*` of a suffix.
  private let fixed: [UInt8]
  private let form: Form

  /// Nil for an empty line.
  init?(line: ArraySlice<UInt8>) {
    if line.isEmpty { return nil }
    var rest = line
    isReversing = rest.first == UInt8(ascii: "!")
    if isReversing { rest = rest.dropFirst() }
    foldersOnly = rest.last == UInt8(ascii: "/")
    if foldersOnly { rest = rest.dropLast() }
    namesOnly = !rest.contains(UInt8(ascii: "/"))
    if !namesOnly && rest.first == UInt8(ascii: "/") { rest = rest.dropFirst() }
    let wildcard = rest.firstIndex(where: WildcardPattern.isSpecial) ?? rest.endIndex
    if wildcard == rest.endIndex {
      (fixed, form) = (Array(rest), .literal)
    } else if namesOnly && rest.first == UInt8(ascii: "*") && !rest.dropFirst().contains(where: WildcardPattern.isSpecial) {
      (fixed, form) = (Array(rest.dropFirst()), .suffix)
    } else {
      // What follows the fixed part is a pattern of its own, as it is for git: the `**` of `a**/b` stands at its beginning.
      fixed = namesOnly ? [] : Array(rest[..<wildcard])
      form = .wildcards(WildcardPattern(namesOnly ? rest : rest[wildcard...], crossingSlashes: !namesOnly))
    }
  }

  func matches(_ path: Span<UInt8>, nameFrom: Int, isFolder: Bool) -> Bool {
    if foldersOnly && !isFolder { return false }
    let start = namesOnly ? nameFrom : 0
    let count = path.count - start
    if count < fixed.count { return false }
    switch form {
    case .literal: return count == fixed.count && !fixed.isEmpty && isFixed(path, at: start)
    case .suffix: return isFixed(path, at: path.count - fixed.count)
    case .wildcards(let pattern): return isFixed(path, at: start) && pattern.matches(path, from: start + fixed.count)
    }
  }

  private func isFixed(_ path: Span<UInt8>, at start: Int) -> Bool {
    for index in fixed.indices where path[unchecked: start + index] != fixed[index] { return false }
    return true
  }
}
