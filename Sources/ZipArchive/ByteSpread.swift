#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Tells from a sample whether deflating is a waste of time: data whose bytes are all about as frequent has been compressed or encrypted
/// already, whatever its name says.
enum ByteSpread {
  private static var sample: Int { 4096 }
  /// Pieces of the sample, spread over the data: what is compressed often begins with something that isn't.
  private static var pieces: Int { 16 }
  /// In bits a byte (order-0 entropy). A sample of 4096 random bytes has 7.95; text in base64, which still gets smaller by a quarter, 6.
  private static var most: Double { 7.8 }

  /// Whether the bytes are spread so evenly that searching won't help. Less than a sample is always searched: it costs nothing.
  static func isEven(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.count < sample { return false }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      count(bytes, into: counts)
      var weighted = 0.0
      for count in counts where count > 1 { weighted += Double(count) * log2(Double(count)) }
      // The sum of -p log2 p, with p = count / sample.
      return log2(Double(sample)) - weighted / Double(sample) > most
    }
  }

  private static func count(_ bytes: UnsafeRawBufferPointer, into counts: UnsafeMutableBufferPointer<Int>) {
    let length = sample / pieces
    for piece in 0..<pieces {
      let start = (bytes.count - length) / (pieces - 1) * piece
      for byte in bytes[start..<start + length] { counts[Int(byte)] += 1 }
    }
  }
}
