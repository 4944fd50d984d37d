/// What happens during an export, for whoever shows it. No event holds anything of a record.
public enum ExportEvent: Sendable {
  /// The export of these sources begins.
  case started(sources: [String])
  /// What the sources expect to read, where they can tell. Comes once, when that is counted: the first of them read by then.
  case expected(items: Int?, bytes: UInt64?)
  /// A source begins.
  case sourceStarted(String)
  /// So much has been read from a source by now.
  case progress(source: String, items: Int, bytes: UInt64)
  /// Something is missing or odd; the sentence names it. Technical detail belongs here, and in the report.
  case warning(source: String, path: String, message: String)
  /// A source has ended.
  case sourceFinished(String, failed: Bool)
  /// The bundle is written and is being read back.
  case verifying
  /// The bundle agrees with what was exported, and is being put in its place.
  case publishing
  /// The bundle is in its place.
  case finished(complete: Bool, bytes: UInt64)
}

/// A line of technical detail beside an omission: it goes to standard error and into the report, never into the bundle.
public struct ReportLine: Sendable {
  /// The source.
  public let source: String
  /// What it is about.
  public let path: String
  /// The omission's reason, where there is one.
  public let reason: String?
  /// The detail: the operation and what the system or the library said.
  public let message: String
}
