/// Why an export or a check could not be done. It names the thing, and never holds what is in a record or a document.
public struct ExportError: Error, Sendable {
  /// The kind of an error. New ones may come.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The configuration or the request is not usable.
    public static let configuration = Code(name: "configuration")
    /// What was to be exported isn't there, isn't what it should be, or can't be read at all.
    public static let badInput = Code(name: "bad input")
    /// Another program holds what was to be exported; later it may go.
    public static let busy = Code(name: "busy")
    /// Every source failed: there is nothing to put into a bundle.
    public static let nothingRead = Code(name: "nothing read")
    /// Something stands at the output's path already.
    public static let outputExists = Code(name: "output exists")
    /// Writing failed: the output, or the staging beside it.
    public static let output = Code(name: "output")
    /// The disk has not enough room.
    public static let noSpace = Code(name: "no space")
    /// The user may not do this.
    public static let notPermitted = Code(name: "not permitted")
    /// The written bundle did not read back as it was written.
    public static let verification = Code(name: "verification")
    /// A source broke the writer's rules (a row with too few values, a name given twice).
    public static let source = Code(name: "source")
  }

  /// What kind of error this is.
  public let code: Code
  /// What is wrong, lower case, with the thing named.
  public let message: String
  /// What the user can do, where there is something.
  public var hint: String?
  /// The error beneath.
  public let cause: (any Error)?
  /// Whether the export's own writing failed: what a source may not read is that source's trouble alone.
  var isOfWriting = false

  /// An error of a kind.
  public init(_ code: Code, _ message: String, hint: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }
}

extension ExportError: CustomStringConvertible {
  /// The message, with the cause's behind it.
  public var description: String {
    guard let cause else { return message }
    return "\(message): \(cause)"
  }
}
