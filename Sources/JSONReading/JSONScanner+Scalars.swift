/// Where in a number a scanner is.
@usableFromInline enum NumberState: UInt8, Sendable {
  /// Before it, and behind its minus.
  case start, sign
  /// Behind a leading zero, and inside other whole digits.
  case zero, whole
  case point, fraction
  case exponent, exponentSign, exponentDigits

  /// Whether the number is whole if it ends here.
  @inlinable
  var mayEnd: Bool { self == .zero || self == .whole || self == .fraction || self == .exponentDigits }

  /// Where the next byte leads to; nil where it is not part of the number.
  @inlinable
  @inline(__always)
  func next(_ byte: UInt8) -> NumberState? {
    let isDigit = byte &- UInt8(ascii: "0") < 10
    switch self {
    case .start where byte == UInt8(ascii: "-"): return .sign
    case .start, .sign: return !isDigit ? nil : byte == UInt8(ascii: "0") ? .zero : .whole
    case .whole where isDigit: return .whole
    case .zero, .whole:
      if byte == UInt8(ascii: ".") { return .point }
      return byte | 0x20 == UInt8(ascii: "e") ? .exponent : nil
    case .point: return isDigit ? .fraction : nil
    case .fraction: return isDigit ? .fraction : byte | 0x20 == UInt8(ascii: "e") ? .exponent : nil
    case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"): return .exponentSign
    case .exponent, .exponentSign, .exponentDigits: return isDigit ? .exponentDigits : nil
    }
  }
}

/// Which of the three words it is, and how much of it has come.
@usableFromInline struct LiteralState: Sendable {
  @usableFromInline enum Word: UInt8, Sendable { case null, `true`, `false` }

  @usableFromInline var word = Word.null
  /// The letters that are still to come, the next one lowest.
  @usableFromInline var rest: UInt64 = 0

  @usableFromInline init() {}

  @inlinable
  init?(firstLetter: UInt8) {
    switch firstLetter {
    case UInt8(ascii: "n"): (word, rest) = (.null, 0x6C6C_756E)
    case UInt8(ascii: "t"): (word, rest) = (.true, 0x6575_7274)
    case UInt8(ascii: "f"): (word, rest) = (.false, 0x65_736C_6166)
    default: return nil
    }
  }
}

extension JSONScanner {
  /// Reads a number from wherever in it we are, to its end or that of the chunk.
  @inlinable
  mutating func scanNumber<H: JSONEventHandler & ~Copyable>(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout H
  ) throws(JSONError) {
    let first = next
    var state = number
    var place = next
    while place < end, let following = state.next(place.pointee) {
      state = following
      place += 1
    }
    number = state
    next = place
    let text = UnsafeRawBufferPointer(start: first, count: place - first)
    if place == end {
      return try keep(text)
    }
    guard state.mayEnd, state != .zero || place.pointee &- UInt8(ascii: "0") >= 10 else { throw unexpected(at: place) }
    try endNumber(text, &handler)
    handler.valueEnds(at: offset(of: place))
  }

  /// Ends a number, whose last part is given.
  @inlinable
  mutating func endNumber<H: JSONEventHandler & ~Copyable>(_ last: UnsafeRawBufferPointer, _ handler: inout H) throws(JSONError) {
    valueEnded()
    if token.isEmpty && last.count <= limits.tokenBytes {
      return try handler.number(last)
    }
    try keep(last)
    let result = token.withUnsafeBytes { text in Result { () throws(JSONError) in try handler.number(text) } }
    token.removeAll(keepingCapacity: true)
    try result.get()
  }

  /// Reads `true`, `false` or `null` from wherever in it we are, to its end or that of the chunk.
  @inlinable
  mutating func scanLiteral<H: JSONEventHandler & ~Copyable>(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout H
  ) throws(JSONError) {
    while next < end && literal.rest != 0 {
      guard next.pointee == UInt8(truncatingIfNeeded: literal.rest) else { throw unexpected(at: next) }
      literal.rest >>= 8
      next += 1
    }
    if literal.rest != 0 { return }
    valueEnded()
    switch literal.word {
    case .null: try handler.null()
    case .true: try handler.bool(true)
    case .false: try handler.bool(false)
    }
    handler.valueEnds(at: offset(of: next))
  }
}
