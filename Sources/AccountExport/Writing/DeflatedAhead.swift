internal import ZipArchive
import Synchronization

/// What workers have deflated of a spool while it is still being written, so that a large table isn't first read and then deflated.
///
/// Only whole chunks with more behind them are deflated, as they will stand in the ZIP; what is changed later is forgotten. They wait in a
/// spool of their own, which takes far less than what was deflated. Where no worker is free, a chunk's turn comes with the packer's.
final class DeflatedAhead: Sendable {
  private struct Chunk {
    let crc: UInt32
    let place: Int
    let length: Int
  }

  private struct State {
    var chunks: [Int: Chunk] = [:]
    /// The first chunk that no worker was given.
    var next = 0
    /// Counted up when something changes: what was begun before that isn't kept.
    var age = 0
    var running: [Task<Void, any Error>] = []
  }

  private let workers: DeflateWorkers
  private let deflated: Spool
  private let state = Mutex(State())

  init(_ workers: DeflateWorkers, into deflated: Spool) { (self.workers, self.deflated) = (workers, deflated) }

  /// Says that a spool has so many bytes by now.
  func advance(_ spool: Spool, to length: Int) {
    state.withLock { state in
      while (state.next + 1) * ZipChunk.size < length {
        let (index, age) = (state.next, state.age)
        let task = workers.start { [self] deflater in try deflate(spool, index, age, by: &deflater) }
        guard let task else { return }
        state.next += 1
        // Those before are done, all but a few: there are no more than workers.
        if state.running.count > 2 * workers.count { state.running.removeFirst(state.running.count - workers.count) }
        state.running.append(task)
      }
    }
  }

  private func deflate(_ spool: Spool, _ index: Int, _ age: Int, by deflater: inout ChunkDeflater) throws {
    let buffer = deflater.buffer()
    try SpoolSlice(spool: spool, offset: index * ZipChunk.size, length: ZipChunk.size).fill(buffer)
    let chunk = deflater.chunk(UnsafeRawBufferPointer(buffer), effort: .normal, isLast: false)
    // What can't be made smaller is read from where it is.
    if chunk.isStored { return }
    try state.withLock { state in
      if state.age != age { return }
      let place = deflated.length
      try chunk.bytes.withBytes { (bytes) throws(ExportError) in try deflated.append(bytes) }
      state.chunks[index] = Chunk(crc: chunk.crc, place: place, length: chunk.bytes.count)
    }
  }

  /// Says that the spool's bytes are about to change from a place on.
  func forget(from place: Int) {
    state.withLock { state in
      state.age += 1
      let first = place / ZipChunk.size
      state.next = min(state.next, first)
      state.chunks = state.chunks.filter { $0.key < first }
    }
  }

  /// Waits for what is under way; a failure is told by whoever reads the spool next.
  func settle() async {
    let running = state.withLock { state in
      defer { state.running = [] }
      return state.running
    }
    for task in running { _ = await task.result }
  }

  /// The chunk that a slice of the spool was deflated to, where it was.
  func chunk(of slice: SpoolSlice, isLast: Bool) throws -> ZipChunk? {
    if isLast || slice.length != ZipChunk.size || !slice.offset.isMultiple(of: ZipChunk.size) { return nil }
    guard let chunk = state.withLock({ $0.chunks[slice.offset / ZipChunk.size] }) else { return nil }
    let deflated = SpoolSlice(spool: deflated, offset: chunk.place, length: chunk.length)
    let bytes = try [UInt8](unsafeUninitializedCapacity: chunk.length) { buffer, count in
      try deflated.fill(UnsafeMutableRawBufferPointer(buffer))
      count = chunk.length
    }
    return ZipChunk(plainCount: slice.length, crc: chunk.crc, isStored: false, isLast: false, bytes: bytes)
  }
}
