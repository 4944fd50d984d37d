internal import JSONReading

/// Terms that names are held against, by their words.
struct NameTerms: Sendable {
  private var terms: Set<[String]> = []
  private var longestTerm = 1
  private var whole: Set<[String]> = []
  private var tails: Set<String> = []
  private var joined: Set<String> = []
  private var joinedEndings: [String] = []
  /// With which words a name that matches can end.
  private var lasts = LastWords()

  /// The terms of a data file, which says itself what its lists are.
  init(_ root: JSONValue) throws {
    for term in try Self.texts("terms", in: root) { add(term: term) }
    whole = Set(try Self.texts("whole", in: root).map(words(of:)))
    tails = Set(try Self.texts("tails", in: root))
    joined = Set(try Self.texts("joined", in: root))
    joinedEndings = try Self.texts("joinedEndings", in: root)
    for word in whole.compactMap(\.last) + tails + joined { lasts.add(word) }
    for ending in joinedEndings { lasts.add(ending: ending) }
  }

  /// The texts of a list that a data file must have.
  static func texts(_ key: String, in root: JSONValue) throws -> [String] {
    guard let list = root[key]?.elements else { throw ExportError(.configuration, "the masking rules have no list `\(key)`") }
    return try list.map {
      guard let text = $0.text else { throw ExportError(.configuration, "the masking rules' `\(key)` holds something that is no text") }
      return text
    }
  }

  /// Adds a term of one or more words.
  mutating func add(term: String) {
    let parts = words(of: term)
    if parts.isEmpty { return }
    terms.insert(parts)
    lasts.add(parts[parts.count - 1])
    longestTerm = max(longestTerm, parts.count)
  }

  /// Whether a text may be a name that matches. It allocates nothing, and is false for nearly all texts that don't.
  func mayMatch(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool { lasts.mayEnd(utf8) }

  /// Whether a name of these words ends with a term.
  func match(_ parts: [String]) -> Bool {
    let short = withoutTails(parts)
    return endsWithTerm(parts[...]) || endsWithTerm(short) || whole.contains(Array(short)) || isJoined(short.last)
  }

  private func withoutTails(_ parts: [String]) -> ArraySlice<String> {
    var rest = parts[...]
    while rest.count > 1, let last = rest.last, tails.contains(last) || isNumber(last) { rest.removeLast() }
    return rest
  }

  private func endsWithTerm(_ parts: ArraySlice<String>) -> Bool {
    let longest = min(longestTerm, parts.count)
    return longest > 0 && (1...longest).contains { terms.contains(Array(parts.suffix($0))) }
  }

  private func isJoined(_ word: String?) -> Bool {
    guard let word else { return false }
    return joined.contains(word) || joinedEndings.contains { word.hasSuffix($0) }
  }
}

/// Whether a word of a name is a number.
func isNumber(_ word: String) -> Bool { word.utf8.allSatisfy { (0x30...0x39).contains($0) } }
