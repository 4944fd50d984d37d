/// What a key's columns are called, seen from the table that they refer to. A column's *own* words are those that the table's name doesn't have:
/// of `to_user_id` into `users` that is `to`; `user_id` has none, it is *named as its table*.
struct KeyNames {
  /// The words of all columns.
  private let all: Set<String>
  /// The own words of each column, in order.
  private let own: [[String]]
  /// Whether a column is named as the table.
  let isNamedAsTable: Bool
  private let rules: OwnershipRules

  init(columns: [String], parent: String, rules: OwnershipRules) {
    let table = Set(rules.words(of: parent))
    let words = columns.map(rules.words(of:))
    all = Set(words.joined())
    own = words.map { $0.filter { !table.contains($0) } }
    isNamedAsTable = words.contains { !$0.isEmpty && table.isSuperset(of: $0) }
    self.rules = rules
  }

  /// The first of the own words that a list holds.
  func ownWord(in list: OwnershipRules.List) -> String? { own.joined().first(where: rules[list].contains) }

  /// The first of all words that a list holds, by the alphabet, so that reasons repeat.
  func word(in list: OwnershipRules.List) -> String? { all.intersection(rules[list]).min() }

  /// The first own word of a column, where a list holds it: `in_reply_to_account_id` is no party.
  func leadingWord(in list: OwnershipRules.List) -> String? { own.compactMap(\.first).first(where: rules[list].contains) }
}
