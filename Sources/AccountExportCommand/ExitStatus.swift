/// The exit status of the command, after `sysexits.h` where that has a number.
struct ExitStatus: Hashable, Sendable {
  /// What the system is told.
  let code: Int32

  private init(_ code: Int32) { self.code = code }

  /// Everything was done and nothing is missing.
  static let complete = ExitStatus(0)
  /// Something went wrong that no other status is for.
  static let failure = ExitStatus(1)
  /// The bundle is written, and names something that is missing.
  static let partial = ExitStatus(3)
  /// The command line makes no sense.
  static let usage = ExitStatus(64)
  /// What was given can't be read, or a bundle doesn't verify.
  static let badInput = ExitStatus(65)
  /// The output exists.
  static let outputExists = ExitStatus(73)
  /// Reading or writing failed.
  static let inputOutput = ExitStatus(74)
  /// It may work later.
  static let tryAgain = ExitStatus(75)
  /// The user may not do this.
  static let notPermitted = ExitStatus(77)
  /// An interrupt ended it.
  static let interrupted = ExitStatus(130)
  /// A signal ended it: 130 for an interrupt, 143 for a request to end.
  static func interrupted(by signal: Int32) -> ExitStatus { ExitStatus(128 + signal) }

  /// The statuses as `--help` tells them.
  static let all: [(status: ExitStatus, meaning: String)] = [
    (.complete, "done, and complete"),
    (.partial, "partial: done as far as it could be; what is missing is named"),
    (.usage, "the command line makes no sense"),
    (.badInput, "bad input, a bundle that doesn't verify, or no source could be read"),
    (.outputExists, "the output exists (--force replaces it)"),
    (.inputOutput, "reading or writing failed"),
    (.tryAgain, "try again later"),
    (.notPermitted, "not permitted"),
    (.interrupted, "interrupted (143: asked to end)"),
    (.failure, "anything else"),
  ]
}
