/// Where in a string a scanner is.
@usableFromInline struct StringState: Sendable {
  @usableFromInline enum Place: UInt8, Sendable {
    /// Between characters.
    case run
    /// Inside a code point, whose begin is in `carry`.
    case codePoint
    /// Behind a backslash.
    case escape
    /// Inside the digits of a `\u` escape.
    case digits
    /// Behind the first half of a surrogate pair: a backslash must follow, and then `u`.
    case secondBackslash, secondU
  }

  @usableFromInline var place = Place.run
  @usableFromInline var carry = CutCodePoint()
  @usableFromInline var unit: UInt32 = 0
  @usableFromInline var digitCount: UInt8 = 0
  /// The first half of a surrogate pair, or 0.
  @usableFromInline var firstHalf: UInt32 = 0

  @usableFromInline init() {}
}

extension JSONScanner {
  /// Reads a key or string from wherever in it we are, to its end or that of the chunk.
  @inlinable
  mutating func scanString<H: JSONEventHandler & ~Copyable>(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout H
  ) throws(JSONError) {
    while next < end {
      switch string.place {
      case .run:
        if try scanRun(&next, end, &handler) { return }
      case .codePoint:
        switch string.carry.finish(&next, end) {
        case .valid: try emit(string.carry.word, &handler)
        case .cut: return
        // The place is that of the code point's first byte, in a chunk before.
        case .invalid: throw invalidUTF8(at: next - Int(string.carry.count - 1))
        }
        string.place = .run
      case .escape: try scanEscape(&next, &handler)
      case .digits: try scanDigit(&next, &handler)
      case .secondBackslash:
        let isEscape = next.pointee == UInt8(ascii: "\\")
        if !isEscape { try halfPair(at: next, &handler) }
        string.place = isEscape ? .secondU : .run
        if isEscape { next += 1 }
      case .secondU:
        let isDigits = next.pointee == UInt8(ascii: "u")
        if !isDigits { try halfPair(at: next, &handler) }
        string.place = isDigits ? .digits : .escape
        if isDigits { next += 1 }
      }
    }
  }

  /// Reads characters up to an escape, the string's end or the chunk's end. Returns whether the string has ended.
  @inlinable
  @inline(__always)
  mutating func scanRun<H: JSONEventHandler & ~Copyable>(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout H
  ) throws(JSONError) -> Bool {
    let first = next
    var place = next
    while true {
      place = skipPlain(place, end)
      if place == end { break }
      let byte = place.pointee
      if byte == UInt8(ascii: "\"") {
        next = place + 1
        let isValue = openToken == .string
        try endString(UnsafeRawBufferPointer(start: first, count: place - first), &handler)
        if isValue { handler.valueEnds(at: offset(of: next)) }
        return true
      }
      if byte == UInt8(ascii: "\\") {
        string.place = .escape
        break
      }
      if byte < 0x20 {
        next = place
        throw controlCharacter(at: place)
      }
      switch CodePoint(at: place, end: end) {
      case .valid(let length): place += length
      case .cut:
        string.carry = CutCodePoint(place, end)
        string.place = .codePoint
        try emit(UnsafeRawBufferPointer(start: first, count: place - first), &handler)
        next = end
        return false
      case .invalid:
        next = place
        throw invalidUTF8(at: place)
      }
    }
    try emit(UnsafeRawBufferPointer(start: first, count: place - first), &handler)
    next = string.place == .escape ? place + 1 : place
    return false
  }

  @inlinable
  mutating func scanEscape<H: JSONEventHandler & ~Copyable>(_ next: inout UnsafePointer<UInt8>, _ handler: inout H) throws(JSONError) {
    let plain: UInt32
    switch next.pointee {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = UInt32(next.pointee)
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      string.place = .digits
      next += 1
      return
    default: throw unexpected(at: next)
    }
    string.place = .run
    next += 1
    try emit(plain, &handler)
  }

  @inlinable
  mutating func scanDigit<H: JSONEventHandler & ~Copyable>(_ next: inout UnsafePointer<UInt8>, _ handler: inout H) throws(JSONError) {
    guard let digit = hexadecimalDigit(next.pointee) else { throw unexpected(at: next) }
    string.unit = string.unit << 4 | UInt32(digit)
    string.digitCount += 1
    next += 1
    if string.digitCount < 4 { return }
    let unit = string.unit
    (string.unit, string.digitCount) = (0, 0)
    if string.firstHalf == 0 && 0xD800...0xDBFF ~= unit {
      string.firstHalf = unit
      string.place = .secondBackslash
      return
    }
    if (0xDC00...0xDFFF ~= unit) != (string.firstHalf != 0) {
      try halfPair(at: next - 1, &handler)
      if 0xD800...0xDBFF ~= unit {
        string.firstHalf = unit
        string.place = .secondBackslash
        return
      }
      if 0xDC00...0xDFFF ~= unit {
        string.place = .run
        return
      }
    }
    let value = string.firstHalf == 0 ? unit : 0x10000 + (string.firstHalf - 0xD800) << 10 + (unit - 0xDC00)
    string.firstHalf = 0
    string.place = .run
    try emit(utf8Word(value), &handler)
  }

  /// Passes on U+FFFD for half a surrogate pair, where that is no error.
  @inlinable
  @inline(never)
  mutating func halfPair<H: JSONEventHandler & ~Copyable>(at place: UnsafePointer<UInt8>, _ handler: inout H) throws(JSONError) {
    guard limits.replacesHalfPairs else { throw unpairedSurrogate(at: place) }
    string.firstHalf = 0
    try emit(0xBD_BFEF, &handler)
  }

  /// Passes on one code point, given as its UTF-8 with the first byte lowest.
  @inlinable
  mutating func emit<H: JSONEventHandler & ~Copyable>(_ utf8: UInt32, _ handler: inout H) throws(JSONError) {
    let lead = utf8 & 0xFF
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var word = utf8.littleEndian
    // A closure here would have to carry the handler and its typed error; a pointer to a local is plain.
    try emit(word: &word, length, &handler)
  }

  @inlinable
  mutating func emit<H: JSONEventHandler & ~Copyable>(
    word: UnsafePointer<UInt32>, _ length: Int, _ handler: inout H
  ) throws(JSONError) {
    try emit(UnsafeRawBufferPointer(start: word, count: length), &handler)
  }

  /// Passes on a part of a string, or keeps a part of a key.
  @inlinable
  @inline(__always)
  mutating func emit<H: JSONEventHandler & ~Copyable>(_ part: UnsafeRawBufferPointer, _ handler: inout H) throws(JSONError) {
    if part.count == 0 { return }
    if openToken == .string {
      try handler.stringPart(part)
    } else {
      try keep(part)
    }
  }

  /// Ends a key or string, whose last part is given.
  @inlinable
  @inline(__always)
  mutating func endString<H: JSONEventHandler & ~Copyable>(_ last: UnsafeRawBufferPointer, _ handler: inout H) throws(JSONError) {
    if openToken == .string {
      if last.count > 0 {
        try handler.stringPart(last)
      }
      valueEnded()
      return try handler.endString()
    }
    openToken = .none
    expectation = .colon
    if token.isEmpty && last.count <= limits.tokenBytes {
      return try handler.key(last)
    }
    try keep(last)
    let result = token.withUnsafeBytes { key in Result { () throws(JSONError) in try handler.key(key) } }
    token.removeAll(keepingCapacity: true)
    try result.get()
  }

  /// Keeps a part of a key or number.
  @usableFromInline
  mutating func keep(_ part: UnsafeRawBufferPointer) throws(JSONError) {
    guard token.count + part.count <= limits.tokenBytes else { throw tooLong() }
    token.append(contentsOf: part)
  }
}
