internal import AccountExport

/// How far an export has come, and how long it may still take.
struct ProgressTally: Sendable {
  private var sources: [String: (items: Int, bytes: UInt64)] = [:]
  private(set) var expectedItems: Int?
  private(set) var expectedBytes: UInt64?
  private let began = ContinuousClock.now

  /// All that was read so far.
  var items: Int { sources.values.reduce(0) { $0 + $1.items } }
  var bytes: UInt64 { sources.values.reduce(0) { $0 + $1.bytes } }

  mutating func take(_ event: ExportEvent) {
    switch event {
    case .expected(let items, let bytes): (expectedItems, expectedBytes) = (items, bytes)
    case .progress(let source, let items, let bytes): sources[source] = (items, bytes)
    default: break
    }
  }

  /// The part that is done, 0 … 1: by bytes, or by items where bytes aren't known. Never 1 before the end: what is expected is an estimate.
  var fraction: Double? {
    let part: Double
    if let expectedBytes, expectedBytes > 0 {
      part = Double(bytes) / Double(expectedBytes)
    } else if let expectedItems, expectedItems > 0 {
      part = Double(items) / Double(expectedItems)
    } else {
      return nil
    }
    return min(part, 0.99)
  }

  var secondsSoFar: Double {
    let elapsed = (ContinuousClock.now - began).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }

  /// Bytes a second, over the whole time.
  var rate: UInt64? {
    let seconds = secondsSoFar
    return seconds > 0.2 ? UInt64(Double(bytes) / seconds) : nil
  }

  /// The time that is left if it goes on as it did. Guesses from the first moment are worth nothing.
  var secondsLeft: Int? {
    let seconds = secondsSoFar
    guard let fraction, fraction > 0.01, seconds > 1 else { return nil }
    return Int((seconds / fraction * (1 - fraction)).rounded(.up))
  }
}
