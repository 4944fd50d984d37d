/// A text that isn't of the form in which PostgreSQL prints its type's values.
struct MalformedValue: Error {}

typealias Printed = UnsafeBufferPointer<UInt8>

/// Reads the text of an array, `{1,"a b",NULL}`, also with bounds before it, `[0:1]={1,2}` (PostgreSQL's documentation, section 8.15.6).
struct ArrayText {
  enum Token {
    case open, close, null
    /// An element as it stands in the text.
    case plain(Range<Int>)
    /// One that has escapes, which are resolved in `unescaped`.
    case escaped
  }

  private let text: Printed
  private let delimiter: UInt8
  private var place = 0
  private var depth = 0
  private var expectsElement = true
  private var hasEnded = false
  private(set) var unescaped: [UInt8] = []

  init(_ text: Printed, delimiter: UInt8) throws(MalformedValue) {
    self.text = text
    self.delimiter = delimiter
    if text.first == UInt8(ascii: "[") {
      guard let sign = text.firstIndex(of: UInt8(ascii: "=")) else { throw MalformedValue() }
      place = sign + 1
    }
    guard place < text.count, text[place] == UInt8(ascii: "{") else { throw MalformedValue() }
  }

  /// The next token; nil at the end.
  mutating func next() throws(MalformedValue) -> Token? {
    if hasEnded {
      guard place == text.count else { throw MalformedValue() }
      return nil
    }
    guard place < text.count else { throw MalformedValue() }
    if !expectsElement && text[place] == delimiter {
      place += 1
      expectsElement = true
      guard place < text.count, text[place] != UInt8(ascii: "}") else { throw MalformedValue() }
    }
    switch text[place] {
    case UInt8(ascii: "{"):
      guard expectsElement else { throw MalformedValue() }
      place += 1
      depth += 1
      return .open
    case UInt8(ascii: "}"):
      place += 1
      depth -= 1
      expectsElement = false
      hasEnded = depth == 0
      return .close
    default:
      guard expectsElement else { throw MalformedValue() }
      expectsElement = false
      return text[place] == UInt8(ascii: "\"") ? try quoted() : try bare()
    }
  }

  private mutating func bare() throws(MalformedValue) -> Token {
    let start = place
    while place < text.count, text[place] != delimiter, text[place] != UInt8(ascii: "}") {
      // What has these is printed in quotes.
      if text[place] == UInt8(ascii: "\\") || text[place] == UInt8(ascii: "\"") || text[place] == UInt8(ascii: "{") {
        throw MalformedValue()
      }
      place += 1
    }
    if place == start { throw MalformedValue() }
    let isNull = place - start == 4 && text[start..<place].elementsEqual("NULL".utf8)
    return isNull ? .null : .plain(start..<place)
  }

  private mutating func quoted() throws(MalformedValue) -> Token {
    place += 1
    let (range, hasEscapes) = try scanQuoted(text, &place, doubles: false)
    if !hasEscapes { return .plain(range) }
    unescape(text, range, into: &unescaped, doubles: false)
    return .escaped
  }
}

/// Reads the text of a composite value, `(1,"a b",)` (PostgreSQL's documentation, section 8.16.6).
struct CompositeText {
  enum Member {
    case null
    case plain(Range<Int>)
    case escaped
  }

  private let text: Printed
  private var place = 1
  private(set) var unescaped: [UInt8] = []

  init(_ text: Printed) throws(MalformedValue) {
    self.text = text
    guard text.count >= 2, text[0] == UInt8(ascii: "(") else { throw MalformedValue() }
  }

  /// The next member, with what follows it: `isLast` says whether it must be the closing parenthesis and the text's end.
  mutating func next(isLast: Bool) throws(MalformedValue) -> Member {
    let member = try member()
    let end = isLast ? UInt8(ascii: ")") : UInt8(ascii: ",")
    guard place < text.count, text[place] == end else { throw MalformedValue() }
    place += 1
    if isLast && place != text.count { throw MalformedValue() }
    return member
  }

  private mutating func member() throws(MalformedValue) -> Member {
    guard place < text.count else { throw MalformedValue() }
    if text[place] == UInt8(ascii: "\"") {
      place += 1
      let (range, hasEscapes) = try scanQuoted(text, &place, doubles: true)
      if !hasEscapes { return .plain(range) }
      unescape(text, range, into: &unescaped, doubles: true)
      return .escaped
    }
    let start = place
    while place < text.count, text[place] != UInt8(ascii: ","), text[place] != UInt8(ascii: ")") {
      if text[place] == UInt8(ascii: "\\") || text[place] == UInt8(ascii: "\"") || text[place] == UInt8(ascii: "(") {
        throw MalformedValue()
      }
      place += 1
    }
    return place == start ? .null : .plain(start..<place)
  }
}

/// Goes over the rest of a quoted text, and stands behind its closing quote then. `doubles`: a quote inside may be doubled too.
private func scanQuoted(_ text: Printed, _ place: inout Int, doubles: Bool) throws(MalformedValue) -> (Range<Int>, hasEscapes: Bool) {
  let start = place
  var hasEscapes = false
  while place < text.count {
    switch text[place] {
    case UInt8(ascii: "\\"):
      hasEscapes = true
      place += 2
    case UInt8(ascii: "\"") where doubles && place + 1 < text.count && text[place + 1] == UInt8(ascii: "\""):
      hasEscapes = true
      place += 2
    case UInt8(ascii: "\""):
      place += 1
      return (start..<place - 1, hasEscapes)
    default: place += 1
    }
  }
  throw MalformedValue()
}

private func unescape(_ text: Printed, _ range: Range<Int>, into bytes: inout [UInt8], doubles: Bool) {
  bytes.removeAll(keepingCapacity: true)
  var place = range.lowerBound
  while place < range.upperBound {
    // The scan has seen to it that a byte follows each of these.
    if text[place] == UInt8(ascii: "\\") || (doubles && text[place] == UInt8(ascii: "\"")) { place += 1 }
    bytes.append(text[place])
    place += 1
  }
}
