/// A file that is no property list, a broken one, or one beyond the limits: what is wrong and where. It never holds what is in the file.
public struct PropertyListError: Error, Hashable, Sendable {
  /// What is wrong. The list of codes may grow.
  public struct Code: Hashable, Sendable {
    /// What is wrong, in a few lower-case words.
    public let text: String

    private init(_ text: String) { self.text = text }

    // Any kind of list.
    /// Neither a binary, an XML nor an OpenStep property list.
    public static let notAPropertyList = Code("this is no property list")
    /// Nothing stands where a value must.
    public static let missingValue = Code("a value is missing")
    /// Something stands after the list's end.
    public static let trailingContent = Code("something stands after the end")
    /// The end comes in the middle of something.
    public static let truncated = Code("the list ends too early")
    /// An integer that neither Int64 nor UInt64 can hold.
    public static let integerTooLarge = Code("an integer has more than 64 bits")

    // Limits.
    /// More bytes than `PropertyListLimits.bytes`.
    public static let tooLarge = Code("the list is too large")
    /// More objects than `PropertyListLimits.objects`.
    public static let tooManyObjects = Code("the list has too many objects")
    /// Deeper than `PropertyListLimits.depth`.
    public static let tooDeep = Code("the list is nested too deep")
    /// More values than `PropertyListLimits.expandedValues` once shared objects are written out at each place.
    public static let tooManyValues = Code("the list holds too many values once its shared objects are written out")
    /// More text and data than `PropertyListLimits.expandedBytes` once shared objects are written out at each place.
    public static let tooManyBytes = Code("the list holds too much text and data once its shared objects are written out")

    // Binary lists.
    /// A binary list of another version than 0, which is an other format.
    public static let unsupportedVersion = Code("the binary list has a version that can't be read")
    /// The last 32 bytes of a binary list contradict its size.
    public static let badTrailer = Code("the trailer of the binary list is wrong")
    /// A marker byte that binary lists of this version don't know.
    public static let badMarker = Code("an object of the binary list has an unknown kind")
    /// A reference to an object that isn't there.
    public static let badReference = Code("an object of the binary list refers to none")
    /// A collection that holds itself.
    public static let cycle = Code("a collection of the binary list holds itself")

    // Text lists.
    /// Text in an encoding other than UTF-8, UTF-16, UTF-32, ISO 8859-1, ASCII or (OpenStep lists) NeXTSTEP.
    public static let unsupportedEncoding = Code("the text has an encoding that can't be read")
    /// Bytes that don't fit the text's encoding.
    public static let invalidText = Code("the text doesn't fit its encoding")
    /// A character that can't stand here.
    public static let unexpectedCharacter = Code("an unexpected character")
    /// An element that can't stand here.
    public static let unexpectedElement = Code("an unexpected element")
    /// A document type that declares entities of its own, which are never expanded.
    public static let entityDeclaration = Code("the document type declares entities")
    /// An entity or character reference that means nothing.
    public static let badEntity = Code("an unknown entity")
    /// Text that is no integer.
    public static let badInteger = Code("this is no integer")
    /// Text that is no real number, or one beyond a double's range.
    public static let badReal = Code("this is no real number")
    /// Text that is no date.
    public static let badDate = Code("this is no date")
    /// Text that is no base64 or no pairs of hexadecimal digits.
    public static let badData = Code("this is no data")
  }

  /// What is wrong.
  public let code: Code
  /// Where, in bytes from the file's beginning.
  public let offset: Int

  init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension PropertyListError: CustomStringConvertible {
  /// `at byte 130: an unknown entity`
  public var description: String { "at byte \(offset): \(code.text)" }
}
