internal import Checksums
internal import Files
import Synchronization

/// A bundle that goes out while it is written. It is read back on its way, and its last bytes are held back until that agrees.
final class BundleStreamSink: BundleSink {
  private struct State: ~Copyable {
    let out: FileDescriptor
    var verifier: BundleVerifier
    var held: [UInt8] = []
  }

  /// Bytes held back: they hold the end record, without which no reader takes the stream for a ZIP.
  private static let heldBytes = 4096
  private let state: Mutex<State>

  init(descriptor: CInt) throws(ExportError) {
    let out = try ExportError.wrapping("standard output") { () throws(FileError) in
      try FileDescriptor.duplicate(descriptor, path: "standard output")
    }
    state = Mutex(State(out: out, verifier: try BundleVerifier()))
  }

  func write(_ bytes: UnsafeRawBufferPointer) async throws {
    try state.withLock { state in
      state.verifier.feed(bytes)
      let surplus = state.held.count + bytes.count - Self.heldBytes
      if surplus > 0 {
        try Self.send(&state, surplus, bytes)
      } else {
        state.held.append(contentsOf: bytes)
      }
    }
  }

  private static func send(_ state: inout State, _ surplus: Int, _ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    let old = min(surplus, state.held.count)
    let held = state.held
    try ExportError.wrapping("standard output") { () throws(FileError) in
      try held.withBytes { (held) throws(FileError) in try state.out.write(UnsafeRawBufferPointer(rebasing: held[..<old])) }
      try state.out.write(UnsafeRawBufferPointer(rebasing: bytes[..<(surplus - old)]))
    }
    state.held.removeFirst(old)
    state.held.append(contentsOf: bytes[(surplus - old)...])
  }

  /// Sends what was held back, if the reader found what the packer says.
  func finish(expecting written: WrittenBundle) throws -> ExportReceipt {
    try state.withLock { state in
      let receipt = try state.verifier.finish().receipt(expecting: written)
      let held = state.held
      try ExportError.wrapping("standard output") { () throws(FileError) in
        try held.withBytes { (held) throws(FileError) in try state.out.write(held) }
      }
      return receipt
    }
  }
}
