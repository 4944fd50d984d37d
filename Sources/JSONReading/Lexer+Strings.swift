extension Lexer {
  /// Reads a string, whose opening quote comes next.
  mutating func string() throws(Failure) -> Text {
    let start = index
    let quote = bytes[index]
    index += 1
    let first = index
    var decoded: [UInt8] = []
    /// From where on nothing is in `decoded` yet.
    var run = first
    var hasHalfPair = false
    while let byte = next {
      switch byte {
      case quote:
        decoded.append(contentsOf: bytes[run..<index])
        index += 1
        let text = String(decoding: decoded, as: UTF8.self)
        return hasHalfPair ? Text(string: repairing(decoded), wtf8: decoded) : Text(string: text)
      case UInt8(ascii: "\\"):
        decoded.append(contentsOf: bytes[run..<index])
        try escape(into: &decoded, hasHalfPair: &hasHalfPair)
        run = index
      case 0x0A, 0x0D: throw unexpected(expected: "the end of the string in its line")
      case ..<0x20 where dialect == .strict: throw unexpected(expected: "an escape in place of a control character")
      case ..<0x80: index += 1
      default: index += try scalar(at: index).1
      }
    }
    throw Failure(code: .unexpectedEnd, message: "the string has no end", offset: start)
  }

  /// WTF-8 with each half of a surrogate pair replaced by one U+FFFD.
  private func repairing(_ wtf8: [UInt8]) -> String {
    var repaired = wtf8
    for index in wtf8.indices where wtf8[index] == 0xED && wtf8[index + 1] >= 0xA0 {
      repaired.replaceSubrange(index..<index + 3, with: [0xEF, 0xBF, 0xBD])
    }
    return String(decoding: repaired, as: UTF8.self)
  }

  /// Reads one escape, whose backslash comes next.
  private mutating func escape(into decoded: inout [UInt8], hasHalfPair: inout Bool) throws(Failure) {
    index += 1
    guard let byte = next else { throw unexpected(expected: "an escape") }
    if let plain = simpleEscape(byte) {
      decoded.append(plain)
      index += 1
    } else if byte == UInt8(ascii: "u") {
      index += 1
      let value = try surrogatePairOrUnit()
      hasHalfPair = hasHalfPair || Unicode.Scalar(value) == nil
      appendGeneralized(value, to: &decoded)
    } else if dialect == .json5 {
      try json5Escape(byte, into: &decoded)
    } else {
      throw unexpected(expected: "one of \"\\/bfnrtu after the backslash")
    }
  }

  private func simpleEscape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  private mutating func json5Escape(_ byte: UInt8, into decoded: inout [UInt8]) throws(Failure) {
    switch byte {
    case UInt8(ascii: "v"):
      decoded.append(0x0B)
      index += 1
    case UInt8(ascii: "x"):
      index += 1
      appendGeneralized(try hexadecimal(digits: 2), to: &decoded)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      index += 1
      guard byte == UInt8(ascii: "0"), !(next.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false) else {
        throw Failure(code: .unexpected, message: "a backslash before a digit, other than \\0, is no escape", offset: index - 1)
      }
      decoded.append(0)
    case 0x0D:
      // A line continuation: nothing.
      index += index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
    default:
      let (scalar, length) = try scalar(at: index)
      if !isLineEnd(scalar) {
        decoded.append(contentsOf: bytes[index..<index + length])
      }
      index += length
    }
  }

  /// Reads the four digits of `\u`, and the escape that follows if both together are a surrogate pair.
  mutating func surrogatePairOrUnit() throws(Failure) -> UInt32 {
    let unit = try hexadecimal(digits: 4)
    guard 0xD800...0xDBFF ~= unit, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
      return unit
    }
    let end = index
    index += 2
    let second = try hexadecimal(digits: 4)
    if 0xDC00...0xDFFF ~= second {
      return 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
    }
    index = end
    return unit
  }

  private mutating func hexadecimal(digits: Int) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = next.flatMap(hexadecimalDigit) else { throw unexpected(expected: "a hexadecimal digit") }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}

/// The value of a hexadecimal digit.
@usableFromInline
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// Appends a code point as UTF-8, and half a surrogate pair as if it were one (WTF-8).
func appendGeneralized(_ value: UInt32, to bytes: inout [UInt8]) {
  func continuation(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(value >> shift & 0x3F) }
  switch value {
  case ..<0x80: bytes.append(UInt8(value))
  case ..<0x800: bytes.append(contentsOf: [0xC0 | UInt8(value >> 6), continuation(0)])
  case ..<0x10000: bytes.append(contentsOf: [0xE0 | UInt8(value >> 12), continuation(6), continuation(0)])
  default: bytes.append(contentsOf: [0xF0 | UInt8(value >> 18), continuation(12), continuation(6), continuation(0)])
  }
}
