/// What a ``JSONWriter`` refuses to write. It never holds any of the content.
public struct JSONWriterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong. More may be added.
  public struct Code: Equatable, Sendable {
    private let number: Int

    /// Bytes that are no valid UTF-8 where text is written in pieces.
    public static let invalidUTF8 = Code(number: 1)
    /// Text that is no JSON number (RFC 8259, section 6).
    public static let invalidNumber = Code(number: 2)
  }

  /// What is wrong.
  public let code: Code
  /// Where in what was handed over it shows, in bytes from the begin of the value.
  public let offset: Int

  /// One sentence for a message.
  public var description: String {
    let sentence = code == .invalidUTF8 ? "the text is no valid UTF-8" : "the text is no JSON number"
    return "\(sentence) (byte \(offset) of the value)"
  }
}
