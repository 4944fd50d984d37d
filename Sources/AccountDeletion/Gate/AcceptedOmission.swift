internal import AccountExport

/// Something that an export is missing, and that a person has said to be able to do without: what it is of, and why it is missing.
public struct AcceptedOmission: Hashable, Sendable {
  /// The source's name in the bundle: `records/Shop`.
  public let source: String
  /// The reason's name: `undecided`.
  public let reason: String

  /// What is missing of a source for a reason.
  public init(source: String, reason: String) { (self.source, self.reason) = (source, reason) }

  /// Reads `records/Shop:undecided`, as messages name what is missing; nil for anything else.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex, text.index(after: colon) != text.endIndex else { return nil }
    self.init(source: String(text[..<colon]), reason: String(text[text.index(after: colon)...]))
  }

  init(_ missing: SignedReceipt.Missing) { self.init(source: missing.source, reason: missing.reason) }
}

extension AcceptedOmission: CustomStringConvertible {
  /// `records/Shop:undecided`
  public var description: String { "\(source):\(reason)" }
}
