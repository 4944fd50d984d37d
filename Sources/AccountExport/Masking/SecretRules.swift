internal import JSONReading

/// Which values are secrets, and so never leave: by the name of their column or key, by a sibling that names them, or by their own form.
///
/// The words are data, `secret-rules.json`; a configuration can add terms, exempt names, or switch the masking off.
public struct SecretRules: Sendable {
  /// Whether anything is masked at all. Off is for the owner of a local store who asks for it.
  public var isEnabled = true
  private var terms: NameTerms
  let pairs: NamePairs
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
    terms = try NameTerms(root)
    pairs = try NamePairs(root)
  }

  /// Adds a term of one or more words; names that end with it are secrets' from now on.
  public mutating func add(term: String) { terms.add(term: term) }

  /// Lets a name pass that the terms would mask; written as it is in the account, in any case. A name of the form `table.column` is that of one
  /// column alone, of which nothing is masked as a secret then, whatever its values look like.
  public mutating func allow(name: String) { exempt.insert(name.lowercased()) }

  /// Whether a value under this name is a secret.
  public func isSecret(name: String) -> Bool {
    guard isEnabled, !name.isEmpty, !exempt.contains(name.lowercased()) else { return false }
    return terms.match(words(of: name))
  }

  /// Whether a text may be the name of a secret; false for nearly all others, at little cost.
  func mayName(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool { isEnabled && terms.mayMatch(utf8) }

  /// Whether a column was named as one that holds no secrets.
  func allows(column: String, of collection: String) -> Bool {
    !exempt.isEmpty && exempt.contains((collection + "." + column).lowercased())
  }
}
