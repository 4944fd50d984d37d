internal import Files
import Synchronization

/// A bundle that goes to an open descriptor while it is written. Who reads it decides how long that takes: a slow reader is awaited, and holds
/// no thread of the exports meanwhile.
final class BundleStreamSink: BundleSink {
  private let out: OutputDescriptor
  private let tail: Mutex<HeldTail>

  init(descriptor: CInt) throws(ExportError) {
    out = try ExportError.wrapping("standard output") { () throws(FileError) in
      try OutputDescriptor.duplicating(descriptor, path: "standard output")
    }
    tail = Mutex(try HeldTail())
  }

  func write(_ bytes: UnsafeRawBufferPointer) async throws {
    try await send(tail.withLock { $0.take(bytes) })
  }

  private func send(_ bytes: [UInt8]) async throws {
    var sent = 0
    while sent < bytes.count {
      let count = try bytes.withBytes { (bytes) throws(ExportError) in
        do throws(FileError) {
          return try out.write(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        } catch {
          throw .writing(error, "standard output")
        }
      }
      sent += count
      if count == 0 { try await OutputReadiness.shared.wait(for: out.raw) }
    }
  }

  /// Sends what was held back, if the reader found what the packer says.
  func finish(expecting written: WrittenBundle) async throws -> ExportReceipt {
    let (rest, receipt) = try tail.withLock { tail in try tail.release(expecting: written) }
    try await send(rest)
    return receipt
  }
}
