import AccountExport

/// Why a JSON text can't be read on, and where. It holds nothing of what is in the text.
struct JSONFault: Error, CustomStringConvertible {
  let line: Int
  let message: StaticString

  var description: String { "line \(line): \(message)" }

  /// What to say where a line is named already.
  func detail(at named: Int) -> String { line == named ? "\(message)" : description }
}

/// A place in a JSON text, with a window of bytes around it. It finds where values begin and end, and leaves what they are to others.
///
/// `kept` is the first byte that must stay in the window. Where that would need more than a megabyte, it is given up: `kept` is nil then.
struct JSONCursor: ~Copyable {
  private let file: TextFile
  private(set) var base: UnsafeMutablePointer<UInt8>
  private var capacity = 256 << 10
  private var windowOffset: UInt64 = 0
  private(set) var filled = 0
  var next = 0
  private var keptIndex = -1
  /// The line of the next byte, counted from 1.
  private(set) var line = 1
  private var offsetAfterReturn: UInt64 = .max
  /// Where the line of the next byte begins, as far as white space was passed over since.
  private(set) var lineStart: UInt64 = 0
  /// Whether the last string that was passed over has escapes.
  private(set) var hasEscape = false
  /// Whether a value must end with its line.
  var endsWithLine = false
  private var brackets: [UInt8] = []

  static let longestKept = 1 << 20
  private static let deepest = 1 << 16

  init(_ file: TextFile) {
    self.file = file
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// The place of the next byte in the text.
  var offset: UInt64 { windowOffset &+ UInt64(next) }

  // MARK: The window

  /// Goes to a place in the text, whose line is known. What was kept need not be any more.
  mutating func seek(to offset: UInt64, line: Int) {
    keptIndex = -1
    (self.line, offsetAfterReturn, lineStart) = (line, .max, .max)
    if offset >= windowOffset && offset <= windowOffset + UInt64(filled) {
      next = Int(offset - windowOffset)
    } else {
      (windowOffset, filled, next) = (offset, 0, 0)
    }
  }

  /// Keeps what comes from here on in the window.
  mutating func keep() { keptIndex = next }

  /// Lets go of what was kept.
  mutating func release() { keptIndex = -1 }

  /// Whether what was kept is there still.
  var isKept: Bool { keptIndex >= 0 }

  /// The bytes between two places that are in the window.
  func bytes(from begin: UInt64, to end: UInt64) -> UnsafeRawBufferPointer {
    precondition(begin >= windowOffset && end <= windowOffset + UInt64(filled) && begin <= end, "bytes that are not in the window")
    return UnsafeRawBufferPointer(start: base + Int(begin - windowOffset), count: Int(end - begin))
  }

  private mutating func fill() throws -> Bool {
    if keptIndex == 0 && filled == capacity {
      if capacity >= Self.longestKept { keptIndex = -1 } else { grow() }
    }
    let from = keptIndex >= 0 ? keptIndex : next
    if from > 0 {
      base.update(from: base + from, count: filled - from)
      windowOffset += UInt64(from)
      (filled, next) = (filled - from, next - from)
      if keptIndex >= 0 { keptIndex = 0 }
    }
    let count = try file.read(
      into: UnsafeMutableRawBufferPointer(start: base + filled, count: capacity - filled), at: windowOffset + UInt64(filled))
    filled += count
    return count > 0
  }

  private mutating func grow() {
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    grown.update(from: base, count: filled)
    base.deallocate()
    (base, capacity) = (grown, capacity * 2)
  }

  // MARK: Between values

  /// The next byte; nil at the end of the text.
  @inline(__always)
  mutating func peek() throws -> UInt8? {
    if next == filled, try !fill() { return nil }
    return base[next]
  }

  /// Passes over the next byte, which need not be in the window yet.
  mutating func skipByte() throws {
    if try peek() != nil { next += 1 }
  }

  func fault(_ message: StaticString) -> JSONFault { JSONFault(line: line, message: message) }

  /// Passes over white space, and says what comes then; nil at the end of the text. Inside a value that must end with its line, a line's end is an error.
  mutating func skipSpace(inValue: Bool) throws -> UInt8? {
    while let byte = try peek() {
      switch byte {
      case 0x20, 0x09: next += 1
      case 0x0A, 0x0D:
        if inValue && endsWithLine { throw fault("the line ends inside a value") }
        passLineEnd(byte)
      case 0x1E where !inValue: next += 1  // what RFC 7464 begins each text with
      default: return byte
      }
    }
    return nil
  }

  /// Whether nothing more stands on the line; the white space there is passed over.
  mutating func endsLine() throws -> Bool {
    while let byte = try peek() {
      if byte != 0x20 && byte != 0x09 { return byte == 0x0A || byte == 0x0D }
      next += 1
    }
    return true
  }

  /// Passes over a byte that is expected.
  mutating func expect(_ byte: UInt8, _ message: StaticString) throws {
    guard try skipSpace(inValue: true) == byte else { throw fault(message) }
    next += 1
  }

  private mutating func passLineEnd(_ byte: UInt8) {
    let isSecond = byte == 0x0A && offset == offsetAfterReturn
    next += 1
    if byte == 0x0D { offsetAfterReturn = offset }
    if !isSecond { line += 1 }
    lineStart = offset
  }

  /// Passes over the rest of the line, and its end; false at the end of the text.
  mutating func skipLine() throws -> Bool {
    while let byte = try peek() {
      if byte == 0x0A || byte == 0x0D {
        passLineEnd(byte)
        if byte == 0x0D, try peek() == 0x0A { passLineEnd(0x0A) }
        return true
      }
      next += 1
    }
    return false
  }

  // MARK: Values

  /// Passes over the value that begins with the next byte.
  mutating func skipValue() throws {
    switch try peek() {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer()
    default: try skipScalar()
    }
  }

  /// Passes over the string whose quote is the next byte.
  mutating func skipString() throws {
    try skipByte()
    hasEscape = false
    while true {
      next = plainEnd()
      guard let byte = try peek() else { throw fault("the text ends inside a string") }
      switch byte {
      case UInt8(ascii: "\""):
        next += 1
        return
      case UInt8(ascii: "\\"):
        hasEscape = true
        next += 1
        guard let escaped = try peek() else { throw fault("the text ends inside a string") }
        if escaped < 0x20 { throw fault("a control character in a string, or a string without an end") }
        next += 1
      case 0..<0x20: throw fault("a control character in a string, or a string without an end")
      default: next += 1
      }
    }
  }

  /// The place of the next quote, backslash or control character in the window; its end where there is none.
  @inline(__always)
  private func plainEnd() -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = next
    while filled &- place >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
      let (quote, backslash) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
      // Only the lowest mark counts: a borrow may set a wrong one above it.
      let marks = ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & (ones &* 0x80)
      if marks != 0 { return place &+ marks.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < filled, base[place] >= 0x20, base[place] != 0x22, base[place] != 0x5C { place &+= 1 }
    return place
  }

  private mutating func skipContainer() throws {
    brackets.removeAll(keepingCapacity: true)
    repeat {
      guard let byte = try skipSpace(inValue: true) else { throw fault("the text ends inside a value") }
      switch byte {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if brackets.count == Self.deepest { throw fault("values lie too deep in one another") }
        brackets.append(byte + 2)  // the bracket that closes it
        next += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if brackets.removeLast() != byte { throw fault("a bracket that closes another") }
        next += 1
      default: next += 1
      }
    } while !brackets.isEmpty
  }

  private mutating func skipScalar() throws {
    let begin = offset
    while let byte = try peek() {
      let isPart =
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == 0x2B || byte == 0x2D || byte == 0x2E
      if !isPart { break }
      next += 1
    }
    if offset == begin { throw fault(try peek() == nil ? "the text ends where a value should begin" : "no value where one should begin") }
  }
}
