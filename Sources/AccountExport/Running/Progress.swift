import Synchronization

/// Counts what one source has done, and tells it now and then: not for each item.
final class Progress: Sendable {
  private struct State {
    var items = 0
    var bytes: UInt64 = 0
    var told = ContinuousClock.now
  }

  private let source: String
  private let events: ExportEvents
  private let state = Mutex(State())

  /// The time between two events of one source.
  private static let interval = Duration.milliseconds(100)

  init(source: String, events: ExportEvents) {
    self.source = source
    self.events = events
  }

  func add(items: Int, bytes: UInt64) {
    let event = state.withLock { state -> ExportEvent? in
      state.items += items
      state.bytes += bytes
      let now = ContinuousClock.now
      if now - state.told < Self.interval { return nil }
      state.told = now
      return .progress(source: source, items: state.items, bytes: state.bytes)
    }
    if let event { events.tell(event) }
  }

  func warn(_ path: String, _ reason: Omission.Reason, detail: String?) {
    events.warn(ReportLine(source: source, path: path, reason: reason.name, message: detail ?? reason.sentence))
  }
}

/// Who listens to an export, and the technical detail that was told.
final class ExportEvents: Sendable {
  private let listener: @Sendable (ExportEvent) -> Void
  private struct Told {
    var lines: [ReportLine] = []
    var others = 0
  }

  private let told = Mutex(Told())
  /// Lines beyond these are only counted.
  static let longestReport = 100_000

  init(_ listener: @escaping @Sendable (ExportEvent) -> Void) {
    self.listener = listener
  }

  func tell(_ event: ExportEvent) { listener(event) }

  func warn(_ line: ReportLine) {
    told.withLock { told in
      if told.lines.count < Self.longestReport { told.lines.append(line) } else { told.others += 1 }
    }
    listener(.warning(source: line.source, path: line.path, message: line.message))
  }

  /// What was told; the last line counts what is only counted.
  var report: [ReportLine] {
    let told = told.withLock { $0 }
    if told.others == 0 { return told.lines }
    return told.lines + [ReportLine(source: "", path: SourceTally.others, reason: nil, message: "and \(told.others) more")]
  }
}

/// What every source of one export shares.
struct SourceContext: Sendable {
  let request: ExportRequest
  let staging: StagingFolder
  let events: ExportEvents
  let topFolder: String
  let clock: @Sendable () -> Timestamp
  let pseudonyms: Pseudonyms
  /// The pages that rows are kept for.
  let pages: BundlePages?

  init(
    request: ExportRequest, staging: StagingFolder, events: ExportEvents, topFolder: String, clock: @escaping @Sendable () -> Timestamp,
    pages: BundlePages? = nil
  ) {
    self.pages = pages
    (self.request, self.staging, self.events, self.topFolder, self.clock) = (request, staging, events, topFolder, clock)
    pseudonyms = Pseudonyms(key: request.pseudonymKey)
  }
}
