import Synchronization

/// The way of one source's entries to the packer: in order, one producer, one consumer, bounded. Who must wait is suspended, not blocked.
///
/// What waits takes its memory from the export's share, where it has one. Where there is none left, one item waits at a time.
final class Lane<Item: Sendable>: Sendable {
  private struct State {
    /// What waits, from `head` on; what has been taken is nil, so that its memory goes at once.
    var items: [Waiting] = []
    var head = 0
    var bytes = 0
    /// Items that wait without memory of the share.
    var unpaid = 0
    var isClosed = false
    var failure: (any Error)?
    var producer: CheckedContinuation<Void, any Error>?
    var consumer: CheckedContinuation<Item?, any Error>?

    var waiting: Int { items.count - head }

    mutating func takeFirst() -> Waiting? {
      if waiting == 0 { return nil }
      let first = items[head]
      items[head].item = nil
      head += 1
      bytes -= first.bytes
      if first.isUnpaid { unpaid -= 1 }
      if head == items.count || head >= 256 {
        items.removeFirst(head)
        head = 0
      }
      return first
    }
  }

  private struct Waiting {
    var item: Item?
    let bytes: Int
    /// Bytes of the share that it holds; where it would hold some and there were none, it is unpaid.
    let taken: Int
    let isUnpaid: Bool
  }

  private let state = Mutex(State())
  private let maximumBytes: Int
  private let maximumItems: Int
  private let memory: MemoryShare?

  init(maximumBytes: Int, maximumItems: Int, memory: MemoryShare? = nil) {
    self.memory = memory
    self.maximumBytes = maximumBytes
    self.maximumItems = maximumItems
  }

  /// Hands an item over, and waits while too much is waiting already. Throws what `abandon` was told.
  /// - Parameters:
  ///   - bytes: What it counts as while it waits.
  ///   - unshared: The memory that it holds, and that is not taken from the share yet.
  func put(_ item: Item, bytes: Int, unshared: Int = 0) async throws {
    let (consumer, first, isFull) = try state.withLock { state -> (CheckedContinuation<Item?, any Error>?, Item?, Bool) in
      if let failure = state.failure { throw failure }
      let isPaid = unshared == 0 || memory?.take(unshared) ?? true
      state.items.append(Waiting(item: item, bytes: bytes, taken: isPaid ? unshared : 0, isUnpaid: !isPaid))
      state.bytes += bytes
      if !isPaid { state.unpaid += 1 }
      guard let consumer = state.consumer, isTooMuch(state) || state.waiting >= Self.wakingItems || state.bytes >= Self.wakingBytes else {
        return (nil, nil, isTooMuch(state))
      }
      state.consumer = nil
      return (consumer, takeFirst(&state), isTooMuch(state))
    }
    consumer?.resume(returning: first)
    if isFull { try await waitForRoom() }
  }

  /// A consumer that waits is woken for so much: once for many small items.
  private static var wakingItems: Int { 16 }
  private static var wakingBytes: Int { 128 << 10 }

  private func takeFirst(_ state: inout State) -> Item? {
    guard let first = state.takeFirst() else { return nil }
    memory?.giveBack(first.taken)
    return first.item
  }

  private func isTooMuch(_ state: State) -> Bool {
    state.bytes > maximumBytes || state.waiting > maximumItems || state.unpaid > 0
  }

  private func waitForRoom() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if let failure = state.failure { return .failure(failure) }
          if !isTooMuch(state) { return .success(()) }
          state.producer = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      abandon(CancellationError())
    }
  }

  /// Says that nothing more comes; with an error where the producer has failed for good.
  func close() {
    let (consumer, first) = state.withLock { state in
      state.isClosed = true
      guard let consumer = state.consumer else { return (nil as CheckedContinuation<Item?, any Error>?, nil as Item?) }
      state.consumer = nil
      return (consumer, takeFirst(&state))
    }
    consumer?.resume(returning: first)
  }

  /// Ends both sides with an error: what waits is dropped.
  func abandon(_ error: any Error) {
    let (producer, consumer) = state.withLock { state in
      if state.failure == nil { state.failure = error }
      memory?.giveBack(state.items[state.head...].reduce(0) { $0 + $1.taken })
      state.items.removeAll()
      (state.head, state.bytes, state.unpaid) = (0, 0, 0)
      let waiting = (state.producer, state.consumer)
      (state.producer, state.consumer) = (nil, nil)
      return waiting
    }
    producer?.resume(throwing: error)
    consumer?.resume(throwing: error)
  }

  /// The next item, waiting for it; nil when nothing more comes.
  func take() async throws -> Item? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, producer) = state.withLock { state -> (Result<Item?, any Error>?, CheckedContinuation<Void, any Error>?) in
          if let failure = state.failure { return (.failure(failure), nil) }
          if let first = takeFirst(&state) {
            let isHalfEmpty = state.bytes <= maximumBytes / 2 && state.waiting <= maximumItems / 2 && state.unpaid == 0
            guard isHalfEmpty else { return (.success(first), nil) }
            let producer = state.producer
            state.producer = nil
            return (.success(first), producer)
          }
          if state.isClosed { return (.success(nil), nil) }
          state.consumer = continuation
          return (nil, nil)
        }
        producer?.resume()
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      abandon(CancellationError())
    }
  }
}
