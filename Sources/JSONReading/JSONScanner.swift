/// Reads one JSON text (RFC 8259, UTF-8, no byte order mark) that comes in chunks of any size, checks all of it and passes it on as events.
///
/// Memory is flat: strings go through in parts, and only a key or number that a chunk cuts is kept, up to a limit. Half surrogate pairs in
/// `\u` escapes are an error, since no UTF-8 can hold them, unless the limits say otherwise.
public struct JSONScanner: ~Copyable, Sendable {
  /// How much is read at most.
  public struct Limits: Sendable {
    /// How deep objects and arrays may be nested.
    public var depth: Int
    /// How many bytes a key or a number may have.
    public var tokenBytes: Int
    /// Whether half a surrogate pair in a `\u` escape, which the grammar allows, comes as U+FFFD; else it is an error.
    public var replacesHalfPairs: Bool

    /// Limits, by default 512 levels and 1 MiB.
    public init(depth: Int = 512, tokenBytes: Int = 1 << 20, replacesHalfPairs: Bool = false) {
      self.depth = depth
      self.tokenBytes = tokenBytes
      self.replacesHalfPairs = replacesHalfPairs
    }
  }

  /// What the grammar asks for next, between two tokens.
  @usableFromInline enum Expectation: UInt8, Sendable {
    case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing
  }

  /// The token that a chunk's end has cut.
  @usableFromInline enum OpenToken: UInt8, Sendable {
    case none, string, key, number, literal
  }

  @usableFromInline let limits: Limits
  @usableFromInline var expectation = Expectation.value
  @usableFromInline var openToken = OpenToken.none
  @usableFromInline var levels = LevelStack()
  /// The begin of a key or number that a chunk's end has cut, or of a key that has escapes.
  @usableFromInline var token: [UInt8] = []
  @usableFromInline var string = StringState()
  @usableFromInline var number = NumberState.sign
  @usableFromInline var literal = LiteralState()
  /// An offset in the whole text is an address in the present chunk less this.
  @usableFromInline var addressOfStart = 0
  /// How many bytes of the chunks before were taken.
  @usableFromInline var consumed = 0
  @usableFromInline var lines = LineCounter()
  private var failure: JSONError?

  /// A scanner at the begin of a text.
  public init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// How many objects and arrays are open.
  public var depth: Int { levels.depth }

  /// How many bytes of the text were taken by ``feed(_:handler:)``, without those of a chunk that is in work.
  public var offset: Int { consumed }

  /// The line that is being read, counted from 1; lines end at LF, CR LF or CR.
  public var line: Int { lines.line }

  /// Reads the next chunk. After an error every further call throws the same error.
  @inlinable
  public mutating func feed<H: JSONEventHandler & ~Copyable>(_ chunk: UnsafeRawBufferPointer, handler: inout H) throws(JSONError) {
    try rethrowFailure()
    guard let start = chunk.baseAddress else { return }
    let first = start.assumingMemoryBound(to: UInt8.self)
    addressOfStart = Int(bitPattern: first) &- consumed
    var next = first
    do throws(JSONError) {
      try scan(&next, first + chunk.count, &handler)
    } catch {
      throw located(error, at: next)
    }
    consumed &+= chunk.count
  }

  /// Ends the text: the value must be whole.
  @inlinable
  public mutating func finish<H: JSONEventHandler & ~Copyable>(handler: inout H) throws(JSONError) {
    try rethrowFailure()
    do throws(JSONError) {
      if openToken == .number && number.mayEnd {
        try endNumber(UnsafeRawBufferPointer(start: nil, count: 0), &handler)
        handler.valueEnds(at: consumed)
      }
      if openToken != .none || expectation != .nothing {
        throw unexpectedEnd()
      }
    } catch {
      throw located(error, at: nil)
    }
  }

  /// Reads tokens until the chunk is used up.
  @inlinable
  mutating func scan<H: JSONEventHandler & ~Copyable>(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout H
  ) throws(JSONError) {
    if openToken != .none {
      try resumeToken(&next, end, &handler)
    }
    while next < end {
      let byte = next.pointee
      if byte <= 0x20 {
        try space(byte, at: next)
        next += 1
        continue
      }
      switch expectation {
      case .value: try beginValue(byte, &next, end, &handler)
      case .valueOrEnd:
        if byte == UInt8(ascii: "]") {
          try close(&next, &handler)
        } else {
          try beginValue(byte, &next, end, &handler)
        }
      case .commaOrEnd:
        if byte == UInt8(ascii: ",") {
          expectation = levels.isInObject ? .key : .value
          next += 1
        } else {
          try close(&next, &handler)
        }
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw unexpected(at: next) }
        expectation = .value
        next += 1
      case .key, .keyOrEnd:
        if byte == UInt8(ascii: "\"") {
          next += 1
          openToken = .key
          try scanString(&next, end, &handler)
        } else {
          guard expectation == .keyOrEnd else { throw unexpected(at: next) }
          try close(&next, &handler)
        }
      case .nothing: throw unexpected(at: next)
      }
    }
  }

  @inlinable
  mutating func resumeToken<H: JSONEventHandler & ~Copyable>(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout H
  ) throws(JSONError) {
    switch openToken {
    case .none: break
    case .string, .key: try scanString(&next, end, &handler)
    case .number: try scanNumber(&next, end, &handler)
    case .literal: try scanLiteral(&next, end, &handler)
    }
  }

  @inlinable
  mutating func beginValue<H: JSONEventHandler & ~Copyable>(
    _ byte: UInt8, _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout H
  ) throws(JSONError) {
    handler.valueBegins(at: offset(of: next))
    switch byte {
    case UInt8(ascii: "\""):
      try handler.beginString()
      next += 1
      openToken = .string
      try scanString(&next, end, &handler)
    case UInt8(ascii: "{"):
      try open(object: true, at: next)
      try handler.beginObject()
      expectation = .keyOrEnd
      next += 1
    case UInt8(ascii: "["):
      try open(object: false, at: next)
      try handler.beginArray()
      expectation = .valueOrEnd
      next += 1
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      openToken = .number
      number = .start
      try scanNumber(&next, end, &handler)
    default:
      guard let begun = LiteralState(firstLetter: byte) else { throw unexpected(at: next) }
      literal = begun
      openToken = .literal
      try scanLiteral(&next, end, &handler)
    }
  }

  @inlinable
  mutating func open(object: Bool, at place: UnsafePointer<UInt8>) throws(JSONError) {
    guard levels.depth < limits.depth else { throw tooDeep(at: place) }
    levels.push(object: object)
  }

  /// Closes the innermost level, if the next byte is its bracket.
  @inlinable
  mutating func close<H: JSONEventHandler & ~Copyable>(_ next: inout UnsafePointer<UInt8>, _ handler: inout H) throws(JSONError) {
    if levels.isInObject {
      guard next.pointee == UInt8(ascii: "}") else { throw unexpected(at: next) }
      levels.pop()
      try handler.endObject()
    } else {
      guard next.pointee == UInt8(ascii: "]") else { throw unexpected(at: next) }
      levels.pop()
      try handler.endArray()
    }
    next += 1
    valueEnded()
    handler.valueEnds(at: offset(of: next))
  }

  @inlinable
  @inline(__always)
  mutating func valueEnded() {
    expectation = levels.depth == 0 ? .nothing : .commaOrEnd
    openToken = .none
  }

  /// Passes over one byte of white space, and counts lines.
  @inlinable
  @inline(__always)
  mutating func space(_ byte: UInt8, at place: UnsafePointer<UInt8>) throws(JSONError) {
    if byte == 0x20 || byte == 0x09 { return }
    guard byte == 0x0A || byte == 0x0D else { throw unexpected(at: place) }
    lines.lineEnd(byte, at: offset(of: place))
  }

  @inlinable
  @inline(__always)
  func offset(of place: UnsafePointer<UInt8>) -> Int {
    Int(bitPattern: place) &- addressOfStart
  }

  @usableFromInline
  func rethrowFailure() throws(JSONError) {
    if let failure { throw failure }
  }

  /// Completes an error with its place, and keeps it.
  @usableFromInline
  @inline(never)
  mutating func located(_ error: JSONError, at next: UnsafePointer<UInt8>?) -> JSONError {
    let offset = error.position.line > 0 ? error.offset : next.map { self.offset(of: $0) } ?? consumed
    let whole = JSONError(code: error.code, message: error.message, offset: offset, position: JSONPosition(line: lines.line, column: 0))
    failure = whole
    return whole
  }
}
