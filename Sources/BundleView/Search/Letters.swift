internal import AccountExport

/// What a code point is to the search; the script of the pages must see it the same way.
struct Letters {
  enum Kind: UInt8 {
    /// Between words.
    case none
    /// A mark that is dropped, and divides no word.
    case dropped
    /// Of a word.
    case letter
    /// Of a script that has no spaces between words.
    case unspaced
  }

  /// A code point, with what stands for it in a token.
  struct Letter {
    var scalar: UInt32 = .max
    var kind = Kind.none
    /// Its folded form in UTF-8, the first byte lowest; four bytes at most, else in `long`.
    var word: UInt32 = 0
    var size: UInt8 = 0
    var long: [UInt8]?
  }

  /// What was looked up last, by the low bits of the code point.
  private var known = [Letter](repeating: Letter(), count: 1024)

  mutating func look(_ scalar: UInt32) -> Letter {
    let place = Int(scalar & 1023)
    if known[place].scalar != scalar { known[place] = Self.read(scalar) }
    return known[place]
  }

  private static func read(_ value: UInt32) -> Letter {
    var letter = Letter(scalar: value)
    guard let scalar = Unicode.Scalar(value) else { return letter }
    let folded = FoldedScalar.folded(scalar)
    guard let first = folded.first else {
      letter.kind = .dropped
      return letter
    }
    guard isLetter(first) else { return letter }
    letter.kind = isUnspaced(first.value) ? .unspaced : .letter
    let utf8 = folded.filter(isLetter).flatMap { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) }
    if utf8.count > 4 {
      letter.long = utf8
    } else {
      letter.size = UInt8(utf8.count)
      for (index, byte) in utf8.enumerated() { letter.word |= UInt32(byte) << UInt32(8 * index) }
    }
    return letter
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber,
      .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default: false
    }
  }

  private static func isUnspaced(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
