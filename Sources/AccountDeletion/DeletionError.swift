/// Why a deletion doesn't go on. It names the thing, and never holds what identifies a person.
public struct DeletionError: Error, Hashable, Sendable {
  /// The kind of an error. New ones may come.
  public struct Code: Hashable, Sendable {
    let name: String

    /// What was asked isn't possible in the request's state, or doesn't make sense.
    public static let illegal = Code(name: "illegal")
    /// The account has a request already, or the idempotency key belongs to another.
    public static let conflict = Code(name: "conflict")
    /// There is no such request.
    public static let notFound = Code(name: "not found")
    /// The deadline has not come yet.
    public static let tooEarly = Code(name: "too early")
    /// The clock has jumped: somebody must say that it is right now.
    public static let clock = Code(name: "clock")
    /// What must be shown before anything is deleted isn't there, or isn't what it should be.
    public static let unproven = Code(name: "unproven")
    /// What would be deleted is not what was approved.
    public static let changed = Code(name: "changed")
    /// It must not be deleted, by anybody's order.
    public static let refused = Code(name: "refused")
    /// A step could not be done, or left something behind.
    public static let step = Code(name: "step")
    /// The journal can't be read or written.
    public static let journal = Code(name: "journal")
  }

  /// What kind of error this is.
  public let code: Code
  /// What is wrong, lower case, with the thing named.
  public let message: String
  /// What can be done, where there is something.
  public let hint: String?

  /// An error of a kind.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    (self.code, self.message, self.hint) = (code, message, hint)
  }
}

extension DeletionError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
