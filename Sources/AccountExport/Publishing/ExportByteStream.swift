internal import Files
import Synchronization

/// A bundle as chunks of bytes, for a response's body: any server framework that takes an `AsyncSequence` of bytes can send it.
///
/// The export begins when it is iterated, once it has its share of the memory (``ExportResources``), and runs only as fast as the chunks are
/// taken; a reader that stalls holds no thread. What goes out is read back on its way, and the end of the ZIP is held back until that agrees:
/// a failed export throws, and what was sent by then is no readable ZIP. Cancelling the task that iterates, or dropping the iterator, stops
/// the export and leaves nothing behind. It can be iterated once.
public struct ExportByteStream: AsyncSequence, Sendable {
  /// A chunk.
  public typealias Element = [UInt8]

  private let exporter: AccountExporter
  private let request: ExportRequest
  private let finished: @Sendable (ExportReceipt) -> Void

  init(exporter: AccountExporter, request: ExportRequest, finished: @escaping @Sendable (ExportReceipt) -> Void) {
    (self.exporter, self.request, self.finished) = (exporter, request, finished)
  }

  /// Begins the export.
  public func makeAsyncIterator() -> Iterator {
    Iterator(Run(exporter: exporter, request: request, finished: finished))
  }

  /// Gives the chunks, 64 KiB to 1.5 MiB each.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let run: Run

    fileprivate init(_ run: Run) { self.run = run }

    /// The next chunk; nil when the bundle is whole and verified.
    public mutating func next() async throws -> [UInt8]? {
      try await run.lane.take()
    }
  }

  /// One export that is under way; when its iterator goes, it ends.
  fileprivate final class Run: Sendable {
    let lane = Lane<[UInt8]>(maximumBytes: 512 << 10, maximumItems: 8)
    private let task: Task<Void, Never>

    init(exporter: AccountExporter, request: ExportRequest, finished: @escaping @Sendable (ExportReceipt) -> Void) {
      let lane = lane
      task = Task(executorPreference: exporter.resources.executor) {
        do {
          let receipt = try await exporter.export(request, into: lane)
          lane.close()
          finished(receipt)
        } catch {
          lane.abandon(error)
        }
      }
    }

    deinit {
      task.cancel()
      lane.abandon(CancellationError())
    }
  }
}

/// Hands a bundle's bytes to whoever takes them; waits without holding a thread.
final class ChunkSink: BundleSink {
  private let lane: Lane<[UInt8]>
  private let tail: Mutex<HeldTail>

  init(_ lane: Lane<[UInt8]>) throws(ExportError) {
    self.lane = lane
    tail = Mutex(try HeldTail())
  }

  func write(_ bytes: UnsafeRawBufferPointer) async throws {
    let free = tail.withLock { $0.take(bytes) }
    if !free.isEmpty { try await lane.put(free, bytes: free.count) }
  }

  func finish(expecting written: WrittenBundle) async throws -> ExportReceipt {
    let (rest, receipt) = try tail.withLock { tail in try tail.release(expecting: written) }
    try await lane.put(rest, bytes: rest.count)
    return receipt
  }
}

extension AccountExporter {
  /// Exports as a sequence of chunks.
  /// - Parameters:
  ///   - request: What to export, and for whom.
  ///   - finished: Is told the proof when the last chunk has been handed over.
  public func stream(_ request: ExportRequest, finished: @escaping @Sendable (ExportReceipt) -> Void = { _ in }) -> ExportByteStream {
    ExportByteStream(exporter: self, request: request, finished: finished)
  }

  func export(_ request: ExportRequest, into lane: Lane<[UInt8]>) async throws -> ExportReceipt {
    try await running(request, at: .reader) { memory in
      let sink = try ChunkSink(lane)
      let staging = try staging(in: request.temporaryFolder ?? "/var/tmp", for: request, memory)
      let written = try await write(request, to: sink, staging: staging)
      return try await sink.finish(expecting: written)
    }
  }
}
