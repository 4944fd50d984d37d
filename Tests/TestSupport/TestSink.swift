import AccountExport
import Synchronization

/// A sink in memory that is told what is about to come, and may wait, throw or cancel then.
package final class TestSink: BundleSink {
  /// One piece before it is taken.
  package struct Piece: Sendable {
    /// How many came before, how many bytes those had, and how many this one has.
    package let index: Int, offset: Int, count: Int
  }

  private struct State {
    var bytes: [UInt8] = []
    var pieces = 0
  }

  private let state = Mutex(State())
  private let before: @Sendable (Piece) async throws -> Void

  package init(before: @escaping @Sendable (Piece) async throws -> Void = { _ in }) {
    self.before = before
  }

  package func write(_ bytes: UnsafeRawBufferPointer) async throws {
    let piece = state.withLock { Piece(index: $0.pieces, offset: $0.bytes.count, count: bytes.count) }
    try await before(piece)
    state.withLock { state in
      state.bytes.append(contentsOf: bytes)
      state.pieces += 1
    }
  }

  /// What has come.
  package var bytes: [UInt8] { state.withLock { $0.bytes } }
  /// In how many pieces.
  package var pieces: Int { state.withLock { $0.pieces } }
}
