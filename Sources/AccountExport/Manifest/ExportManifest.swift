/// What a finished export says of itself: the `accountExport` object of `datapackage.json`.
public struct ExportManifest: Sendable {
  /// Whether everything of the account is inside.
  public enum Outcome: String, Sendable {
    /// Every item was read, written, hashed and read back.
    case complete
    /// Something that the omissions name could not be read.
    case partial
  }

  /// One source, and what came of it.
  public struct Source: Sendable {
    /// Its folder below `data/`, and its kind.
    public var name: String, kind: String
    /// Whether anything of it is missing, or all of it.
    public var outcome: SourceOutcome
    /// Records, documents' rows or files, and the bytes written for them.
    public var items: Int, bytes: UInt64
    /// When the state that it was read in was current, where it has one.
    public var snapshotTime: Timestamp?
    /// From where its records' model is known.
    public var schema: SchemaOrigin?
  }

  /// What came of a source.
  public enum SourceOutcome: String, Sendable {
    /// All of it is inside.
    case complete
    /// Part of it is missing.
    case partial
    /// It could not be read at all, or stopped midway.
    case failed
  }

  /// The version of the bundle's format.
  public static let formatVersion = "1.0"
  /// Whether everything is inside.
  public var outcome: Outcome
  /// Whose data.
  public var subject: DataSubject
  /// The controller's id of the request.
  public var requestID: String?
  /// When reading began and ended.
  public var started: Timestamp, finished: Timestamp
  /// What the files were deflated by, and its level: `isa-l 2`, `zlib 6`; or `stored`.
  public var compression: String
  /// The sources, in the order of the bundle.
  public var sources: [Source]
  /// What is not inside.
  public var omissions: [Omission]
  /// What was masked.
  public var redactions: [Redaction]
  /// JSON Pointers into `data/metadata.json`: what the export was not told.
  public var notProvided: [String]
}
