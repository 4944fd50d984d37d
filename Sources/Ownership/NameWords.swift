/// The words of a table's or column's name.
enum NameWords {
  /// All words, in order and lower case: cut at case changes (`userName`, `APIKey`), between letters and digits, and at everything else.
  static func all(of name: String) -> [String] {
    var found: [String] = []
    var word = String.UnicodeScalarView()
    let scalars = Array(name.unicodeScalars)
    let kinds = scalars.map(Kind.init)
    for index in scalars.indices {
      let kind = kinds[index]
      if index > 0, isBorder(kinds[index - 1], kind, next: index + 1 < kinds.count ? kinds[index + 1] : .none), !word.isEmpty {
        found.append(String(word).lowercased())
        word = String.UnicodeScalarView()
      }
      if kind != .none { word.append(scalars[index]) }
    }
    if !word.isEmpty { found.append(String(word).lowercased()) }
    return found
  }

  private static func isBorder(_ before: Kind, _ kind: Kind, next: Kind) -> Bool {
    if before == .none || kind == .none { return true }
    if (before == .digit) != (kind == .digit) { return true }
    if kind != .upper { return false }
    // The last capital of `APIKey` begins a word; so does the first after a small letter.
    return before == .lower || (before == .upper && next == .lower)
  }

  /// A word in the singular, near enough to compare `user_id` with `users`. What it does to other words does no harm: both sides get the same.
  static func singular(_ word: String) -> String {
    if word == "people" { return "person" }
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where word.hasSuffix(ending) { return String(word.dropLast(2)) }
    return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
  }

  /// What a scalar is to the border between two words.
  private enum Kind {
    case none, upper, lower, digit
    /// A letter without case.
    case letter

    init(_ scalar: Unicode.Scalar) {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .titlecaseLetter: self = .upper
      case .lowercaseLetter: self = .lower
      case .decimalNumber: self = .digit
      case .modifierLetter, .otherLetter, .letterNumber, .otherNumber: self = .letter
      default: self = .none
      }
    }
  }
}
