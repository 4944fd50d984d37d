/// What is wrong with a JSON text, and where.
///
/// The message says what was expected and what stands there instead. Of the text's content it holds at most one character, or the name of a key that comes twice.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong. More may be added.
  public struct Code: Equatable, Sendable {
    private let number: Int

    /// Something else than the grammar asks for.
    public static let unexpected = Code(number: 1)
    /// The text ends inside a value.
    public static let unexpectedEnd = Code(number: 2)
    /// Bytes that are no UTF-8.
    public static let invalidUTF8 = Code(number: 3)
    /// A `\u` escape of one half of a surrogate pair without the other.
    public static let unpairedSurrogate = Code(number: 4)
    /// A key that comes twice in one object.
    public static let duplicateKey = Code(number: 5)
    /// Objects and arrays nested deeper than allowed.
    public static let tooDeep = Code(number: 6)
    /// A text, key or number longer than allowed.
    public static let tooLong = Code(number: 7)
    /// What a handler of the events refused.
    public static let refused = Code(number: 8)
  }

  /// What is wrong.
  public let code: Code
  /// Where, in bytes from the begin of the text.
  public let offset: Int
  /// Where, in lines and characters; `column` is 0 where only the line is known (``JSONScanner``).
  public let position: JSONPosition
  /// What is wrong, for people, without the place.
  public let message: String

  /// An error; for handlers of a scanner's events, which don't know the place, `offset` and `position` may be left out.
  public init(code: Code, message: String, offset: Int = 0, position: JSONPosition = JSONPosition(line: 0, column: 0)) {
    self.code = code
    self.message = message
    self.offset = offset
    self.position = position
  }

  /// Place and message: `12:5: expected ':', found '}'`.
  public var description: String { "\(position): \(message)" }
}

/// A place in a text. Lines end at LF, CR LF or CR.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The code point in its line, counted from 1.
  public let column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `12:5`, as editors and compilers write it; the line alone where the column is not known.
  public var description: String { column == 0 ? "\(line)" : "\(line):\(column)" }
}

/// Turns offsets, which must not go back, into positions, and so looks at every byte once.
struct PositionTracker {
  private var offset = 0
  private var line = 1
  private var column = 1
  private var endsWithReturn = false

  mutating func position(at target: Int, in bytes: UnsafeRawBufferPointer) -> JSONPosition {
    while offset < target {
      let byte = bytes[offset]
      if byte == 0x0A && endsWithReturn {
        // The second half of CR LF.
      } else if byte == 0x0A || byte == 0x0D {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      endsWithReturn = byte == 0x0D
      offset += 1
    }
    return JSONPosition(line: line, column: column)
  }
}
