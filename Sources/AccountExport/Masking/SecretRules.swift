internal import JSONReading

/// Which values are secrets, and so never leave: by the name of their column or key, by a sibling that names them, or by their own form.
///
/// The words are data, `secret-rules.json`; a configuration can add terms, exempt names, or switch the masking off.
public struct SecretRules: Sendable {
  /// Whether anything is masked at all. Off is for the owner of a local store who asks for it.
  public var isEnabled = true
  private var terms: Set<[String]> = []
  private var longestTerm = 1
  private var tails: Set<String> = []
  private var joined: Set<String> = []
  private var joinedEndings: [String] = []
  private var nameWords: Set<String> = []
  private var valueWords: Set<String> = []
  private var exempt: Set<String> = []

  /// The rules that every export goes by unless it is told otherwise.
  public static let standard: SecretRules = {
    do { return try SecretRules(data: PackageResources.secret_rules_json) } catch {
      preconditionFailure("the built-in rules can't be read: \(error)")  // a fault of the build, found by any test
    }
  }()

  /// Rules from a data file of the shape of `secret-rules.json`.
  public init(data: [UInt8]) throws {
    let root = try JSONParser.parse(data, dialect: .json5)
    for term in try Self.texts("terms", in: root) { add(term: term) }
    tails = Set(try Self.texts("tails", in: root))
    joined = Set(try Self.texts("joined", in: root))
    joinedEndings = try Self.texts("joinedEndings", in: root)
    nameWords = Set(try Self.texts("nameColumns", in: root))
    valueWords = Set(try Self.texts("valueColumns", in: root))
  }

  private static func texts(_ key: String, in root: JSONValue) throws -> [String] {
    guard let list = root[key]?.elements else { throw ExportError(.configuration, "the masking rules have no list `\(key)`") }
    return try list.map {
      guard let text = $0.text else { throw ExportError(.configuration, "the masking rules' `\(key)` holds something that is no text") }
      return text
    }
  }

  /// Adds a term of one or more words; names that end with it are secrets' from now on.
  public mutating func add(term: String) {
    let parts = words(of: term)
    if parts.isEmpty { return }
    terms.insert(parts)
    longestTerm = max(longestTerm, parts.count)
  }

  /// Lets a name pass that the terms would mask; written as it is in the account, in any case.
  public mutating func allow(name: String) {
    exempt.insert(name.lowercased())
  }

  /// Whether a value under this name is a secret.
  public func isSecret(name: String) -> Bool {
    guard isEnabled, !name.isEmpty, !exempt.contains(name.lowercased()) else { return false }
    let parts = words(of: name)
    let rest = withoutTails(parts)
    return endsWithTerm(parts[...]) || endsWithTerm(rest) || isJoined(rest)
  }

  private func withoutTails(_ parts: [String]) -> ArraySlice<String> {
    var rest = parts[...]
    while rest.count > 1, let last = rest.last, tails.contains(last) || last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      rest.removeLast()
    }
    return rest
  }

  private func endsWithTerm(_ parts: ArraySlice<String>) -> Bool {
    let longest = min(longestTerm, parts.count)
    return longest > 0 && (1...longest).contains { terms.contains(Array(parts.suffix($0))) }
  }

  private func isJoined(_ parts: ArraySlice<String>) -> Bool {
    guard let word = parts.last else { return false }
    return joined.contains(word) || joinedEndings.contains { word.hasSuffix($0) }
  }

  /// For each column, the column whose text names its value: `meta_value` is named by `meta_key`, `value` by `key` or `name`.
  func namingColumns(of names: [String]) -> [Int?] {
    guard isEnabled else { return names.map { _ in nil } }
    let parts = names.map(words(of:))
    return parts.map { part in
      guard let last = part.last, valueWords.contains(last) else { return nil }
      return parts.firstIndex { $0.dropLast() == part.dropLast() && $0.last.map(nameWords.contains) == true }
    }
  }
}
