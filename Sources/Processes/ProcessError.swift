#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a program could not be started or waited for. It never holds what the program wrote.
public struct ProcessError: Error, Hashable, Sendable {
  /// The kind of an error. New ones may come.
  public struct Code: Hashable, Sendable {
    private let number: Int

    /// There is no such program, or it may not be started.
    public static let notStarted = Code(number: 1)
    /// It took longer than it may.
    public static let timeLimit = Code(number: 2)
    /// Who waited was told to give up.
    public static let cancelled = Code(number: 3)
    /// The system refused a call.
    public static let system = Code(number: 4)
  }

  /// What kind of error this is.
  public let code: Code
  /// What is wrong, lower case, with the thing named.
  public let message: String

  /// An error of a kind.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The one way that a call's status takes: all but 0 is an error.
  static func check(_ status: CInt, _ operation: String, as code: Code = .system) throws(ProcessError) {
    if status != 0 { throw ProcessError(code, "\(operation): \(String(cString: strerror(status)))") }
  }
}

extension ProcessError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
