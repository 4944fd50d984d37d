import Synchronization
import TestSupport
import Testing

@testable import AccountExport

/// Who gets memory when: in order, never more than there is, and everything comes back.
@Suite struct MemoryBudgetTests {
  /// Exports that run until they are let go, and the order in which they began.
  private final class Line: Sendable {
    let budget: MemoryBudget
    private let order = Mutex<[Int]>([])

    init(_ bytes: Int) { budget = MemoryBudget(bytes: bytes) }

    var begun: [Int] { order.withLock { $0 } }

    /// Asks for memory, and returns once the asking stands in the queue or has its turn.
    func ask(_ number: Int, _ bytes: Int, _ pace: MemoryBudget.Pace = .own) async -> (task: Task<Void, any Error>, gate: Gate) {
      let gate = Gate()
      let before = budget.use
      let task = Task {
        try await budget.withShare(of: bytes, pace) { _ in
          order.withLock { $0.append(number) }
          try await gate.wait()
        }
      }
      while budget.use.running + budget.use.waiting == before.running + before.waiting { await Task.yield() }
      await settle()
      return (task, gate)
    }

    /// Lets everyone begin whose turn it is.
    func settle() async { while begun.count < budget.use.running { await Task.yield() } }
  }

  /// Where a task waits until it is let through.
  private final class Gate: Sendable {
    private let lane = Lane<Int>(maximumBytes: 1, maximumItems: 1)
    func wait() async throws { _ = try await lane.take() }
    func open() { lane.close() }
  }

  private final class Flag: Sendable {
    let isUp = Atomic(false)
  }

  @Test func turnsComeInTheOrderOfAsking() async throws {
    let line = Line(100)
    let first = await line.ask(0, 60)
    var others: [(task: Task<Void, any Error>, gate: Gate)] = []
    // The last two would fit beside the first, and must not overtake.
    for (number, bytes) in [70, 50, 10, 10].enumerated() { others.append(await line.ask(number + 1, bytes)) }
    #expect(line.begun == [0])
    #expect(line.budget.use == ExportResources.Use(running: 1, waiting: 4, memory: 60))
    first.gate.open()
    try await first.task.value
    await line.settle()
    #expect(line.begun == [0, 1])
    for other in others { other.gate.open() }
    for other in others { try await other.task.value }
    #expect(line.begun == [0, 1, 2, 3, 4])
    #expect(line.budget.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
  }

  @Test func cancelledWhileWaiting() async throws {
    let line = Line(100)
    let first = await line.ask(0, 60)
    let large = await line.ask(1, 90)
    let small = await line.ask(2, 30)
    large.task.cancel()
    await #expect(throws: CancellationError.self) { try await large.task.value }
    await line.settle()
    #expect(line.begun == [0, 2], "who stood behind it was not let in")
    for one in [first, small] { one.gate.open() }
    for one in [first, small] { try await one.task.value }
    #expect(line.budget.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
  }

  @Test func cancelledBeforeAsking() async throws {
    let budget = MemoryBudget(bytes: 100)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await budget.withShare(of: 10, .own) { _ in _ = Issue.record("a cancelled export began") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(budget.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
  }

  /// A stalled reader keeps its memory for ever: no more than half of all is theirs, and files go on beside them.
  @Test func readersHaveHalf() async throws {
    let line = Line(100)
    var readers: [(task: Task<Void, any Error>, gate: Gate)] = []
    for number in 0..<4 { readers.append(await line.ask(number, 20, .reader)) }
    #expect(line.begun == [0, 1])
    let file = await line.ask(4, 60)
    #expect(line.begun == [0, 1, 4])
    readers[0].gate.open()
    try await readers[0].task.value
    await line.settle()
    #expect(line.begun == [0, 1, 4, 2])
    for one in readers + [file] { one.gate.open() }
    for one in readers + [file] { try await one.task.value }
    #expect(line.budget.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
  }

  /// One file and one stream may always run, however small the budget.
  @Test func oneOfEachAlwaysRuns() async throws {
    let line = Line(1)
    let reader = await line.ask(0, 1000, .reader)
    let file = await line.ask(1, 1000)
    let others = [await line.ask(2, 1), await line.ask(3, 1, .reader)]
    #expect(line.begun == [0, 1])
    for one in [reader, file] + others { one.gate.open() }
    for one in [reader, file] + others { try await one.task.value }
    #expect(line.begun.sorted() == [0, 1, 2, 3])
  }

  @Test(arguments: [(MemoryBudget.Pace.own, 90), (.reader, 40)])
  func stagingTakesWhatIsLeft(_ pace: MemoryBudget.Pace, _ left: Int) async throws {
    let budget = MemoryBudget(bytes: 100)
    try await budget.withShare(of: 10, pace) { share in
      #expect(share.take(left))
      #expect(!share.take(1))
      share.giveBack(5)
      #expect(share.take(4))
      #expect(!share.take(2))
      #expect(budget.use.memory == left + 9)
    }
    #expect(budget.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
  }

  @Test func staleSharesHoldNothing() async throws {
    let budget = MemoryBudget(bytes: 100)
    let share = try await budget.withShare(of: 10, .own) { share in
      #expect(share.take(20))
      return share
    }
    #expect(!share.take(1))
    share.giveBack(20)
    #expect(budget.use.memory == 0)
  }

  @Test func idleWaitsForEveryone() async throws {
    let line = Line(100)
    await line.budget.idle()
    let first = await line.ask(0, 100)
    let second = await line.ask(1, 100)
    let flag = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await line.budget.idle()
        flag.isUp.store(true, ordering: .sequentiallyConsistent)
      }
      first.gate.open()
      try await first.task.value
      let wasIdle = flag.isUp.load(ordering: .sequentiallyConsistent)
      #expect(!wasIdle)
      second.gate.open()
      try await group.waitForAll()
    }
    try await second.task.value
  }

  /// A thousand at once, some cancelled: never more than there is, and all of it comes back.
  @Test func manyAtOnce() async throws {
    let budget = MemoryBudget(bytes: 1000)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        group.addTask {
          let pace: MemoryBudget.Pace = number % 3 == 0 ? .reader : .own
          do {
            try await budget.withShare(of: 50 + number % 100, pace) { share in
              #expect(budget.use.memory <= 1000)
              for _ in 0..<number % 5 { await Task.yield() }
              let more = share.take(number % 300)
              await Task.yield()
              if more { share.giveBack(number % 300) }
            }
          } catch { #expect(error is CancellationError) }
        }
        if number % 100 == 99 { await Task.yield() }
      }
      await group.next()
    }
    #expect(budget.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
  }
}
