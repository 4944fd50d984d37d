public import Files

/// What is to be exported, for whom, and how. A value: nothing in it does anything.
public struct ExportRequest: Sendable {
  /// Whose data.
  public var subject = DataSubject()
  /// The controller's id of this request; nil is named in the manifest as not provided.
  public var requestID: String?
  /// The law that the request names: `GDPR` or `CCPA`. What it forbids to send is masked.
  public var law: String?
  /// When the request came in, and by when it must be answered: a day, or a moment in UTC (RFC 3339).
  public var received: String?, due: String?
  /// Until when that was put off, and why.
  public var extended: Extension?

  /// An extension of the time to answer (Art. 12(3)).
  public struct Extension: Sendable, Hashable {
    /// Until when, and why.
    public var until: String, reason: String

    /// An extension.
    public init(until: String, reason: String) { (self.until, self.reason) = (until, reason) }
  }

  /// The language of the pages for people (BCP 47).
  public var language = "en"
  /// The service that the data is from.
  public var app = AppInformation()
  /// Where it ran: `production`, `test` …
  public var environment: String?
  /// What GDPR Art. 15 and the CCPA want to be told beside the data.
  public var information = ProcessingInformation()
  /// A fixed time for everything that the export dates itself (`SOURCE_DATE_EPOCH`); nil takes the clock.
  public var fixedTime: Timestamp?
  /// How hard documents and records are deflated.
  public var level = CompressionLevel.fast
  /// Whether each collection is also written as CSV, for spreadsheets: beside its JSON, which alone holds every value as it is.
  public var csv = false
  /// What is masked.
  public var secrets = SecretRules.standard
  /// Columns that hold what is another person's, by the name of their source (`records/Notes`).
  public var thirdParty: [String: [ThirdPartyColumn]] = [:]
  /// The key of the pseudonyms, so that they are the same in every bundle made with it; nil takes a random one and throws it away.
  public var pseudonymKey: [UInt8]?
  /// Where spools and private copies of stores lie meanwhile; nil is the output's folder, or `/var/tmp` where that is kept in memory.
  public var temporaryFolder: PathBytes?
  /// The bounds that keep memory flat, and what strangers control in check.
  public var limits = ExportLimits()
  /// How many threads deflate at once, at most; 1 deflates where the ZIP is written. The bundle is the same, byte for byte.
  ///
  /// They are threads of the exporter's ``ExportResources``, and take memory of its budget, about 5 MiB each, only while half of that is
  /// free: exports that share resources never have more threads or memory than these. More than 64 are taken for 64.
  public var jobs = ExportRequest.cores
  /// How many sources are read side by side.
  public var concurrentSources = 2

  /// A request with nothing set.
  public init() {}
}

/// The service that an export is from.
public struct AppInformation: Sendable, Hashable {
  /// Its name.
  public var name: String?
  /// Its version.
  public var version: String?
  /// Its bundle identifier or package name.
  public var bundleIdentifier: String?

  /// A service.
  public init(name: String? = nil, version: String? = nil, bundleIdentifier: String? = nil) {
    self.name = name
    self.version = version
    self.bundleIdentifier = bundleIdentifier
  }
}

/// Bounds of an export. The defaults keep the whole process under 64 MiB beside 400 bytes an entry.
public struct ExportLimits: Sendable, Hashable {
  /// A document up to this many bytes is read before it is written, so that one that changes meanwhile can be read again. Larger ones stream.
  public var stagedDocument = 1 << 20
  /// So much of a collection is kept in memory before it goes to a spool on the disk.
  public var stagedCollection = 512 << 10
  /// So many bytes of one source may wait in memory for their turn.
  public var waitingBytes = 4 << 20
  /// So many entries of one source may wait for their turn.
  public var waitingEntries = 256
  /// A value of bytes larger than this gets a file of its own.
  public var inlineBytes = 4096
  /// How deep values may lie in one another.
  public var depth = 512
  /// So many bytes of the ZIP are gathered before they go to the output together.
  package var block = 256 << 10

  /// The defaults.
  public init() {}
}
