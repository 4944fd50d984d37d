internal import AccountExport
internal import AppContainers
internal import BundleView
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What one run is to do: the configuration, with the command line over it.
struct ExportJob: Sendable {
  /// What is exported, for whom, and how.
  private(set) var request = ExportRequest()
  /// How the pages are to be; nil where there shall be none but the plain one.
  private(set) var view: ViewOptions? = ViewOptions()
  /// Where the data lies.
  private(set) var sources = SourceSettings()
  /// Where the bundle goes; nil where nobody said.
  private(set) var out: PathBytes?
  /// Where technical detail goes.
  private(set) var report: PathBytes?
  /// Where a signed receipt goes.
  private(set) var receipt: PathBytes?
  /// The folder of the key that it is signed with; nil for the user's own.
  private(set) var state: PathBytes?
  /// The configuration that was read.
  private(set) var configuration: PathBytes?

  /// Reads what there is to read, and checks that what is named is there.
  init(_ options: ParsedOptions, readsConfiguration: Bool = true) throws(CommandError) {
    if readsConfiguration, let configuration = try Self.configuration(options) {
      sources = configuration.sources
      self.configuration = configuration.path
      (out, report) = (configuration.out, configuration.report)
      (receipt, state) = (configuration.receipt, configuration.state)
      view = configuration.view
      try configuration.apply(to: &request)
      if sources.isEmpty && !SourceSettings.are(in: options) {
        throw CommandError(
          .badInput, "\(configuration.path.display) names nothing to export",
          hint: "list preferences, documents or records under sources, or a container or an app")
      }
    }
    try apply(options)
    request.fixedTime = try Self.fixedTime()
    try sources.add(options)
    try sources.check()
    let app = try sources.discover(named: request.app.name, includingSecrets: !request.secrets.isEnabled)
    request.app.name = request.app.name ?? app.name
    request.app.version = request.app.version ?? app.version
    request.app.bundleIdentifier = request.app.bundleIdentifier ?? app.bundleIdentifier
    try checkMasking(options)
    if sources.records.contains(where: { !$0.thirdParty.isEmpty }) {
      for (store, source) in zip(sources.records, try records()) { request.thirdParty[source.name, default: []] += store.thirdParty }
    }
  }

  /// Secrets go to none but the owner of a store that is theirs alone: what many share holds its operator's too.
  private func checkMasking(_ options: ParsedOptions) throws(CommandError) {
    guard !request.secrets.isEnabled, let shared = sources.records.first(where: { $0.subject != nil || $0.url != nil || !$0.links.isEmpty })
    else { return }
    let store = shared.url == nil ? shared.path.display : "a database"
    let hint = "leave them masked, or name single columns that hold none under masking.allow"
    if options.has(.includeSecrets) { throw .usage("--include-secrets is for a store of one account, and \(store) is shared", hint: hint) }
    throw CommandError(.badInput, "masking.secrets: false is for a store of one account, and \(store) is shared", hint: hint)
  }

  /// The configuration that is asked for, or the usual one where nothing else is given.
  private static func configuration(_ options: ParsedOptions) throws(CommandError) -> Configuration? {
    if let path = options[.config] { return try Configuration(readingFrom: path) }
    if SourceSettings.are(in: options) { return nil }
    if Configuration.usualPath.withCString({ access($0, F_OK) }) == 0 { return try Configuration(readingFrom: Configuration.usualPath) }
    throw .usage(
      "nothing to export is given, and there is no account-export.json here",
      hint: "name what there is with --container, --app, --preferences, --documents and --records, or a configuration with --config")
  }

  /// The command line goes before the configuration.
  private mutating func apply(_ options: ParsedOptions) throws(CommandError) {
    out = options[.out] ?? out
    report = options[.report] ?? report
    receipt = options[.receipt] ?? receipt
    state = options[.state] ?? state
    if let text = try options.text(.level), let level = CompressionLevel(text) { request.level = level }
    if options.has(.csv) { request.csv = true }
    request.jobs = try Self.jobs(options) ?? request.jobs
    request.temporaryFolder = options[.temp] ?? request.temporaryFolder
    request.requestID = try options.text(.requestID) ?? request.requestID
    request.app.name = try options.text(.appName) ?? request.app.name
    request.app.version = try options.text(.appVersion) ?? request.app.version
    request.app.bundleIdentifier = try options.text(.bundleIdentifier) ?? request.app.bundleIdentifier
    request.environment = try options.text(.environment) ?? request.environment
    if options.has(.noView) { view = nil }
    if let language = try options.text(.language) { request.language = try Self.language(language) }
    if options.has(.includeSecrets) { request.secrets.isEnabled = false }
  }

  private static func jobs(_ options: ParsedOptions) throws(CommandError) -> Int? {
    guard let text = try options.text(.jobs) else { return nil }
    let allowed = 1...ExportRequest.mostJobs
    guard let jobs = Int(text), allowed.contains(jobs) else {
      throw .usage(
        "--jobs can't be \(text)", hint: "it is a number from \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return jobs
  }

  /// The threads and the memory of this one export: enough for as many jobs as are asked for, beside those who read and write.
  var resources: ExportResources {
    let usual = ExportResources.shared
    let threads = request.jobs + 4
    if threads <= usual.threads { return usual }
    let own = ExportResources(threads: threads, memory: usual.memory + request.jobs << 24)
    // Never let go, as the shared ones aren't: threads that end while the process does would free what OpenSSL is freeing at its exit.
    _ = Unmanaged.passRetained(own)
    return own
  }

  /// A language's tag, as BCP 47 has it.
  private static func language(_ tag: String) throws(CommandError) -> String {
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    let isTag = parts.enumerated().allSatisfy { place, part in
      (place == 0 ? 2...3 : 2...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { 0x41...0x5A ~= $0 & ~0x20 || (place > 0 && 0x30...0x39 ~= $0) }
    }
    if isTag { return tag }
    throw .usage("the value of --language is no language: \(tag)", hint: "a tag such as en, de or pt-BR")
  }

  /// The time of `SOURCE_DATE_EPOCH` (reproducible-builds.org): seconds since 1970.
  private static func fixedTime() throws(CommandError) -> Timestamp? {
    guard let value = getenv("SOURCE_DATE_EPOCH") else { return nil }
    let text = String(cString: value)
    // Four digits of year are all that the bundle's name and dates have.
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw .usage("SOURCE_DATE_EPOCH is no number of seconds since 1970: \(text)")
    }
    return Timestamp(seconds: seconds)
  }
}
