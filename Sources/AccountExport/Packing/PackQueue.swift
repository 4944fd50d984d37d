internal import ZipArchive

/// Steps that wait until workers have deflated their parts, in parcels of one job each: a large part, or many small ones.
struct PackQueue: ~Copyable {
  /// Steps, and the chunks of those that are parts, in order.
  struct Parcel: Sendable {
    var steps: [PackStep] = []
    fileprivate(set) var bytes = 0

    var parts: [EntryPart] {
      steps.compactMap { step in
        if case .part(let part) = step { return part }
        return nil
      }
    }
  }

  private struct Sent: Sendable {
    let steps: [PackStep]
    let chunks: Task<[ZipChunk], any Error>
  }

  private let workers: DeflateWorkers
  private var open = Parcel()
  private var sent: [Sent] = []

  /// A parcel of so much is worth a job.
  private static var enoughBytes: Int { 256 << 10 }
  private static var enoughSteps: Int { 1024 }

  init(_ workers: DeflateWorkers) { self.workers = workers }

  /// Whether the last parcel must be sent before it takes more.
  var isFull: Bool { open.bytes >= Self.enoughBytes || open.steps.count >= Self.enoughSteps }
  /// Whether as many parcels are under way as there are workers: the first one has to be awaited.
  var isCrowded: Bool { sent.count >= workers.count }
  var hasSent: Bool { !sent.isEmpty }
  var hasOpen: Bool { !open.steps.isEmpty }

  mutating func add(_ step: PackStep) {
    if case .part(let part) = step { open.bytes += part.count }
    open.steps.append(step)
  }

  /// Sends what was added last to a worker; false where none is free.
  mutating func send() -> Bool {
    let parts = open.parts
    let job = workers.start { deflater in
      var chunks: [ZipChunk] = []
      chunks.reserveCapacity(parts.count)
      for part in parts { chunks.append(try part.deflated(by: &deflater)) }
      return chunks
    }
    guard let job else { return false }
    // From here on the data is the job's alone, and goes when that ends.
    sent.append(Sent(steps: open.steps.map(\.withoutData), chunks: job))
    open = Parcel()
    return true
  }

  /// Gives back what was added last, to be done without a worker.
  mutating func takeOpen() -> [PackStep] {
    defer { open = Parcel() }
    return open.steps
  }

  /// The first parcel that was sent, when its chunks are there.
  mutating func takeFirst() async throws -> (steps: [PackStep], chunks: [ZipChunk]) {
    let first = sent.removeFirst()
    return (first.steps, try await first.chunks.value)
  }
}

extension PackStep {
  /// The step, where its data is the job's.
  fileprivate var withoutData: PackStep {
    if case .part(let part) = self { return .part(EntryPart(data: .bytes([]), effort: part.effort, isLast: part.isLast)) }
    return self
  }
}
