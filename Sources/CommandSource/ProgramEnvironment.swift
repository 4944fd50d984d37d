internal import AccountExport
internal import Files
internal import Processes

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension CommandSource {
  /// The version of the protocol.
  static let protocolVersion: Int64 = 1

  private static let passedOn = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR"]

  /// The program with its whole environment.
  func call(for subject: DataSubject) throws(ExportError) -> ProgramCall {
    var variables: [String: String] = [:]
    for name in Self.passedOn + inherited { variables[name] = getenv(name).map { String(cString: $0) } }
    for (name, value) in environment { variables[name] = value }
    for (name, value) in Self.told(of: subject) { variables["ACCOUNT_EXPORT_" + name] = value }
    variables["ACCOUNT_EXPORT_PROTOCOL"] = String(Self.protocolVersion)
    variables["ACCOUNT_EXPORT_FORMAT"] = output.rawValue
    variables["ACCOUNT_EXPORT_REQUEST_ID"] = requestID
    variables["ACCOUNT_EXPORT_TIME_LIMIT"] = String(timeLimit.components.seconds)
    variables["ACCOUNT_EXPORT_OUTPUT_LIMIT"] = String(outputLimit)
    for (name, value) in variables where name.isEmpty || name.contains("=") || name.utf8.contains(0) || value.utf8.contains(0) {
      throw ExportError(.configuration, "the variable \(PathBytes(name).display) can't be in an environment")
    }
    return ProgramCall(arguments, environment: variables, folder: folder)
  }

  /// What is known of the subject; what isn't has no variable.
  private static func told(of subject: DataSubject) -> [(String, String?)] {
    [
      ("SUBJECT_ID", subject.id), ("SUBJECT_NAME", subject.name), ("SUBJECT_EMAIL", subject.email), ("SUBJECT_PHONE", subject.phone),
      ("SUBJECT_USERNAME", subject.username),
    ]
  }
}
