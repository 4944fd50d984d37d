/// The end of a bundle that goes out while it is written: everything is read back on its way, and the last bytes are held back until that
/// agrees. They hold the end record, without which no reader takes the stream for a ZIP.
struct HeldTail: ~Copyable, Sendable {
  private var verifier: BundleVerifier
  private var held: [UInt8] = []

  /// Bytes held back at least, once there are so many.
  private static let heldBytes = 4096

  init() throws(ExportError) { verifier = try BundleVerifier.readingBack() }

  /// Takes the next bytes, and gives those that may go out now.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    verifier.feed(bytes)
    held.append(contentsOf: bytes)
    let surplus = held.count - Self.heldBytes
    if surplus <= 0 { return [] }
    let free = Array(held[..<surplus])
    held.removeFirst(surplus)
    return free
  }

  /// Gives the rest with the proof, if the reader found what the packer says.
  mutating func release(expecting written: WrittenBundle) throws -> (bytes: [UInt8], receipt: ExportReceipt) {
    let receipt = try verifier.finish().receipt(expecting: written)
    return (held, receipt)
  }
}
