public import Files

/// Exports an account: runs its sources, packs what they push, and proves the result by reading it back.
///
/// ```swift
/// let exporter = AccountExporter(sources: [PreferencesSource(files: ["settings.plist"])])
/// let receipt = try await exporter.export(request, to: "data.zip")
/// ```
public struct AccountExporter: Sendable {
  /// This tool's version, as the bundle names it.
  public static let version = "1.0.0"

  private let sources: [any ExportSource]
  private let pages: BundlePages?
  private let events: ExportEvents
  /// The threads and the memory that this exporter's exports share, with those of others where they are the same.
  public let resources: ExportResources

  /// An exporter of some sources, in the order in which they stand in the bundle.
  /// - Parameters:
  ///   - sources: What to export.
  ///   - pages: The pages of the bundle that people open; nil is one plain page.
  ///   - resources: Whose threads and memory its exports use.
  ///   - events: Is told what happens, from any thread, and must not block.
  public init(
    sources: [any ExportSource], pages: BundlePages? = nil, resources: ExportResources = .shared,
    events: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) {
    (self.sources, self.pages) = (sources, pages)
    self.resources = resources
    self.events = ExportEvents(events)
  }

  /// What was told beside omissions, for the report: never part of the bundle.
  public var report: [ReportLine] { events.report }

  /// What the sources would export, without writing anything. A source that can't tell has no plan, one that fails has its error.
  public func plan(_ request: ExportRequest, depth: PlanDepth) async -> [(source: any ExportSource, plan: Result<SourcePlan?, any Error>)] {
    await withTaskExecutorPreference(resources.executor) {
      var plans: [(any ExportSource, Result<SourcePlan?, any Error>)] = []
      for source in sources {
        guard let plannable = source as? any PlannableSource else {
          plans.append((source, .success(nil)))
          continue
        }
        do { plans.append((source, .success(try await plannable.plan(for: request.subject, depth: depth)))) } catch {
          plans.append((source, .failure(error)))
        }
      }
      return plans
    }
  }

  /// Exports to a file, which appears at its path complete and verified, or not at all.
  ///
  /// The file is written 0600 in the same folder, without a name where the file system can. An existing one is an error, and stays, unless
  /// `replacing` is true: then it is replaced in one step at the end.
  public func export(_ request: ExportRequest, to path: PathBytes, replacing: Bool = false) async throws -> ExportReceipt {
    try await running(request, at: .own) { memory in
      let file = try BundleFileSink(path: path, replacing: replacing)
      let staging = try staging(in: request.temporaryFolder ?? file.stagingPath, for: request, memory)
      let receipt = try await writingAndReading(request, file, staging)
      try file.sync()
      events.tell(.publishing)
      try file.publish()
      events.tell(.finished(complete: receipt.outcome == .complete, bytes: receipt.bytes))
      return receipt
    }
  }

  /// Writes the file and reads it back behind, both at once.
  private nonisolated(nonsending) func writingAndReading(
    _ request: ExportRequest, _ file: BundleFileSink, _ staging: StagingFolder
  ) async throws -> ExportReceipt {
    async let report = file.readBack()
    defer { file.endWriting() }
    let written = try await write(request, to: file, staging: staging)
    file.endWriting()
    events.tell(.verifying)
    return try await report.receipt(expecting: written)
  }

  /// Exports to standard output or another open descriptor. What goes out is read back on its way; the end of the central directory is held
  /// back until that agrees, so that a failed export is never a readable ZIP. A reader that stalls is awaited without holding a thread. The
  /// descriptor's flags stay as they are, and it stays open.
  public func export(_ request: ExportRequest, streamingTo descriptor: CInt) async throws -> ExportReceipt {
    try await running(request, at: .reader) { memory in
      let stream = try BundleStreamSink(descriptor: descriptor)
      let staging = try staging(in: request.temporaryFolder ?? "/var/tmp", for: request, memory)
      let written = try await write(request, to: stream, staging: staging)
      let receipt = try await stream.finish(expecting: written)
      events.tell(.finished(complete: receipt.outcome == .complete, bytes: receipt.bytes))
      return receipt
    }
  }

  /// Exports into any sink, without reading back what it took.
  package func export(_ request: ExportRequest, into sink: any BundleSink, staging: PathBytes) async throws {
    try await running(request, at: .own) { memory in
      _ = try await write(request, to: sink, staging: try self.staging(in: staging, for: request, memory))
    }
  }

  /// Runs an export on the threads that it shares, once it has the memory that it needs; when this returns, all of that is given back.
  nonisolated(nonsending) func running<Result: Sendable>(
    _ request: ExportRequest, at pace: MemoryBudget.Pace, _ body: nonisolated(nonsending) (MemoryShare) async throws -> Result
  ) async throws -> Result {
    try await withTaskExecutorPreference(resources.executor) {
      try await resources.budget.withShare(of: request.reservedMemory(sources: sources.count), pace, body)
    }
  }

  func write(_ request: ExportRequest, to sink: any BundleSink, staging: StagingFolder) async throws -> WrittenBundle {
    if sources.isEmpty { throw ExportError(.configuration, "there is nothing to export") }
    let run = ExportRun(
      request: request, sources: sources, events: events, staging: staging, threads: resources.executor, pages: pages)
    do {
      let written = try await run.write(to: sink)
      await staging.end()
      return written
    } catch {
      await staging.end()
      throw error
    }
  }

  /// Where an export stages, with those who deflate for it.
  func staging(in path: PathBytes, for request: ExportRequest, _ memory: MemoryShare) throws(ExportError) -> StagingFolder {
    let workers = DeflateWorkers(request, threads: resources.executor, memory: memory)
    return try StagingFolder(in: path, memory: memory, workers: request.level == .stored ? nil : workers)
  }
}

/// What the packer says that it has written; the reader must agree.
struct WrittenBundle: Sendable {
  let digestHex: String
  let manifest: ExportManifest
}
