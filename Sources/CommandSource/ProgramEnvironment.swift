internal import AccountExport
internal import Files
internal import Processes

extension CommandSource {
  /// The version of the protocol.
  static let protocolVersion: Int64 = 1

  /// The program with its whole environment.
  func call(for subject: DataSubject) throws(ExportError) -> ProgramCall {
    var variables = ProgramCall.environment(passingOn: inherited)
    for (name, value) in environment { variables[name] = try Self.bytes(value, of: name) }
    for (name, value) in told(of: subject) {
      let name = "ACCOUNT_EXPORT_" + name
      variables[name] = nil
      if let value { variables[name] = try Self.bytes(value, of: name) }
    }
    for name in variables.keys where name.isEmpty || name.contains("=") || name.utf8.contains(0) { throw Self.refusal(name) }
    return ProgramCall(arguments, environment: variables, folder: folder)
  }

  /// A text as a variable's value: with a NUL in it, only a part would arrive.
  private static func bytes(_ text: String, of name: String) throws(ExportError) -> PathBytes {
    if text.utf8.contains(0) { throw refusal(name) }
    return PathBytes(text)
  }

  private static func refusal(_ name: String) -> ExportError {
    ExportError(.configuration, "the variable \(PathBytes(name).display) can't be in an environment")
  }

  /// What is known of the subject and the request; what isn't has no variable.
  private func told(of subject: DataSubject) -> [(String, String?)] {
    [
      ("SUBJECT_ID", subject.id), ("SUBJECT_NAME", subject.name), ("SUBJECT_EMAIL", subject.email), ("SUBJECT_PHONE", subject.phone),
      ("SUBJECT_USERNAME", subject.username), ("PROTOCOL", String(Self.protocolVersion)), ("FORMAT", output.rawValue),
      ("REQUEST_ID", requestID), ("TIME_LIMIT", String(timeLimit.components.seconds)), ("OUTPUT_LIMIT", String(outputLimit)),
    ]
  }
}
