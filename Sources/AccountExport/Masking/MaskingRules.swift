/// Everything that decides of a value of one export whether it is masked.
struct MaskingRules: Sendable {
  let secrets: SecretRules
  let regulated: NameTerms?

  init(_ request: ExportRequest) {
    secrets = request.secrets
    regulated = RegulatedRules.terms(for: request.law)
  }

  /// Whether any name masks anything.
  var isActive: Bool { secrets.isEnabled || regulated != nil }

  /// What a name says of the value under it.
  func mask(name: String) -> Mask? {
    if secrets.isSecret(name: name) { return .secret }
    if let regulated, regulated.match(words(of: name)) { return .regulated }
    return nil
  }

  /// What a key says of its value and its siblings'.
  func facts(_ name: String) -> NameFacts { NameFacts(mask: mask(name: name), role: secrets.pairs.role(words(of: name))) }
}

/// What a name says of the value under it, and what it is to its siblings.
struct NameFacts: Sendable {
  var mask: Mask?
  var role = PairRole.none
}

/// What names say of values, and what texts say that are values' names.
struct KnownNames: Sendable {
  private let rules: MaskingRules
  private var known = NameCache<NameFacts>()

  init(_ rules: MaskingRules) { self.rules = rules }

  /// What a name says.
  mutating func facts(_ name: UnsafeBufferPointer<UInt8>) -> NameFacts {
    // Nobody gives a thing such a name, and a text of any length may stand where names do.
    if !rules.isActive || name.count > Self.longest { return NameFacts() }
    return known.facts(name, longest: Self.longest) { rules.facts($0) }
  }

  static let longest = 1024

  /// What a text says of the value that it is the name of. A sentence is none, whatever its last word.
  mutating func mask(namedBy text: UnsafeBufferPointer<UInt8>) -> Mask? {
    if text.count > Self.longest { return nil }
    // Most texts come once: they are told without being kept.
    guard rules.secrets.mayName(text) || rules.regulated?.mayMatch(text) == true else { return nil }
    var (words, isInWord) = (0, false)
    for byte in text {
      if byte == 0x0A { return nil }
      if byte > 0x20 && !isInWord { words += 1 }
      isInWord = byte > 0x20
    }
    return words <= Self.mostWords ? facts(text).mask : nil
  }

  /// Names for people have spaces, but are short: "WiFi password of the guests".
  private static let mostWords = 6
}
