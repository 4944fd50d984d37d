import Synchronization

/// The memory that exports share. Exports wait for it only before they begin, while they hold nothing, in the order of asking; what runs
/// asks without waiting (`MemoryShare.take`). So there is no circle of exports that wait for each other.
final class MemoryBudget: Sendable {
  /// Who decides how long an export lasts.
  enum Pace: Sendable {
    /// The export itself: it writes to a file, as fast as it can.
    case own
    /// Whoever reads it, who may stall for ever. All of these together get half of the memory.
    case reader
  }

  fileprivate struct Waiter {
    let id: UInt64
    let bytes: Int
    let pace: Pace
    let turn: CheckedContinuation<Void, any Error>
  }

  fileprivate struct State {
    var held = 0, heldForReaders = 0
    var running = 0, runningForReaders = 0
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
    var idlers: [CheckedContinuation<Void, Never>] = []
  }

  let bytes: Int
  private let state = Mutex(State())

  init(bytes: Int) { self.bytes = max(0, bytes) }

  var use: ExportResources.Use {
    state.withLock { ExportResources.Use(running: $0.running, waiting: $0.waiters.count, memory: $0.held) }
  }

  // MARK: Exports

  /// Waits until so many bytes are free, and runs an export with them. Everything that it took is given back when `body` has ended.
  nonisolated(nonsending) func withShare<Result>(
    of bytes: Int, _ pace: Pace, _ body: nonisolated(nonsending) (MemoryShare) async throws -> Result
  ) async throws -> Result {
    try await admit(bytes, pace)
    let share = MemoryShare(of: self, bytes, pace)
    defer { share.end() }
    try Task.checkCancellation()
    return try await body(share)
  }

  private func admit(_ bytes: Int, _ pace: Pace) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { turn in
        let admitted = state.withLock { state in
          state.waiters.append(Waiter(id: id, bytes: bytes, pace: pace, turn: turn))
          return admit(&state)
        }
        for other in admitted { other.resume() }
        // The handler may have come before there was anyone to take out.
        if Task.isCancelled { takeOut(id) }
      }
    } onCancel: {
      takeOut(id)
    }
  }

  /// Ends the waiting of an export that was cancelled; one that has its turn already runs, and sees it itself.
  private func takeOut(_ id: UInt64) {
    let (turn, admitted, idlers) = state.withLock { state in
      guard let place = state.waiters.firstIndex(where: { $0.id == id }) else {
        return (nil, [], [])
          as (CheckedContinuation<Void, any Error>?, [CheckedContinuation<Void, any Error>], [CheckedContinuation<Void, Never>])
      }
      let turn = state.waiters.remove(at: place).turn
      // It may have stood before others that fit.
      return (turn, admit(&state), state.takeIdlers())
    }
    turn?.resume(throwing: CancellationError())
    for other in admitted { other.resume() }
    for idler in idlers { idler.resume() }
  }

  /// Lets those in whose turn it is. Nobody is overtaken, but for streams where only their own half is taken.
  private func admit(_ state: inout State) -> [CheckedContinuation<Void, any Error>] {
    var admitted: [CheckedContinuation<Void, any Error>] = []
    var place = 0
    var areReadersFull = false
    while place < state.waiters.count {
      let waiter = state.waiters[place]
      let isReader = waiter.pace == .reader
      let isFirst = isReader ? state.runningForReaders == 0 : state.running == state.runningForReaders
      areReadersFull = areReadersFull || (isReader && !isFirst && state.heldForReaders + waiter.bytes > bytes / 2)
      if isReader && areReadersFull {
        place += 1
        continue
      }
      if !isFirst && state.held + waiter.bytes > bytes { break }
      state.waiters.remove(at: place)
      state.held += waiter.bytes
      state.running += 1
      if isReader {
        state.heldForReaders += waiter.bytes
        state.runningForReaders += 1
      }
      admitted.append(waiter.turn)
    }
    return admitted
  }

  /// Waits until no export runs or waits.
  func idle() async {
    await withCheckedContinuation { idler in
      let idlers = state.withLock { state in
        state.idlers.append(idler)
        return state.takeIdlers()
      }
      for idler in idlers { idler.resume() }
    }
  }

  // MARK: Shares

  /// Takes some more for one that runs; false where there is none.
  fileprivate func take(_ count: Int, _ pace: Pace) -> Bool {
    state.withLock { state in
      if state.held + count > bytes { return false }
      if pace == .reader {
        if state.heldForReaders + count > bytes / 2 { return false }
        state.heldForReaders += count
      }
      state.held += count
      return true
    }
  }

  /// Takes some for what one that runs could do without: only while half of all is left for others, and nobody waits.
  fileprivate func takeSpare(_ count: Int, _ pace: Pace) -> Bool {
    state.withLock { state in
      if !state.waiters.isEmpty || state.held + count > bytes / 2 { return false }
      if pace == .reader {
        if state.heldForReaders + count > bytes / 4 { return false }
        state.heldForReaders += count
      }
      state.held += count
      return true
    }
  }

  /// Takes back what an export held.
  fileprivate func giveBack(_ count: Int, _ pace: Pace, isOver: Bool) {
    let (admitted, idlers) = state.withLock { state in
      state.held -= count
      if pace == .reader { state.heldForReaders -= count }
      if isOver {
        state.running -= 1
        if pace == .reader { state.runningForReaders -= 1 }
      }
      return (admit(&state), state.takeIdlers())
    }
    for turn in admitted { turn.resume() }
    for idler in idlers { idler.resume() }
  }
}

extension MemoryBudget.State {
  fileprivate mutating func takeIdlers() -> [CheckedContinuation<Void, Never>] {
    guard running == 0 && waiters.isEmpty else { return [] }
    let taken = idlers
    idlers = []
    return taken
  }
}

/// The memory of one export: what it can't do without, and what it has taken for staging beyond that.
final class MemoryShare: Sendable {
  private let budget: MemoryBudget
  private let pace: MemoryBudget.Pace
  /// Bytes held; nil when the export is over.
  private let held: Mutex<Int?>

  fileprivate init(of budget: MemoryBudget, _ bytes: Int, _ pace: MemoryBudget.Pace) {
    (self.budget, self.pace) = (budget, pace)
    held = Mutex(bytes)
  }

  /// Takes so many bytes for staging; false where there are none, and the disk has to do.
  func take(_ count: Int) -> Bool {
    held.withLock { held in
      guard let before = held, budget.take(count, pace) else { return false }
      held = before + count
      return true
    }
  }

  /// Takes so many bytes, until the export is over, for what only makes it faster; false where others may need them.
  func takeSpare(_ count: Int) -> Bool {
    held.withLock { held in
      guard let before = held, budget.takeSpare(count, pace) else { return false }
      held = before + count
      return true
    }
  }

  /// Gives back what was taken for staging.
  func giveBack(_ count: Int) {
    if count == 0 { return }
    held.withLock { held in
      guard let before = held else { return }
      held = before - count
      budget.giveBack(count, pace, isOver: false)
    }
  }

  /// Gives everything back: the export is over.
  fileprivate func end() {
    held.withLock { held in
      guard let all = held else { return }
      held = nil
      budget.giveBack(all, pace, isOver: true)
    }
  }
}
