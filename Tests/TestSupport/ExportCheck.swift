import AccountExport
import Files
import Synchronization
import Testing

/// Checks what every source must hold to, by running it through real exports: a sound and true bundle, the same bytes again, an empty
/// account, cancellation and failing output at many points, a slow reader, and neighbours that its failure leaves alone.
///
/// - Parameters:
///   - outcome: Whether the source is expected to have everything inside.
///   - request: The request; its time must be fixed.
///   - empty: Makes a source of an account that holds nothing.
///   - make: Makes the source; each call must give one of the same contents.
/// - Returns: The bundle, for what a test wants to know beside.
@discardableResult
public func checkExportSource(
  outcome: ExportManifest.Outcome = .complete, request: ExportRequest = .fixed, sourceLocation: SourceLocation = #_sourceLocation,
  empty: (@Sendable () async throws -> any ExportSource)? = nil, _ make: @Sendable () async throws -> any ExportSource
) async throws -> CheckedBundle {
  let check = ExportCheck(source: try await make(), request: request, location: sourceLocation)
  let bundle = try await check.export(expecting: outcome)
  try await check.repeatability(of: try await make())
  try await check.fault(at: 8)
  try await check.cancellation(at: 8)
  try await check.slowReader()
  for isAfter in [false, true] { try await check.neighbours(isAfter: isAfter) }
  if let empty { try await check.emptyAccount(try await empty()) }
  return bundle
}

/// One source under check.
struct ExportCheck {
  let source: any ExportSource
  let request: ExportRequest
  let location: SourceLocation

  /// The request with every bound lowered, so that all that waits, spills and streams in a large export does so in a small one.
  private var narrow: ExportRequest {
    var narrow = request
    narrow.limits.stagedCollection = 64
    narrow.limits.stagedDocument = 16
    narrow.limits.waitingBytes = 1
    narrow.limits.waitingEntries = 1
    narrow.limits.block = 1
    return narrow
  }

  // MARK: The bundle

  /// Exports to a file, and has it checked by a reader that knows nothing of this project.
  func export(expecting outcome: ExportManifest.Outcome) async throws -> CheckedBundle {
    let folder = try TemporaryFolder()
    let receipt = try await AccountExporter(sources: [source]).export(request, to: folder.path("data.zip"))
    #expect(receipt.outcome == outcome, sourceLocation: location)
    #expect(try folder.names() == ["data.zip"], "something is left beside the output", sourceLocation: location)
    return try CheckedBundle(folder.path("data.zip"), sourceLocation: location)
  }

  func emptyAccount(_ empty: any ExportSource) async throws {
    let check = ExportCheck(source: empty, request: request, location: location)
    let bundle = try await check.export(expecting: .complete)
    let told = try #require(try bundle.accountExport()["sources"] as? [[String: Any]])
    #expect(told.count == 1, sourceLocation: location)
  }

  /// The same input gives the same bytes: again, with narrow bounds (but for a document that streams, whose entry is no other), and with any
  /// number of sources side by side.
  func repeatability(of again: any ExportSource) async throws {
    let first = try await written([source], request)
    let second = try await written([again], request)
    #expect(second.bytes == first.bytes, "the same input gave other bytes: \(first.told) \(second.told)", sourceLocation: location)
    var alone = request
    var together = request
    (alone.concurrentSources, together.concurrentSources) = (1, 4)
    let sources: [any ExportSource] = [NeighbourSource("records/Before"), source, NeighbourSource("records/After")]
    let (one, many) = (try await written(sources, alone), try await written(sources, together))
    #expect(one.bytes == many.bytes, "the number of workers changes the bytes: \(one.told) \(many.told)", sourceLocation: location)
  }

  /// A bundle, and what was told of what is missing in it.
  private func written(_ sources: [any ExportSource], _ request: ExportRequest) async throws -> (bytes: [UInt8], told: [ReportLine]) {
    let sink = TestSink()
    let told = try await run(sources, request, sink)
    return (sink.bytes, told)
  }

  /// Runs an export into a sink; nothing may stay in its staging folder, whatever becomes of it.
  @discardableResult
  private func run(_ sources: [any ExportSource], _ request: ExportRequest, _ sink: TestSink) async throws -> [ReportLine] {
    let staging = try TemporaryFolder()
    let exporter = AccountExporter(sources: sources)
    let result: Result<Void, any Error>
    do {
      result = .success(try await exporter.export(request, into: sink, staging: staging.path))
    } catch { result = .failure(error) }
    #expect(try staging.names() == [], "something is left in the staging folder", sourceLocation: location)
    try result.get()
    return exporter.report
  }

  // MARK: What goes wrong outside

  /// The output fails at bytes spread over the whole bundle: the export ends with the output's own error.
  func fault(at points: Int) async throws {
    let whole = TestSink()
    try await run([source], narrow, whole)
    for point in 0..<points {
      let place = whole.bytes.count * point / points
      let sink = TestSink { piece in if piece.offset + piece.count > place { throw Planned("output failed") } }
      await #expect(throws: Planned("output failed"), sourceLocation: location) { try await run([source], narrow, sink) }
    }
  }

  /// The task is cancelled, at pieces spread over the whole bundle and at moments that chance decides.
  func cancellation(at points: Int) async throws {
    let whole = TestSink()
    try await run([source], narrow, whole)
    for point in 0..<points {
      let place = whole.pieces * point / points
      let sink = TestSink { piece in if piece.index == place { withUnsafeCurrentTask { $0?.cancel() } } }
      await expectCancelled { try await run([source], narrow, sink) }
      await expectCancelled(after: point * point) { try await run([source], narrow, TestSink { _ in await Task.yield() }) }
    }
    let folder = try TemporaryFolder()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await AccountExporter(sources: [source]).export(narrow, to: folder.path("data.zip"))
    }
    await #expect(throws: CancellationError.self, sourceLocation: location) { try await cancelled.value }
    #expect(try folder.names() == [], "a cancelled export left something", sourceLocation: location)
  }

  /// - Parameter yields: After how many turns of other tasks the task is cancelled; nil where it cancels itself. It may have ended by then.
  private func expectCancelled(after yields: Int? = nil, _ export: @escaping @Sendable () async throws -> Void) async {
    let task = Task { try await export() }
    if let yields {
      for _ in 0..<yields { await Task.yield() }
      task.cancel()
    }
    switch await task.result {
    case .success: if yields == nil { Issue.record("a cancelled export went on to its end", sourceLocation: location) }
    case .failure(let error):
      if !(error is CancellationError) { Issue.record("a cancelled export ended with \(error)", sourceLocation: location) }
    }
  }

  /// A reader that makes the writer wait gets the same bytes.
  func slowReader() async throws {
    let quick = TestSink()
    try await run([source], narrow, quick)
    let slow = TestSink { piece in for _ in 0..<(piece.index % 7) { await Task.yield() } }
    try await run([source], narrow, slow)
    #expect(slow.bytes == quick.bytes, "a slow reader gets other bytes", sourceLocation: location)
  }

  // MARK: What goes wrong inside

  /// A source that throws fails alone: its neighbours are whole, and the bundle names what is missing.
  func neighbours(isAfter: Bool) async throws {
    let sources: [any ExportSource] = [
      NeighbourSource("records/Before"), ThrowingSource(inner: source, isAfter: isAfter), NeighbourSource("records/After"),
    ]
    let folder = try TemporaryFolder()
    let receipt = try await AccountExporter(sources: sources).export(request, to: folder.path("data.zip"))
    #expect(receipt.outcome == .partial, sourceLocation: location)
    #expect(receipt.manifest.sources.map(\.outcome) == [.complete, .failed, .complete], sourceLocation: location)
    let bundle = try CheckedBundle(folder.path("data.zip"), sourceLocation: location)
    for name in ["Before", "After"] {
      #expect(try bundle.text("data/records/\(name)/numbers.json") == NeighbourSource.rows, sourceLocation: location)
    }
  }
}
