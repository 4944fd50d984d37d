/// Reads an OpenStep (ASCII) property list, as NeXT, GNUstep and Apple write them, into an `ObjectBuilder`: lists, strings files (pairs without braces), and
/// GNUstep's typed values. A lone word is refused: any text begins with one. Without recursion: depth costs memory, not stack.
struct OpenStepReader {
  private var scanner: OpenStepScanner
  private var builder: ObjectBuilder
  private var open: [Frame] = []
  private var data: [UInt8] = []

  private struct Frame {
    /// `}` of a dictionary, `)` of an array, nothing of a strings file.
    let end: Unicode.Scalar?
    let isDictionary: Bool
    let offset: Int
    /// In a dictionary: the key stands before its value. In an array: a value stands before its comma.
    var isHalfway = false
  }

  private init(_ text: [UInt8], _ limits: PropertyListLimits) {
    scanner = OpenStepScanner(text)
    builder = ObjectBuilder(limits)
  }

  /// The list as a binary list. Errors give offsets in the file as it is encoded.
  static func read(_ source: [UInt8], _ limits: PropertyListLimits) throws(PropertyListError) -> [UInt8] {
    let text = try DecodedText(source, fallback: .nextStep)
    var reader = OpenStepReader(text.bytes, limits)
    do {
      try reader.document()
    } catch {
      throw PropertyListError(error.code, at: text.origin(of: error.offset))
    }
    return reader.builder.finish()
  }

  private mutating func document() throws(PropertyListError) {
    try scanner.skipSpaces()
    if scanner.isAtEnd { throw PropertyListError(.missingValue, at: scanner.position) }
    switch scanner.next {
    case "{", "(", "<": try value()
    default:
      guard let first = try scanner.text() else { throw PropertyListError(.notAPropertyList, at: scanner.position) }
      try scanner.skipSpaces()
      if scanner.isAtEnd, first.isQuoted {
        try builder.add(text: scanner.buffer, at: first.offset)
        return
      }
      // Only a key is followed by one of these: pairs without braces.
      guard scanner.next == "=" || scanner.next == ";" else { throw PropertyListError(.notAPropertyList, at: scanner.position) }
      try builder.open(dictionary: true, at: first.offset)
      open.append(Frame(end: nil, isDictionary: true, offset: first.offset))
      try member(of: first)
    }
    while let frame = open.last { try step(frame) }
    try scanner.skipSpaces()
    if !scanner.isAtEnd { throw PropertyListError(.trailingContent, at: scanner.position) }
  }

  /// One more member, value, or end of the collection that is open.
  private mutating func step(_ frame: Frame) throws(PropertyListError) {
    try scanner.skipSpaces()
    if scanner.isAtEnd {
      guard frame.end == nil, !frame.isHalfway else { throw PropertyListError(.truncated, at: frame.offset) }
      return try close()
    }
    if frame.isHalfway {
      open[open.count - 1].isHalfway = false
      // The last semicolon of a dictionary may be missing, as the last comma of an array.
      if scanner.skip(frame.isDictionary ? ";" : ",") || frame.end != nil && scanner.next == frame.end { return }
      throw PropertyListError(.unexpectedCharacter, at: scanner.position)
    }
    if let end = frame.end, scanner.skip(end) { return try close() }
    if frame.isDictionary {
      guard let key = try scanner.text() else { throw PropertyListError(.unexpectedCharacter, at: scanner.position) }
      try member(of: key)
    } else {
      open[open.count - 1].isHalfway = true
      try value()
    }
  }

  private mutating func close() throws(PropertyListError) {
    open.removeLast()
    try builder.close(at: scanner.position)
  }

  /// Adds the key that was scanned last, and what follows it: `= value`, or nothing, which in strings files means the key itself.
  private mutating func member(of key: OpenStepScanner.Text) throws(PropertyListError) {
    try builder.add(text: scanner.buffer, at: key.offset)
    try scanner.skipSpaces()
    open[open.count - 1].isHalfway = true
    if scanner.next == ";" { return try builder.add(text: scanner.buffer, at: key.offset) }
    guard scanner.skip("=") else {
      throw PropertyListError(scanner.isAtEnd ? .truncated : .unexpectedCharacter, at: scanner.position)
    }
    try scanner.skipSpaces()
    try value()
  }

  private mutating func value() throws(PropertyListError) {
    let start = scanner.position
    switch scanner.next {
    case "{", "(":
      let isDictionary = scanner.skip("{")
      if !isDictionary { _ = scanner.skip("(") }
      try builder.open(dictionary: isDictionary, at: start)
      open.append(Frame(end: isDictionary ? "}" : ")", isDictionary: isDictionary, offset: start))
    case "<": try angle(start)
    default:
      guard try scanner.text() != nil else {
        throw PropertyListError(scanner.isAtEnd ? .truncated : .unexpectedCharacter, at: start)
      }
      try builder.add(text: scanner.buffer, at: start)
    }
  }

  /// `<0fbd77 1c2735ae>`, GNUstep's base64 `<[…]>` or one of its typed values.
  private mutating func angle(_ start: Int) throws(PropertyListError) {
    let body = try scanner.angleBody()
    data.removeAll(keepingCapacity: true)
    switch body.first {
    case UInt8(ascii: "*"): return try typed(body.dropFirst(), start)
    case UInt8(ascii: "["):
      guard body.last == UInt8(ascii: "]"), body.count >= 2 else { throw PropertyListError(.badData, at: start) }
      if let wrong = TextValues.base64(body.dropFirst().dropLast(), into: &data) { throw PropertyListError(.badData, at: wrong) }
    default:
      var high: UInt8?
      for (offset, byte) in zip(body.indices, body) where !isSpace(byte) {
        guard let digit = TextValues.hexDigit(byte) else { throw PropertyListError(.badData, at: offset) }
        if let first = high {
          data.append(first << 4 | digit)
          high = nil
        } else {
          high = digit
        }
      }
      if high != nil { throw PropertyListError(.badData, at: body.endIndex) }
    }
    try builder.add(data: data, at: start)
  }

  /// GNUstep's `*I5`, `*BY`, `*R3.14`, `*D2011-11-28 09:21:30 +0000`, also with the value in quotes.
  private mutating func typed(_ body: ArraySlice<UInt8>, _ start: Int) throws(PropertyListError) {
    var text = trimmed(body.dropFirst())
    let quote = UInt8(ascii: "\"")
    if text.first == quote {
      guard text.count >= 2, text.last == quote else { throw PropertyListError(.truncated, at: start) }
      text = text.dropFirst().dropLast()
    }
    switch body.first {
    case UInt8(ascii: "I"):
      switch TextValues.integer(text) {
      case .signed(let value): try builder.add(value, at: start)
      case .unsigned(let value): try builder.add(value, at: start)
      case .tooLarge: throw PropertyListError(.integerTooLarge, at: start)
      case nil: throw PropertyListError(.badInteger, at: start)
      }
    case UInt8(ascii: "R"):
      guard let value = TextValues.real(text) else { throw PropertyListError(.badReal, at: start) }
      try builder.add(value, at: start)
    case UInt8(ascii: "B"):
      guard text.count == 1, text.first == UInt8(ascii: "Y") || text.first == UInt8(ascii: "N") else {
        throw PropertyListError(.unexpectedCharacter, at: start)
      }
      try builder.add(text.first == UInt8(ascii: "Y"), at: start)
    case UInt8(ascii: "D"):
      guard let seconds = TextValues.gnustepDate(text) else { throw PropertyListError(.badDate, at: start) }
      try builder.add(secondsSince2001: seconds, at: start)
    default: throw PropertyListError(.unexpectedCharacter, at: start)
    }
  }
}
