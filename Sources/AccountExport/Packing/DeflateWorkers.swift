internal import ZipArchive
import Synchronization

/// Those who deflate ahead of the packer: so many at once at most, on the threads that exports share. Nobody waits for one: where none is
/// free, whoever asked does the work himself, later, or not at all. What comes out is the same.
final class DeflateWorkers: Sendable {
  /// A deflater, used again, by one job at a time.
  private final class Worker: Sendable {
    let deflater: Mutex<ChunkDeflater>
    init(_ deflater: consuming ChunkDeflater) { self.deflater = Mutex(deflater) }
  }

  private struct State {
    var made = 0
    var idle: [Worker] = []
    /// Who waits for all to have nothing to do.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// How many there are at most.
  let count: Int
  private let options: ZipOptions
  private let threads: ExportThreads
  private let memory: MemoryShare?
  private let state = Mutex(State())

  /// Workers of an export, or nil where it deflates on one thread alone.
  init?(_ request: ExportRequest, threads: ExportThreads, memory: MemoryShare?) {
    count = min(request.jobs, ExportRequest.mostJobs)
    if count < 2 || !ZipChunk.isBuilt { return nil }
    options = ZipOptions(level: request.level.zip)
    (self.threads, self.memory) = (threads, memory)
  }

  /// What a worker's deflater, and a chunk before and after it, take of the export's share.
  private static var memoryEach: Int { ChunkDeflater.memory + 2 * ZipChunk.size }

  /// Has a job done; nil where no worker is free, or there is no memory for another.
  func start<Result: Sendable>(
    _ job: @escaping @Sendable (inout ChunkDeflater) throws -> Result
  ) -> Task<Result, any Error>? {
    guard let worker = take() else { return nil }
    let once = Once(job)
    return Task(executorPreference: threads) { [self] in
      defer { giveBack(worker) }
      return try once.perform(by: worker)
    }
  }

  /// A job that goes when it is done: what it reads, a spool's file perhaps, must not stay open until its task is cleared away, which is
  /// after the worker has been given back.
  private final class Once<Result: Sendable>: Sendable {
    typealias Job = @Sendable (inout ChunkDeflater) throws -> Result
    private let job: Mutex<Job?>

    init(_ job: @escaping Job) { self.job = Mutex(job) }

    func perform(by worker: Worker) throws -> Result {
      guard let job = job.withLock({ $0.take() }) else { preconditionFailure("a job is done once") }
      return try worker.deflater.withLock { try job(&$0) }
    }
  }

  private func take() -> Worker? {
    state.withLock { state in
      if let idle = state.idle.popLast() { return idle }
      guard state.made < count, memory?.takeSpare(Self.memoryEach) ?? true, let worker = make() else { return nil }
      state.made += 1
      return worker
    }
  }

  private func make() -> Worker? {
    do throws(ZipError) { return Worker(try ChunkDeflater.make(options: options)) } catch {
      return nil  // no memory: the work is done without it
    }
  }

  private func giveBack(_ worker: Worker) {
    let waiting = state.withLock { state in
      state.idle.append(worker)
      if state.idle.count < state.made { return [] as [CheckedContinuation<Void, Never>] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }

  /// Waits until none has anything to do: an export that ends leaves nobody at work.
  func idle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.idle.count == state.made { return true }
        state.waiting.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }
}

extension ExportRequest {
  /// More than this is taken for so many.
  package static var mostJobs: Int { 64 }
}
