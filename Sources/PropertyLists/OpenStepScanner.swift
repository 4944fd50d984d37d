/// The words of OpenStep lists: spaces and comments, quoted and bare text, what stands in angle brackets.
struct OpenStepScanner {
  struct Text {
    let offset: Int
    let isQuoted: Bool
  }

  private let source: [UInt8]
  private(set) var position = 0
  /// The text that was scanned last. Unpaired surrogates, which escapes can spell, stand as three bytes each.
  private(set) var buffer: [UInt8] = []

  init(_ source: [UInt8]) { self.source = source }

  var isAtEnd: Bool { position >= source.count }

  /// The next character, where it is ASCII.
  var next: Unicode.Scalar? { isAtEnd || source[position] >= 0x80 ? nil : Unicode.Scalar(source[position]) }

  private func peek(_ distance: Int) -> UInt8? {
    position + distance < source.count ? source[position + distance] : nil
  }

  /// Steps over a character, if it is the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == character else { return false }
    position += 1
    return true
  }

  /// Steps over spaces and comments, both kinds.
  mutating func skipSpaces() throws(PropertyListError) {
    while !isAtEnd {
      if isSpace(source[position]) || source[position] == 0x0B || source[position] == 0x0C {
        position += 1
      } else if startsWithLineSeparator() {
        position += 3
      } else if source[position] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
        while !isAtEnd, source[position] != 0x0A, source[position] != 0x0D { position += 1 }
      } else if source[position] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        try skipBlockComment()
      } else {
        return
      }
    }
  }

  /// U+2028 and U+2029.
  private func startsWithLineSeparator() -> Bool {
    source[position] == 0xE2 && peek(1) == 0x80 && (peek(2) == 0xA8 || peek(2) == 0xA9)
  }

  private mutating func skipBlockComment() throws(PropertyListError) {
    let start = position
    position += 2
    while source.count - position >= 2 {
      if source[position] == UInt8(ascii: "*"), source[position + 1] == UInt8(ascii: "/") {
        position += 2
        return
      }
      position += 1
    }
    throw PropertyListError(.truncated, at: start)
  }

  /// What stands between `<` and `>`; quotes hide a `>`.
  mutating func angleBody() throws(PropertyListError) -> ArraySlice<UInt8> {
    let start = position + 1
    var isQuoted = false
    position = start
    while !isAtEnd {
      let byte = source[position]
      position += 1
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ">"), !isQuoted { return source[start..<position - 1] }
    }
    throw PropertyListError(.truncated, at: start - 1)
  }

  /// Scans a text, quoted or bare, into `buffer`. nil where none begins.
  mutating func text() throws(PropertyListError) -> Text? {
    buffer.removeAll(keepingCapacity: true)
    if isAtEnd { return nil }
    let start = position
    let first = source[start]
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      position += 1
      try quoted(first, start)
      return Text(offset: start, isQuoted: true)
    }
    while !isAtEnd, isBare(source[position]), !startsWithLineSeparator() { position += 1 }
    buffer.append(contentsOf: source[start..<position])
    return buffer.isEmpty ? nil : Text(offset: start, isQuoted: false)
  }

  /// Characters that text without quotes may hold: CoreFoundation's and GNUstep's, and all beyond ASCII.
  private func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"): true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "?"):
      true
    case UInt8(ascii: "@"), UInt8(ascii: "|"), UInt8(ascii: "~"), UInt8(ascii: "^"): true
    default: false
    }
  }

  private mutating func quoted(_ quote: UInt8, _ start: Int) throws(PropertyListError) {
    while !isAtEnd {
      let byte = source[position]
      position += 1
      if byte == quote { return }
      if byte == UInt8(ascii: "\\") { try escape(start) } else { buffer.append(byte) }
    }
    throw PropertyListError(.truncated, at: start)
  }

  private mutating func escape(_ start: Int) throws(PropertyListError) {
    if isAtEnd { throw PropertyListError(.truncated, at: start) }
    let byte = source[position]
    position += 1
    switch byte {
    case UInt8(ascii: "a"): buffer.append(0x07)
    case UInt8(ascii: "b"): buffer.append(0x08)
    case UInt8(ascii: "t"): buffer.append(0x09)
    case UInt8(ascii: "n"): buffer.append(0x0A)
    case UInt8(ascii: "v"): buffer.append(0x0B)
    case UInt8(ascii: "f"): buffer.append(0x0C)
    case UInt8(ascii: "r"): buffer.append(0x0D)
    case UInt8(ascii: "U"), UInt8(ascii: "u"): try unicodeEscape()
    case UInt8(ascii: "0")...UInt8(ascii: "7"): try octalEscape(byte)
    default: buffer.append(byte)  // a quote, a backslash, a line end; any other stands for itself
    }
  }

  /// Up to four hexadecimal digits: a UTF-16 unit.
  private mutating func unicodeEscape() throws(PropertyListError) {
    var unit: UInt32 = 0
    var count = 0
    while count < 4, let byte = peek(0), let digit = TextValues.hexDigit(byte) {
      unit = unit << 4 | UInt32(digit)
      position += 1
      count += 1
    }
    if count == 0 { throw PropertyListError(.unexpectedCharacter, at: position - 2) }
    if unit & 0xFC00 == 0xDC00, let high = trailingHighSurrogate() {
      buffer.removeLast(3)
      appendUTF8(0x10000 + (high & 0x3FF) << 10 + (unit & 0x3FF), to: &buffer)
    } else {
      appendUTF8(unit, to: &buffer)
    }
  }

  /// The high surrogate that the buffer ends with. It came from an escape, for decoded text holds none.
  private func trailingHighSurrogate() -> UInt32? {
    guard buffer.count >= 3 else { return nil }
    let last = buffer[(buffer.count - 3)...].map(UInt32.init)
    let point = (last[0] & 0x0F) << 12 | (last[1] & 0x3F) << 6 | last[2] & 0x3F
    return last[0] == 0xED && point & 0xFC00 == 0xD800 ? point : nil
  }

  /// One to three octal digits: a byte in the NeXTSTEP encoding.
  private mutating func octalEscape(_ first: UInt8) throws(PropertyListError) {
    let start = position - 2
    var value = UInt32(first - UInt8(ascii: "0"))
    var count = 1
    while count < 3, let byte = peek(0), UInt8(ascii: "0")...UInt8(ascii: "7") ~= byte {
      value = value << 3 | UInt32(byte - UInt8(ascii: "0"))
      position += 1
      count += 1
    }
    guard value <= 0xFF, let point = nextStepPoint(UInt8(value)) else { throw PropertyListError(.unexpectedCharacter, at: start) }
    appendUTF8(point, to: &buffer)
  }
}
