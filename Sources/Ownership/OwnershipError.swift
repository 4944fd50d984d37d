/// Why whose data it is can't be worked out. It names tables and columns, and never holds what is in a record.
public struct OwnershipError: Error, Sendable {
  /// The kind of an error. New ones may come.
  public struct Code: Hashable, Sendable {
    let name: String

    /// A data file of rules isn't what it should be.
    public static let rules = Code(name: "rules")
    /// A configured reference, role or exclusion doesn't fit the database, or what it says.
    public static let configuration = Code(name: "configuration")
    /// The subject isn't named as `table.column=value`, or the database has no such column.
    public static let subject = Code(name: "subject")
    /// No row is the subject.
    public static let noSubject = Code(name: "no subject")
    /// Several rows are: it is not known whose data is asked for.
    public static let severalSubjects = Code(name: "several subjects")
    /// The subject's own tables are joined in more ways than can be followed.
    public static let limit = Code(name: "limit")
  }

  /// What kind of error this is.
  public let code: Code
  /// What is wrong, lower case, with the thing named.
  public let message: String
  /// What the user can do, where there is something.
  public let hint: String?

  /// An error of a kind.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension OwnershipError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
