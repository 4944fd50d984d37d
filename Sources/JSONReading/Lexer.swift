/// Reads the tokens of a JSON or JSON5 text that is in memory.
struct Lexer {
  let bytes: UnsafeRawBufferPointer
  let dialect: JSONParser.Dialect
  var index = 0

  init(bytes: UnsafeRawBufferPointer, dialect: JSONParser.Dialect) {
    self.bytes = bytes
    self.dialect = dialect
  }

  /// What is wrong, and at which byte.
  struct Failure: Error {
    let code: JSONError.Code
    let message: String
    let offset: Int
  }

  var isAtEnd: Bool { index >= bytes.count }

  /// The next byte, or nil at the end.
  @inline(__always)
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  func failure(_ code: JSONError.Code, _ message: String) -> Failure {
    Failure(code: code, message: message, offset: index)
  }

  /// The error that something was expected here, and something else, or nothing, found.
  func unexpected(expected: String) -> Failure {
    guard let byte = next else { return failure(.unexpectedEnd, "expected \(expected), found the end of the text") }
    if byte >= 0x80 {
      guard let (scalar, _) = scalarIfValid(at: index) else { return failure(.invalidUTF8, "bytes that are no UTF-8") }
      return failure(.unexpected, "expected \(expected), found \(name(of: scalar))")
    }
    return failure(.unexpected, "expected \(expected), found \(name(of: Unicode.Scalar(byte)))")
  }

  private func name(of scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned, .surrogate:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return scalar == "'" ? "\"'\"" : "'\(scalar)'"
    }
  }

  // MARK: - White space

  mutating func skipByteOrderMark() {
    if bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF {
      index = 3
    }
  }

  /// Passes over white space, in JSON5 comments too.
  mutating func skipSpace() throws(Failure) {
    while let byte = next {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case 0x0B where dialect == .json5, 0x0C where dialect == .json5: index += 1
      case UInt8(ascii: "/") where dialect == .json5: try skipComment()
      case 0x80... where dialect == .json5:
        let (scalar, length) = try scalar(at: index)
        guard isSpace(scalar) else { return }
        index += length
      default: return
      }
    }
  }

  private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FEFF}" || scalar == "\u{2028}" || scalar == "\u{2029}" || scalar.properties.generalCategory == .spaceSeparator
  }

  private mutating func skipComment() throws(Failure) {
    let start = index
    index += 1
    let isBlock = next == UInt8(ascii: "*")
    guard isBlock || next == UInt8(ascii: "/") else { throw unexpected(expected: "'/' or '*'") }
    index += 1
    while let byte = next {
      if isBlock && byte == UInt8(ascii: "*") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/") {
        index += 2
        return
      }
      let (scalar, length) = try scalar(at: index)
      if !isBlock && isLineEnd(scalar) { return }
      index += length
    }
    if isBlock {
      throw Failure(code: .unexpectedEnd, message: "the comment has no end: expected '*/'", offset: start)
    }
  }

  func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  // MARK: - UTF-8

  /// The code point at a place, and how many bytes it takes.
  func scalar(at offset: Int) throws(Failure) -> (Unicode.Scalar, Int) {
    guard let found = scalarIfValid(at: offset) else {
      throw Failure(code: .invalidUTF8, message: "bytes that are no UTF-8", offset: offset)
    }
    return found
  }

  private func scalarIfValid(at offset: Int) -> (Unicode.Scalar, Int)? {
    let lead = bytes[offset]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard lead >= 0xC2 && lead <= 0xF4 && offset + length <= bytes.count else { return nil }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for index in 1..<length {
      let byte = bytes[offset + index]
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    // Longer than need be, a surrogate, or beyond U+10FFFF.
    guard value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000), let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
