/// What is wrong with a tar stream. It never holds what is in a member.
public struct TarError: Error, Hashable, Sendable {
  /// The kind of an error. New ones may come.
  public struct Code: Hashable, Sendable {
    private let number: Int

    /// The bytes are no tar, or are damaged: nothing after can be read.
    public static let format = Code(number: 1)
    /// The stream ends before the archive does.
    public static let truncated = Code(number: 2)
    /// Something follows the end of the archive.
    public static let surplus = Code(number: 3)
    /// There is no memory left.
    public static let outOfMemory = Code(number: 4)
  }

  /// The kind of error.
  public let code: Code
  /// What is wrong, lower case.
  public let message: String

  /// An error of a kind.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension TarError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
