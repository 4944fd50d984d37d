internal import AccountExport
internal import Files

/// Why the command ends without having done what was asked.
struct CommandError: Error, Sendable {
  /// The exit status.
  let status: ExitStatus
  /// What is wrong, lower case, with the thing named. Never anything of a record or a document.
  let message: String
  /// What the user can do, where there is something.
  let hint: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  /// A command line that makes no sense.
  static func usage(_ message: String, hint: String? = nil) -> CommandError { CommandError(.usage, message, hint: hint) }

  /// What any error means to the user of the command.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as ExportError: self.init(Self.status(of: error.code), error.description, hint: error.hint)
    case let error as FileError: self.init(error)
    case is CancellationError: self.init(.interrupted, "interrupted")
    default: self.init(.failure, String(describing: error))
    }
  }

  /// What a failed call of the system means, where it isn't about what the user gave.
  init(_ error: FileError) {
    self.init(error.isDenied ? .notPermitted : .inputOutput, "\(error.path.display): \(error.reason)")
  }

  private static func status(of code: ExportError.Code) -> ExitStatus {
    switch code {
    case .configuration: .usage
    case .badInput, .nothingRead: .badInput
    case .busy: .tryAgain
    case .outputExists: .outputExists
    case .output, .noSpace, .verification: .inputOutput
    case .notPermitted: .notPermitted
    default: .failure
    }
  }
}
