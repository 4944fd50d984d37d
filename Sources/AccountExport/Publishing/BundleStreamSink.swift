internal import Files
import Synchronization

/// A bundle that goes to an open descriptor while it is written.
final class BundleStreamSink: BundleSink {
  private struct State: ~Copyable {
    let out: FileDescriptor
    var tail: HeldTail
  }

  private let state: Mutex<State>

  init(descriptor: CInt) throws(ExportError) {
    let out = try ExportError.wrapping("standard output") { () throws(FileError) in
      try FileDescriptor.duplicate(descriptor, path: "standard output")
    }
    state = Mutex(State(out: out, tail: try HeldTail()))
  }

  func write(_ bytes: UnsafeRawBufferPointer) async throws {
    // Who reads decides how long this takes: it waits on a thread of its own, and holds up no other export.
    try await withTaskExecutorPreference(ExportThreads.consumers) {
      try state.withLock { state in try Self.send(state.tail.take(bytes), to: state.out) }
    }
  }

  private static func send(_ bytes: [UInt8], to out: borrowing FileDescriptor) throws(ExportError) {
    do throws(FileError) {
      try bytes.withBytes { (bytes) throws(FileError) in try out.write(bytes) }
    } catch {
      throw .writing(error, "standard output")
    }
  }

  /// Sends what was held back, if the reader found what the packer says.
  func finish(expecting written: WrittenBundle) async throws -> ExportReceipt {
    try await withTaskExecutorPreference(ExportThreads.consumers) { try sendRest(expecting: written) }
  }

  private func sendRest(expecting written: WrittenBundle) throws -> ExportReceipt {
    try state.withLock { state in
      let (rest, receipt) = try state.tail.release(expecting: written)
      try Self.send(rest, to: state.out)
      return receipt
    }
  }
}
