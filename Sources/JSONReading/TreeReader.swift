/// Builds the tree. Open objects and arrays stand on a stack of its own, so that depth costs no call stack.
struct TreeReader {
  var lexer: Lexer
  let maximumDepth: Int
  let duplicateKeys: JSONParser.DuplicateKeys
  private var open: [Level] = []
  private var tracker = PositionTracker()

  init(lexer: Lexer, maximumDepth: Int, duplicateKeys: JSONParser.DuplicateKeys) {
    self.lexer = lexer
    self.maximumDepth = maximumDepth
    self.duplicateKeys = duplicateKeys
  }

  /// An object or array that isn't closed yet.
  private struct Level {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONValue.Member] = []
    /// The keys so far, once there are too many to compare one by one.
    var keys: Set<ExactKey> = []
    var key = Text()
    var keyPosition = JSONPosition(line: 0, column: 0)
    var valuePosition = JSONPosition(line: 0, column: 0)

    var closing: UInt8 { UInt8(ascii: isObject ? "}" : "]") }
  }

  /// Reads the whole text.
  mutating func read() throws(Lexer.Failure) -> JSONValue {
    lexer.skipByteOrderMark()
    try lexer.skipSpace()
    var finished = try beginValue()
    while true {
      guard let value = finished else {
        finished = try firstEntry()
        continue
      }
      if open.isEmpty {
        try lexer.skipSpace()
        guard lexer.isAtEnd else { throw lexer.unexpected(expected: "the end of the text") }
        return value
      }
      add(value)
      finished = try nextEntry()
    }
  }

  /// Reads a scalar, or opens an object or array and returns nil.
  private mutating func beginValue() throws(Lexer.Failure) -> JSONValue? {
    let byte = lexer.next
    if !open.isEmpty && open[open.count - 1].isObject {
      open[open.count - 1].valuePosition = tracker.position(at: lexer.index, in: lexer.bytes)
    }
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return try lexer.scalar() }
    guard open.count < maximumDepth else { throw lexer.failure(.tooDeep, "nested deeper than \(maximumDepth) levels") }
    lexer.index += 1
    open.append(Level(isObject: byte == UInt8(ascii: "{")))
    return nil
  }

  /// Goes on behind an opening bracket.
  private mutating func firstEntry() throws(Lexer.Failure) -> JSONValue? {
    try lexer.skipSpace()
    return lexer.next == open[open.count - 1].closing ? close() : try entry(orClosing: true)
  }

  /// Goes on behind a value in an object or array.
  private mutating func nextEntry() throws(Lexer.Failure) -> JSONValue? {
    try lexer.skipSpace()
    let closing = open[open.count - 1].closing
    if lexer.next == closing { return close() }
    guard lexer.next == UInt8(ascii: ",") else {
      throw lexer.unexpected(expected: closing == UInt8(ascii: "}") ? "',' or '}'" : "',' or ']'")
    }
    lexer.index += 1
    try lexer.skipSpace()
    if lexer.dialect == .json5 && lexer.next == closing { return close() }
    return try entry(orClosing: false)
  }

  private mutating func entry(orClosing: Bool) throws(Lexer.Failure) -> JSONValue? {
    guard open[open.count - 1].isObject else {
      if orClosing && lexer.isAtEnd { throw lexer.unexpected(expected: "a value or ']'") }
      return try beginValue()
    }
    let start = lexer.index
    let position = tracker.position(at: start, in: lexer.bytes)
    let key = try lexer.key(orClosing: orClosing)
    if duplicateKeys == .rejected && !isNew(key) {
      throw Lexer.Failure(code: .duplicateKey, message: "the key \"\(key.string)\" comes twice in one object", offset: start)
    }
    open[open.count - 1].key = key
    open[open.count - 1].keyPosition = position
    try lexer.skipSpace()
    guard lexer.next == UInt8(ascii: ":") else { throw lexer.unexpected(expected: "':' after the key") }
    lexer.index += 1
    try lexer.skipSpace()
    return try beginValue()
  }

  private mutating func isNew(_ key: Text) -> Bool {
    let top = open.count - 1
    let exact = ExactKey(key)
    if open[top].members.count < 16 {
      return !open[top].members.contains { ExactKey($0) == exact }
    }
    if open[top].keys.isEmpty {
      open[top].keys.formUnion(open[top].members.map { ExactKey($0) })
    } else if let last = open[top].members.last {
      open[top].keys.insert(ExactKey(last))
    }
    return !open[top].keys.contains(exact)
  }

  private mutating func add(_ value: JSONValue) {
    let top = open.count - 1
    guard open[top].isObject else {
      open[top].elements.append(value)
      return
    }
    let key = open[top].key
    let member = JSONValue.Member(
      key: key.string, invalidKey: key.wtf8, value: value, position: open[top].keyPosition, valuePosition: open[top].valuePosition)
    open[top].members.append(member)
  }

  private mutating func close() -> JSONValue {
    lexer.index += 1
    let level = open.removeLast()
    return level.isObject ? .object(level.members) : .array(level.elements)
  }
}

/// A string as it was read: proper text, or with half surrogate pairs.
struct Text {
  /// The text, with U+FFFD for half a surrogate pair.
  var string = ""
  /// The bytes as WTF-8, if there is half a surrogate pair.
  var wtf8: [UInt8]?

  var value: JSONValue { wtf8.map { .invalidString($0) } ?? .string(string) }
}

/// A key compared byte for byte.
private struct ExactKey: Hashable {
  private let string: String
  private let wtf8: [UInt8]?

  init(_ text: Text) {
    (string, wtf8) = (text.string, text.wtf8)
  }

  init(_ member: JSONValue.Member) {
    (string, wtf8) = (member.key, member.invalidKey)
  }

  static func == (left: ExactKey, right: ExactKey) -> Bool {
    left.wtf8 == right.wtf8 && left.string.utf8.elementsEqual(right.string.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
