#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What exports share, however many run at once: a bounded number of threads, and a budget of memory.
///
/// ```swift
/// let resources = ExportResources(threads: 8, memory: 256 << 20)
/// let exporter = AccountExporter(sources: sources, resources: resources)
/// ```
///
/// **Threads.** All of the exports' reading, packing and writing happens on these threads, never on Swift's own pool. An export that waits,
/// for another's data or for a reader that stalls, holds none of them: one thread is enough for any number of exports, more make them faster.
/// Deflating too is done on these threads, by as many at once as ``ExportRequest/jobs`` says, while half of the memory is free.
///
/// **Memory.** An export begins once the memory that it can't do without is free, in the order of asking (about 7 MiB with the default
/// limits: what it packs, compresses and reads back, and a staged document for each source that is read at once). What it would stage
/// beyond that comes out of the budget too while there is some; when there is none, it is staged on the disk. So nothing that runs waits
/// for memory, and no export can keep another from ending. Cancelling an export that waits takes it out of the queue.
///
/// **Readers.** How long a stream lives is up to its reader (``AccountExporter/stream(_:finished:)``, and exports to a descriptor): all
/// streams together get half of the memory at most. A stream beyond that waits until one ends, in order, while exports to files go on. A server
/// should end connections that stall: nothing here does. One export to a file and one stream may always run, whatever the budget.
///
/// The memory of a source's own libraries, a database's cache for one, is not part of the budget, nor are some MiB in which the pages are made.
public final class ExportResources: Sendable {
  /// The resources of exporters that are given none: two threads a core, at least four, and 128 MiB.
  public static let shared = ExportResources()

  /// How many threads there are at most. They are started when they are needed first, and end when the resources go.
  public var threads: Int { executor.count }
  /// The bytes of memory that exports share.
  public var memory: Int { budget.bytes }

  let executor: ExportThreads
  let budget: MemoryBudget

  /// Resources of one's own.
  /// - Parameters:
  ///   - threads: How many threads at most, at least 1; by default two a core, and at least four.
  ///   - memory: The bytes that exports share.
  public init(threads: Int? = nil, memory: Int = 128 << 20) {
    executor = ExportThreads(count: threads ?? max(4, 2 * ExportRequest.cores))
    budget = MemoryBudget(bytes: memory)
  }

  deinit { executor.end() }

  /// How much is in use.
  public struct Use: Sendable, Hashable {
    /// Exports that run.
    public let running: Int
    /// Exports that wait for memory before they begin.
    public let waiting: Int
    /// Bytes of the budget that are taken.
    public let memory: Int
  }

  /// How much is in use now: for a server that would rather answer “try again later” than let people wait.
  public var use: Use { budget.use }

  /// Waits until no export runs or waits any more, and all that they held is closed and given back: before a server ends.
  public func idle() async { await budget.idle() }
}

extension ExportRequest {
  /// The processors that are there.
  static var cores: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  /// The memory that an export can't do without, in bytes: the ZIP's writer and reader and what goes between them, and a document that
  /// is staged for each source that is read at once.
  func reservedMemory(sources: Int) -> Int {
    (5 << 20) + max(1, min(concurrentSources, sources)) * min(max(0, limits.stagedDocument), 1 << 30)
  }
}
