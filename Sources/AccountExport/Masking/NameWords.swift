/// The words of a name, lower case: cut at case changes, digits and punctuation, so that `passwordHash`, `PASSWORD_HASH` and
/// `password-hash` are all `["password", "hash"]`. Digits are words of their own; other scripts' letters belong to the word they stand in.
func words(of name: String) -> [String] {
  var found: [String] = []
  var word = ""
  var previous = Letter.none
  let scalars = Array(name.unicodeScalars)
  for (index, scalar) in scalars.enumerated() {
    let letter = Letter(scalar)
    let next = index + 1 < scalars.count ? Letter(scalars[index + 1]) : .none
    let begins = letter != previous && !(previous == .upper && letter == .lower)
    // The last capital of `APIKey` begins the next word.
    let beginsWithin = letter == .upper && previous == .upper && next == .lower
    if begins || beginsWithin || letter == .none {
      if !word.isEmpty { found.append(word) }
      word = ""
    }
    if letter != .none { word += scalar.properties.lowercaseMapping }
    previous = letter
  }
  if !word.isEmpty { found.append(word) }
  return found
}

/// What a scalar is to the border between two words.
private enum Letter {
  case none, upper, lower, digit

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39: self = .digit
    case 0x41...0x5A: self = .upper
    case 0x61...0x7A: self = .lower
    case 0..<0x80: self = .none
    default: self = scalar.properties.isUppercase ? .upper : scalar.properties.isAlphabetic ? .lower : .none
    }
  }
}
