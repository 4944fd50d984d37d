internal import Checksums
internal import Files

/// One run of an export: sources side by side, one packer that takes their entries in order.
struct ExportRun: Sendable {
  let request: ExportRequest
  let sources: [any ExportSource]
  let events: ExportEvents
  let staging: StagingFolder
  let threads: ExportThreads
  let pages: BundlePages?
  private let started: Timestamp
  private let top: String

  init(
    request: ExportRequest, sources: [any ExportSource], events: ExportEvents, staging: StagingFolder,
    threads: ExportThreads = ExportResources.shared.executor, pages: BundlePages? = nil
  ) {
    self.pages = pages
    (self.request, self.sources, self.events, self.staging, self.threads) = (request, sources, events, staging, threads)
    started = request.fixedTime ?? .now()
    top = started.bundleName
  }

  private var clock: @Sendable () -> Timestamp {
    let fixed = request.fixedTime
    return { fixed ?? .now() }
  }

  /// Writes the whole bundle into a sink.
  func write(to sink: any BundleSink) async throws -> WrittenBundle {
    events.tell(.started(sources: SourceFolders.names(of: sources)))
    let space = ExpectedSpace(request: request, sources: sources, staging: staging, events: events)
    let expected = try await space.beforeReading()
    var packer = try Packer(sink: sink, top: top, time: started, level: request.level, block: request.limits.block, staging: staging)
    var closing = BundleClosing(request: request, staging: staging, started: started, top: top, pages: pages)
    try await closing.begin(&packer)
    for outcome in try await packSources(&packer, { try await space.whileReading(expected) }) { closing.add(outcome) }
    if closing.allFailed { throw closing.nothingRead() }
    let manifest = try await closing.finish(&packer, at: clock())
    return WrittenBundle(digestHex: try await packer.finish().hex, manifest: manifest)
  }

  // MARK: Sources

  private func packSources(
    _ packer: inout Packer, _ counting: @escaping @Sendable () async throws -> Void
  ) async throws -> [SourceOutcome] {
    let context = SourceContext(request: request, staging: staging, events: events, topFolder: top, clock: clock, pages: pages)
    let folders = SourceFolders.names(of: sources)
    let lanes = sources.map { _ in
      Lane<PackItem>(maximumBytes: request.limits.waitingBytes, maximumItems: request.limits.waitingEntries, memory: staging.memory)
    }
    return try await withThrowingTaskGroup(of: (Int, SourceOutcome)?.self) { group in
      var outcomes: [Int: SourceOutcome] = [:]
      var next = 0
      func startNext() {
        guard next < sources.count else { return }
        let index = next
        next += 1
        group.addTask(executorPreference: threads) {
          (index, try await Self.run(sources[index], folders[index], lanes[index], context))
        }
      }
      do {
        for _ in 0..<max(1, request.concurrentSources) { startNext() }
        group.addTask(executorPreference: threads) {
          do { try await counting() } catch {
            for lane in lanes { lane.abandon(error) }
            throw error
          }
          return nil
        }
        for index in sources.indices {
          while let item = try await lanes[index].take() { try await packer.pack(item) }
          while outcomes[index] == nil, let ended = try await group.next() {
            if let (done, outcome) = ended { outcomes[done] = outcome }
          }
          startNext()
        }
        while try await group.next() != nil {}
      } catch {
        // A source's own failure is an outcome; what comes here ends the export, and everyone who waits must know.
        for lane in lanes { lane.abandon(error) }
        group.cancelAll()
        throw error
      }
      return sources.indices.compactMap { outcomes[$0] }
    }
  }

  private static func run(_ source: any ExportSource, _ folder: String, _ lane: Lane<PackItem>, _ context: SourceContext) async throws
    -> SourceOutcome
  {
    context.events.tell(.sourceStarted(folder))
    var writer = EntryWriter(source: folder, folder: folder, name: source.name, context: context, lane: lane)
    var failure: (any Error)?
    do { try await source.export(for: context.request.subject, into: &writer) } catch {
      if error.endsExport || Task.isCancelled {
        // A reader that was interrupted may say so in its own words.
        let ending = Task.isCancelled ? CancellationError() : error
        lane.abandon(ending)
        throw ending
      }
      failure = error
      writer.omit(folder, writer.tally.items == 0 ? .unreadable : .failed, count: writer.tally.items, detail: String(describing: error))
    }
    lane.close()
    for column in writer.unmetThirdParty.sorted(by: { ($0.collection, $0.column) < ($1.collection, $1.column) }) {
      let message = "a third party's column, but no collection that was written has it"
      context.events.warn(
        ReportLine(source: folder, path: "\(column.collection).\(column.column)", reason: "third-party", message: message))
    }
    context.events.tell(.sourceFinished(folder, failed: failure != nil))
    return SourceOutcome(source: source, folder: folder, failure: failure, writer: writer)
  }
}

/// What came of one source.
struct SourceOutcome: Sendable {
  let folder: String
  let kind: String
  let failure: (any Error)?
  let tally: SourceTally
  let documentRows: Spool?
  let hasDocuments: Bool
  let snapshotTime: Timestamp?
  let schema: SchemaOrigin?
  let kept: KeptSource?

  init(source: any ExportSource, folder: String, failure: (any Error)?, writer: borrowing EntryWriter) {
    self.folder = folder
    kind = source.kind
    self.failure = failure
    tally = writer.tally
    documentRows = writer.documentRows
    hasDocuments = writer.documentRows != nil || source.kind == "documents"
    snapshotTime = writer.snapshotTime
    schema = writer.schema
    kept = writer.kept
  }
}
