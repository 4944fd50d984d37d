internal import Files

/// Why an app's folders can't be looked through.
public struct DiscoveryError: Error, Sendable {
  /// What is wrong. New codes may come.
  public struct Code: Hashable, Sendable {
    private let number: Int

    /// The folder isn't there, or is none.
    public static let missing = Code(number: 1)
    /// The user may not look into it.
    public static let denied = Code(number: 2)
    /// It isn't laid out as an app's container is.
    public static let noContainer = Code(number: 3)
    /// What was given can't be an app's id.
    public static let invalidID = Code(number: 4)
    /// There is nothing of the app.
    public static let nothingFound = Code(number: 5)
    /// It isn't known where the user's folders are.
    public static let noHome = Code(number: 6)
  }

  /// What is wrong.
  public let code: Code
  /// What is wrong, for people: lower case, with the thing named.
  public let message: String
  /// What can be done, where there is something.
  public let hint: String?

  init(_ code: Code, _ message: String, hint: String? = nil) {
    (self.code, self.message, self.hint) = (code, message, hint)
  }

  init(_ error: FileError) {
    self.init(error.isDenied ? .denied : .missing, "\(error.path.display): \(error.reason)")
  }
}
