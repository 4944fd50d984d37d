import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountExport

/// Many exports at once share a bounded number of threads, and a budget of memory.
@Suite struct ExportResourcesTests {
  /// A thread that the system refuses is one source's trouble, not the process's end.
  @Test func aWaitingThreadThatIsRefused() async {
    await #expect(processExitsWith: .success) {
      // No address space holds such a stack.
      typealias Setting = @convention(c) (UnsafePointer<pthread_attr_t>) -> CInt
      let symbol = try #require(dlsym(nil, "pthread_setattr_default_np"))
      let set = unsafeBitCast(symbol, to: Setting.self)
      let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
      defer { attributes.deallocate() }
      pthread_attr_init(attributes)
      pthread_attr_setstacksize(attributes, 1 << 60)
      try #require(set(attributes) == 0)
      let error = await #expect(throws: ExportError.self) { try await withWaitingThread { 7 } }
      pthread_attr_setstacksize(attributes, 8 << 20)
      try #require(set(attributes) == 0)
      #expect(error?.code == .source)
      #expect(error?.endsExport == false)
      #expect(try await withWaitingThread { 7 } == 7)
    }
  }

  /// A report ends with how many lines it left out.
  @Test(arguments: [0, 1, 250]) func longReports(beyond: Int) {
    let events = ExportEvents { _ in }
    for number in 0..<(ExportEvents.longestReport + beyond) {
      events.warn(ReportLine(source: "records/N", path: "\(number)", reason: nil, message: "x"))
    }
    let report = events.report
    #expect(report.count == ExportEvents.longestReport + (beyond > 0 ? 1 : 0))
    #expect(report.last?.message == (beyond > 0 ? "and \(beyond) more" : "x"))
    #expect(report[ExportEvents.longestReport - 1].path == "\(ExportEvents.longestReport - 1)")
  }

  /// Rows and documents that don't shrink much, as many bytes as it is told; and who runs it, on which thread.
  struct Noise: ExportSource {
    var name = "records/Noise"
    let kind = "test"
    var rows = 20_000
    var seed: UInt64 = 1
    var threads = ThreadNames()

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      var random = SeededGenerator(seed: seed)
      for part in 0..<4 {
        threads.note()
        try await writer.collection(CollectionDescription("part \(part)", columns: [.init("n"), .init("m")])) { records in
          for number in 0..<rows / 4 {
            try records.row {
              $0.unsigned(random.next())
              $0.unsigned(random.next())
            }
            if number % 1000 == 0 {
              await Task.yield()
              threads.note()
            }
          }
        }
      }
    }
  }

  /// The threads that a source was run by.
  final class ThreadNames: Sendable {
    private let seen = Mutex<Set<pthread_t>>([])
    func note() {
      let own = pthread_self()
      seen.withLock { _ = $0.insert(own) }
    }
    var count: Int { seen.withLock { $0.count } }
  }

  /// The largest number that was noted.
  private final class HighWater: Sendable {
    private let largest = Mutex(0)
    func note(_ number: Int) { largest.withLock { $0 = max($0, number) } }
    var value: Int { largest.withLock { $0 } }
  }

  private static let nothing = ExportResources.Use(running: 0, waiting: 0, memory: 0)

  /// The bundle of one export that has everything it wants.
  private static func expected(_ request: ExportRequest = .fixed, rows: Int) async throws -> String {
    let folder = try TemporaryFolder()
    let exporter = AccountExporter(sources: [Noise(rows: rows)], resources: ExportResources())
    return try await exporter.export(request, to: folder.path("data.zip")).digest
  }

  /// A hundred at once on one, two or five threads, with memory for three: all end, each with the bytes that one alone has.
  @Test(arguments: [1, 2, 5]) func aHundredAtOnce(_ threads: Int) async throws {
    let resources = ExportResources(threads: threads, memory: 20 << 20)
    let expected = try await Self.expected(rows: 400)
    let folder = try TemporaryFolder()
    let names = ThreadNames()
    let most = HighWater()
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<100 {
        group.addTask {
          let exporter = AccountExporter(sources: [Noise(rows: 400, threads: names)], resources: resources) { _ in
            most.note(resources.use.running)
          }
          return try await exporter.export(.fixed, to: folder.path("\(number).zip")).digest
        }
      }
      for try await digest in group { #expect(digest == expected) }
    }
    #expect(names.count <= threads)
    #expect(most.value == 3)
    #expect(resources.use == Self.nothing)
    #expect(try folder.names().count == 100)
  }

  /// A budget that is smaller than what one export needs: it runs alone, and stages everything on the disk.
  @Test(arguments: [0, 1, 100_000, 4 << 20]) func lessThanOneNeeds(_ memory: Int) async throws {
    let resources = ExportResources(threads: 2, memory: memory)
    let expected = try await Self.expected(rows: 4000)
    let folder = try TemporaryFolder()
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<4 {
        group.addTask {
          let most = HighWater()
          let exporter = AccountExporter(sources: [Noise(rows: 4000)], resources: resources) { _ in
            most.note(resources.use.running)
          }
          let digest = try await exporter.export(.fixed, to: folder.path("\(number).zip")).digest
          #expect(most.value == 1)
          return digest
        }
      }
      for try await digest in group { #expect(digest == expected) }
    }
    #expect(resources.use == Self.nothing)
  }

  /// What there is of memory is used; what isn't there is staged on the disk, and the bundle is the same.
  @Test func spillsWhereTheBudgetIsTaken() async throws {
    let staging = try TemporaryFolder()
    for (memory, inMemory) in [(3 << 20, true), (2 << 20, false)] {
      let budget = MemoryBudget(bytes: memory)
      try await budget.withShare(of: 2 << 20, .own) { share in
        let spool = Spool(staging: try StagingFolder(in: staging.path, memory: share), memoryLimit: 512 << 10)
        for _ in 0..<100 { try [UInt8](repeating: 7, count: 3000).withUnsafeBytes { try spool.append($0) } }
        #expect(spool.isOnDisk == !inMemory)
        // It grows in doubling steps: 3,000 bytes, 6,000 …
        #expect(budget.use.memory == (2 << 20) + (inMemory ? 384_000 : 0))
        #expect(try spool.whole.bytes() == [UInt8](repeating: 7, count: 300_000))
        for _ in 0..<100 { try [UInt8](repeating: 8, count: 3000).withUnsafeBytes { try spool.append($0) } }
        #expect(spool.isOnDisk)
        #expect(budget.use.memory == 2 << 20)
      }
    }
    #expect(try staging.names() == [])
  }

  /// A queue without memory for what waits holds one thing at a time, and goes on.
  @Test func queuesWithoutMemory() async throws {
    let budget = MemoryBudget(bytes: 100)
    try await budget.withShare(of: 90, .own) { share in
      let lane = Lane<Int>(maximumBytes: 1000, maximumItems: 100, memory: share)
      let put = HighWater()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 0..<500 {
            try await lane.put(number, bytes: 20, unshared: 20)
            put.note(number + 1)
          }
          lane.close()
        }
        var expected = 0
        while let item = try await lane.take() {
          #expect(item == expected)
          expected += 1
          #expect(put.value <= expected + 1)
        }
        #expect(expected == 500)
        try await group.waitForAll()
      }
      #expect(budget.use.memory == 90)
    }
  }

  /// What waits in a queue that is given up is given back.
  @Test func abandonedQueuesGiveBack() async throws {
    let budget = MemoryBudget(bytes: 1000)
    try await budget.withShare(of: 10, .own) { share in
      let lane = Lane<Int>(maximumBytes: 1000, maximumItems: 100, memory: share)
      for number in 0..<5 { try await lane.put(number, bytes: 20, unshared: 20) }
      _ = try await lane.take()
      #expect(budget.use.memory == 90)
      lane.abandon(Planned("enough"))
      #expect(budget.use.memory == 10)
    }
  }

  /// Streams whose readers stall hold their memory, and no thread: exports to files go on, and the next stream begins when one ends.
  @Test(arguments: [1, 3]) func stalledStreams(_ threads: Int) async throws {
    let resources = ExportResources(threads: threads, memory: 28 << 20)
    let exporter = AccountExporter(sources: [Noise(rows: 80_000)], resources: resources)
    var stalled: [ExportByteStream.Iterator] = []
    for _ in 0..<2 {
      var iterator = exporter.stream(.fixed).makeAsyncIterator()
      #expect(try await iterator.next()?.isEmpty == false)
      stalled.append(iterator)
    }
    let third = Task {
      var iterator = exporter.stream(.fixed).makeAsyncIterator()
      return try await iterator.next()
    }
    while resources.use.waiting == 0 { await Task.yield() }
    let folder = try TemporaryFolder()
    for number in 0..<3 {
      let file = AccountExporter(sources: [Noise(rows: 2000)], resources: resources)
      _ = try await file.export(.fixed, to: folder.path("\(number).zip"))
    }
    #expect(resources.use.running == 2)
    #expect(resources.use.waiting == 1)
    #expect(resources.use.memory <= 14 << 20)
    stalled.removeFirst()
    #expect(try await third.value?.isEmpty == false)
    // The other is read to its end all the same.
    while try await stalled[0].next() != nil {}
    stalled = []
    await resources.idle()
    #expect(resources.use == Self.nothing)
  }
}
