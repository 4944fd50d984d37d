import Synchronization

/// The way of one source's entries to the packer: in order, one producer, one consumer, bounded. Who must wait is suspended, not blocked.
final class Lane<Item: Sendable>: Sendable {
  private struct State {
    /// What waits, from `head` on; what has been taken is nil, so that its memory goes at once.
    var items: [(item: Item?, bytes: Int)] = []
    var head = 0
    var bytes = 0
    var isClosed = false
    var failure: (any Error)?
    var producer: CheckedContinuation<Void, any Error>?
    var consumer: CheckedContinuation<Item?, any Error>?

    var waiting: Int { items.count - head }

    mutating func takeFirst() -> Item? {
      if waiting == 0 { return nil }
      let (item, size) = items[head]
      items[head].item = nil
      head += 1
      bytes -= size
      if head == items.count || head >= 256 {
        items.removeFirst(head)
        head = 0
      }
      return item
    }
  }

  private let state = Mutex(State())
  private let maximumBytes: Int
  private let maximumItems: Int

  init(maximumBytes: Int, maximumItems: Int) {
    self.maximumBytes = maximumBytes
    self.maximumItems = maximumItems
  }

  /// Hands an item over, and waits while too much is waiting already. Throws what `abandon` was told.
  func put(_ item: Item, bytes: Int) async throws {
    let (consumer, isFull) = try state.withLock { state -> (CheckedContinuation<Item?, any Error>?, Bool) in
      if let failure = state.failure { throw failure }
      if let consumer = state.consumer {
        state.consumer = nil
        return (consumer, false)
      }
      state.items.append((item, bytes))
      state.bytes += bytes
      return (nil, state.bytes > maximumBytes || state.waiting > maximumItems)
    }
    consumer?.resume(returning: item)
    if isFull { try await waitForRoom() }
  }

  private func waitForRoom() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if let failure = state.failure { return .failure(failure) }
          if state.bytes <= maximumBytes && state.waiting <= maximumItems { return .success(()) }
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
    let consumer = state.withLock { state in
      state.isClosed = true
      let consumer = state.consumer
      state.consumer = nil
      return consumer
    }
    consumer?.resume(returning: nil)
  }

  /// Ends both sides with an error: what waits is dropped.
  func abandon(_ error: any Error) {
    let (producer, consumer) = state.withLock { state in
      if state.failure == nil { state.failure = error }
      state.items.removeAll()
      (state.head, state.bytes) = (0, 0)
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
          if let item = state.takeFirst() {
            guard state.bytes <= maximumBytes / 2 && state.waiting <= maximumItems / 2 else { return (.success(item), nil) }
            let producer = state.producer
            state.producer = nil
            return (.success(item), producer)
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
