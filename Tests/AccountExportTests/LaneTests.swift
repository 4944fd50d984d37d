import Synchronization
import TestSupport
import Testing

@testable import AccountExport

@Suite struct LaneTests {
  @Test(arguments: [(1, 1), (10, 2), (1000, 100), (.max, .max)]) func inOrderAndComplete(_ bounds: (bytes: Int, items: Int)) async throws {
    let lane = Lane<Int>(maximumBytes: bounds.bytes, maximumItems: bounds.items)
    async let taken: [Int] = {
      var taken: [Int] = []
      while let item = try await lane.take() {
        taken.append(item)
        if item % 50 == 0 { await Task.yield() }
      }
      return taken
    }()
    for number in 0..<3000 { try await lane.put(number, bytes: number % 7) }
    lane.close()
    #expect(try await taken == Array(0..<3000))
  }

  @Test func producerNeverRunsFarAhead() async throws {
    let lane = Lane<Int>(maximumBytes: 100, maximumItems: 5)
    let (put, taken) = (Count(), Count())
    async let produced: Void = {
      for number in 0..<2000 {
        try await lane.put(number, bytes: 30)
        put.add()
      }
      lane.close()
    }()
    while try await lane.take() != nil {
      taken.add()
      // What was put and not taken: what waits, the one being handed over, and the one that is suspended.
      #expect(put.value - taken.value <= 6)
    }
    try await produced
    #expect(taken.value == 2000)
  }

  private final class Count: Sendable {
    private let atomic = Atomic(0)
    func add() { atomic.add(1, ordering: .sequentiallyConsistent) }
    var value: Int { atomic.load(ordering: .sequentiallyConsistent) }
  }

  private final class Counted: Sendable {
    static let alive = Atomic(0)
    init() { Self.alive.add(1, ordering: .relaxed) }
    deinit { Self.alive.subtract(1, ordering: .relaxed) }
  }

  /// What is taken is let go, also while the queue never runs empty.
  @Test func takenItemsAreNotKept() async throws {
    let lane = Lane<Counted>(maximumBytes: .max, maximumItems: .max)
    try await lane.put(Counted(), bytes: 1)
    for _ in 0..<200 {
      try await lane.put(Counted(), bytes: 1)
      _ = try await lane.take()
      #expect(Counted.alive.load(ordering: .relaxed) <= 2)
    }
  }

  @Test func abandonedProducer() async throws {
    let lane = Lane<Int>(maximumBytes: 1, maximumItems: 1)
    let producer = Task { for number in 0... { try await lane.put(number, bytes: 10) } }
    _ = try await lane.take()
    lane.abandon(Planned("no more"))
    await #expect(throws: Planned("no more")) { try await producer.value }
    await #expect(throws: Planned("no more")) { try await lane.put(1, bytes: 1) }
    await #expect(throws: Planned("no more")) { try await lane.take() }
  }

  @Test func abandonedConsumer() async throws {
    let lane = Lane<Int>(maximumBytes: 1, maximumItems: 1)
    let consumer = Task { try await lane.take() }
    await Task.yield()
    lane.abandon(Planned("no more"))
    lane.abandon(Planned("too late"))
    await #expect(throws: Planned("no more")) { try await consumer.value }
  }

  @Test(arguments: [0, 1, 5, 50]) func cancelledProducer(_ yields: Int) async throws {
    let lane = Lane<Int>(maximumBytes: 1, maximumItems: 1)
    let producer = Task { for number in 0... { try await lane.put(number, bytes: 10) } }
    for _ in 0..<yields { await Task.yield() }
    producer.cancel()
    await #expect(throws: CancellationError.self) { try await producer.value }
    await #expect(throws: CancellationError.self) { try await lane.take() }
  }

  @Test(arguments: [0, 1, 5, 50]) func cancelledConsumer(_ yields: Int) async throws {
    let lane = Lane<Int>(maximumBytes: 1, maximumItems: 1)
    let consumer = Task { try await lane.take() }
    for _ in 0..<yields { await Task.yield() }
    consumer.cancel()
    await #expect(throws: CancellationError.self) { try await consumer.value }
    await #expect(throws: CancellationError.self) { try await lane.put(1, bytes: 1) }
  }

  @Test func whatWaitsIsTakenAfterTheEnd() async throws {
    let lane = Lane<Int>(maximumBytes: 100, maximumItems: 100)
    for number in 0..<3 { try await lane.put(number, bytes: 1) }
    lane.close()
    #expect(try await [lane.take(), lane.take(), lane.take(), lane.take(), lane.take()] == [0, 1, 2, nil, nil])
  }

  /// Many lanes at once, whose ends meet at every moment.
  @Test func manyAtOnce() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<64 {
        let lane = Lane<Int>(maximumBytes: 1 + index % 5 * 10, maximumItems: 1 + index % 3)
        group.addTask {
          for number in 0..<500 { try await lane.put(number, bytes: index % 4 * 10) }
          lane.close()
          return 0
        }
        group.addTask {
          var sum = 0
          while let number = try await lane.take() { sum += number }
          return sum
        }
      }
      var sum = 0
      for try await part in group { sum += part }
      #expect(sum == 64 * 499 * 500 / 2)
    }
  }
}
