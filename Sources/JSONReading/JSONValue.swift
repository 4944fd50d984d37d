/// A JSON text as a tree, for small files: configuration, preferences, manifests.
///
/// Nothing is rounded or reordered: a number stays the text it was, members keep their order.
public enum JSONValue: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exactly as it was written (in JSON5 also `0x1F`, `+1`, `.5`, `5.`, `Infinity`, `NaN`).
  case number(String)
  /// A string.
  case string(String)
  /// A string that holds half a surrogate pair (`"\ud800"`), which JSON allows and Unicode text can't hold: its bytes as WTF-8, where such a half
  /// is written in three bytes as if it were a code point. Nothing of it is lost, and it is no valid UTF-8, so what can't hold it as text can as bytes.
  case invalidString([UInt8])
  /// An array.
  case array([JSONValue])
  /// An object, its members in their order.
  case object([Member])

  /// A member of an object.
  public struct Member: Equatable, Sendable {
    /// The key. Half a surrogate pair in it is replaced by U+FFFD; see ``invalidKey``.
    public let key: String
    /// The key's bytes as WTF-8 where it holds half a surrogate pair, as ``JSONValue/invalidString(_:)``; else nil.
    public let invalidKey: [UInt8]?
    /// The value.
    public let value: JSONValue
    /// Where the key stands.
    public let position: JSONPosition
    /// Where the value stands.
    public let valuePosition: JSONPosition

    /// A member, for trees made by hand too.
    public init(
      key: String, invalidKey: [UInt8]? = nil, value: JSONValue, position: JSONPosition = JSONPosition(line: 0, column: 0),
      valuePosition: JSONPosition = JSONPosition(line: 0, column: 0)
    ) {
      self.key = key
      self.invalidKey = invalidKey
      self.value = value
      self.position = position
      self.valuePosition = valuePosition
    }

    /// Whether the key is `name`, byte for byte: to Swift, strings in NFC and NFD are equal, to JSON they are not.
    public func isNamed(_ name: String) -> Bool {
      invalidKey == nil && key.utf8.elementsEqual(name.utf8)
    }
  }
}

extension JSONValue {
  /// The value of the member `key`; nil where there is none, or this is no object.
  public subscript(key: String) -> JSONValue? {
    member(key)?.value
  }

  /// The member `key`; nil where there is none, or this is no object.
  public func member(_ key: String) -> Member? {
    members?.first { $0.isNamed(key) }
  }

  /// The members of an object, else nil.
  public var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The elements of an array, else nil.
  public var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The text of a string, else nil; nil too for an ``invalidString(_:)``.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of `true` or `false`, else nil.
  public var boolean: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// The exact text of a number, else nil.
  public var numberText: String? {
    guard case .number(let text) = self else { return nil }
    return text
  }

  /// A number written without fraction and exponent (decimal, in JSON5 also hexadecimal) that fits; else nil.
  public var integer: Int64? {
    guard let (isNegative, magnitude) = wholeNumber else { return nil }
    return isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
  }

  /// As ``integer``, for numbers without a sign up to 2^64 − 1.
  public var unsigned: UInt64? {
    guard let (isNegative, magnitude) = wholeNumber, !isNegative || magnitude == 0 else { return nil }
    return magnitude
  }

  /// A number rounded to the nearest double; nil for anything else, and for a number too large for a double.
  public var double: Double? {
    guard let text = numberText else { return nil }
    let digits = unsignedText(text)
    let magnitude: Double?
    switch digits {
    case "Infinity": magnitude = .infinity
    case "NaN": magnitude = .nan
    default:
      // Hexadecimal numbers too: Swift reads them as C does. The point of ".5" and "5." is completed.
      let read = Double((digits.first == "." ? "0" : "") + digits + (digits.last == "." ? "0" : ""))
      magnitude = read.flatMap { $0.isFinite ? $0 : nil }
    }
    return text.first == "-" ? magnitude.map { -$0 } : magnitude
  }

  /// What this is, for messages: "an object", "a string".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string, .invalidString: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  private var wholeNumber: (isNegative: Bool, magnitude: UInt64)? {
    guard let text = numberText else { return nil }
    let digits = unsignedText(text)
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let magnitude = isHexadecimal ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits) else { return nil }
    return (text.first == "-", magnitude)
  }

  private func unsignedText(_ text: String) -> Substring {
    text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
  }
}
