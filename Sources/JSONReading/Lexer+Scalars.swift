extension Lexer {
  /// Reads a string, number, `true`, `false` or `null`.
  mutating func scalar() throws(Failure) -> JSONValue {
    guard let byte = next else { throw unexpected(expected: "a value") }
    switch byte {
    case UInt8(ascii: "\""): return try string().value
    case UInt8(ascii: "'") where dialect == .json5: return try string().value
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      guard dialect == .json5 else { throw unexpected(expected: "a value") }
      return try number()
    default: throw unexpected(expected: "a value")
    }
  }

  /// Reads a key: a string, in JSON5 also a name.
  mutating func key(orClosing: Bool) throws(Failure) -> Text {
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") && dialect == .json5 {
      return try string()
    }
    let expected = (dialect == .json5 ? "a key" : "a key in double quotes") + (orClosing ? " or '}'" : "")
    guard dialect == .json5, !isAtEnd else { throw unexpected(expected: expected) }
    var name = ""
    while let part = try namePart(isFirst: name.isEmpty) {
      name.unicodeScalars.append(part)
    }
    guard !name.isEmpty else { throw unexpected(expected: expected) }
    return Text(string: name)
  }

  /// Reads one character of a name (IdentifierName of ECMAScript 5.1), which may be escaped; nil where the name ends.
  private mutating func namePart(isFirst: Bool) throws(Failure) -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    guard byte == UInt8(ascii: "\\") else {
      let (scalar, length) = try scalar(at: index)
      guard isNamePart(scalar, isFirst: isFirst) else { return nil }
      index += length
      return scalar
    }
    let start = index
    index += 1
    guard next == UInt8(ascii: "u") else { throw unexpected(expected: "'u' after the backslash") }
    index += 1
    guard let scalar = Unicode.Scalar(try surrogatePairOrUnit()), isNamePart(scalar, isFirst: isFirst) else {
      throw Failure(code: .unexpected, message: "the escaped character can't stand in a key without quotes", offset: start)
    }
    return scalar
  }

  private func isNamePart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    switch scalar {
    case "$", "_", "a"..."z", "A"..."Z": return true
    case "0"..."9", "\u{200C}", "\u{200D}": return !isFirst
    case ..<"\u{80}": return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: return true
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return !isFirst
    default: return false
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
    try expectWord(word)
    return value
  }

  private mutating func expectWord(_ word: StaticString) throws(Failure) {
    let start = index
    for offset in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[offset] else {
        let code: JSONError.Code = isAtEnd ? .unexpectedEnd : .unexpected
        throw Failure(code: code, message: "expected a value; did you mean \(word)?", offset: start)
      }
      index += 1
    }
  }

  // MARK: - Numbers

  private mutating func number() throws(Failure) -> JSONValue {
    let start = index
    if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") {
      index += 1
    }
    if dialect == .json5 && next == UInt8(ascii: "I") {
      try expectWord("Infinity")
    } else if dialect == .json5 && next == UInt8(ascii: "N") {
      try expectWord("NaN")
    } else if dialect == .json5 && next == UInt8(ascii: "0") && index + 1 < bytes.count && bytes[index + 1] | 0x20 == UInt8(ascii: "x") {
      index += 2
      guard let digit = next, hexadecimalDigit(digit) != nil else { throw unexpected(expected: "a hexadecimal digit") }
      while let digit = next, hexadecimalDigit(digit) != nil {
        index += 1
      }
    } else {
      try decimalNumber()
    }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func decimalNumber() throws(Failure) {
    let startsWithZero = next == UInt8(ascii: "0")
    let hasWhole = !(dialect == .json5 && next == UInt8(ascii: "."))
    if hasWhole {
      let first = index
      try digits()
      if startsWithZero && index - first > 1 {
        index = first
        throw failure(.unexpected, "a number can't begin with a zero before other digits")
      }
    }
    if next == UInt8(ascii: ".") {
      index += 1
      let needsDigits = dialect == .strict || !hasWhole
      if needsDigits || isDigit {
        try digits()
      }
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      index += 1
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") {
        index += 1
      }
      try digits()
    }
  }

  private var isDigit: Bool {
    guard let byte = next else { return false }
    return UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private mutating func digits() throws(Failure) {
    guard isDigit else { throw unexpected(expected: "a digit") }
    while isDigit {
      index += 1
    }
  }
}
