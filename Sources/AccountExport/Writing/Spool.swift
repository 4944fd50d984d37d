internal import Checksums
internal import Files
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Bytes that wait for their turn: in memory while they are few and the export's budget has room, then in a file without a name. Appended by
/// one, read by another when complete.
final class Spool: Sendable {
  private struct State: ~Copyable {
    /// All of it, or the end that isn't in the file yet.
    var memory: [UInt8] = []
    var file: FileDescriptor?
    /// Bytes of the file.
    var written = 0
    var length = 0
    /// Bytes taken from the budget for `memory`.
    var taken = 0
  }

  private let state = Mutex(State())
  private let memoryLimit: Int
  private let staging: StagingFolder
  /// What is deflated of it while it is written, where that is wanted.
  let ahead: DeflatedAhead?

  /// - Parameter deflatesAhead: Whether all of it will be one entry of the ZIP.
  init(staging: StagingFolder, memoryLimit: Int, deflatesAhead: Bool = false) {
    self.staging = staging
    self.memoryLimit = memoryLimit
    ahead = deflatesAhead ? staging.workers.map { DeflatedAhead($0, into: Spool(staging: staging, memoryLimit: memoryLimit)) } : nil
  }

  deinit { staging.memory?.giveBack(state.withLock { $0.taken }) }

  /// An empty spool beside this one.
  func another(deflatesAhead: Bool = false) -> Spool { Spool(staging: staging, memoryLimit: memoryLimit, deflatesAhead: deflatesAhead) }

  /// Bytes appended so far.
  var length: Int { state.withLock { $0.length } }

  /// Bytes of them that are kept in memory.
  var bytesInMemory: Int { state.withLock { $0.memory.count } }

  /// A file is written in pieces of so many bytes at least; fewer wait in memory, beside the budget.
  private static let piece = 16 << 10

  /// Whether it is a file by now.
  var isOnDisk: Bool { state.withLock { $0.file != nil } }

  /// Adds bytes at the end.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    let length = try state.withLock { (state) throws(ExportError) in
      if state.file == nil && !hasRoom(for: state.length + bytes.count, &state) { try spill(&state) }
      if state.file == nil || state.memory.count + bytes.count < Self.piece {
        state.memory.append(contentsOf: bytes)
      } else {
        try flush(&state)
        try write(bytes, to: &state)
      }
      state.length += bytes.count
      return state.length
    }
    ahead?.advance(self, to: length)
  }

  /// Whether so many bytes may be kept in memory. It is taken in growing steps, as the array grows.
  private func hasRoom(for count: Int, _ state: inout State) -> Bool {
    if count > memoryLimit { return false }
    if count <= state.taken { return true }
    let wanted = min(memoryLimit, max(Self.smallestStep, count, 2 * state.taken))
    guard staging.memory?.take(wanted - state.taken) ?? true else { return false }
    state.taken = wanted
    state.memory.reserveCapacity(wanted)
    return true
  }

  private static let smallestStep = 1024

  private func spill(_ state: inout State) throws(ExportError) {
    state.file = try staging.makeSpool()
    try flush(&state)
    state.memory = []
    staging.memory?.giveBack(state.taken)
    state.taken = 0
  }

  /// Writes what waits in memory.
  private func flush(_ state: inout State) throws(ExportError) {
    if state.memory.isEmpty { return }
    var memory: [UInt8] = []
    swap(&memory, &state.memory)
    try memory.withBytes { (bytes) throws(ExportError) in try write(bytes, to: &state) }
    memory.removeAll(keepingCapacity: memory.capacity <= 2 * Self.piece)
    state.memory = memory
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to state: inout State) throws(ExportError) {
    try ExportError.wrapping("the staging folder") { () throws(FileError) in try state.file?.write(bytes) }
    state.written += bytes.count
  }

  /// Takes back what was appended beyond a length.
  func truncate(to length: Int) throws(ExportError) {
    ahead?.forget(from: length)
    try state.withLock { (state) throws(ExportError) in
      state.memory.removeLast(min(state.memory.count, state.length - length))
      if length < state.written {
        try ExportError.wrapping("the staging folder") { () throws(FileError) in try state.file?.truncate(to: UInt64(length)) }
        state.written = length
      }
      state.length = length
    }
  }

  /// Reads up to `buffer`'s size from a place; 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ExportError) -> Int {
    try state.withLock { (state) throws(ExportError) in
      if offset >= state.written {
        let start = offset - state.written
        let end = min(state.memory.count, start + buffer.count)
        if start >= end { return 0 }
        state.memory.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
        return end - start
      }
      return try ExportError.wrapping("the staging folder") { () throws(FileError) in
        try state.file?.read(into: buffer, at: UInt64(offset)) ?? 0
      }
    }
  }
}

extension Spool {
  /// Puts bytes in the place of others; what stands behind them is moved, in pieces.
  func replace(_ range: Range<Int>, with bytes: UnsafeRawBufferPointer) throws(ExportError) {
    ahead?.forget(from: range.lowerBound)
    try state.withLock { (state) throws(ExportError) in
      let length = state.length + bytes.count - range.count
      if state.file == nil && length > state.length && !hasRoom(for: length, &state) { try spill(&state) }
      if state.file == nil {
        state.memory.replaceSubrange(range, with: bytes)
      } else {
        try flush(&state)
        try ExportError.wrapping("the staging folder") { () throws(FileError) in
          try state.file?.move(from: range.upperBound, to: range.lowerBound + bytes.count, count: state.length - range.upperBound)
          try state.file?.write(bytes, at: UInt64(range.lowerBound))
          try state.file?.truncate(to: UInt64(length))
        }
        state.written = length
      }
      state.length = length
    }
  }
}

extension FileDescriptor {
  /// Moves bytes within the file, from the end that is not overwritten first.
  fileprivate borrowing func move(from source: Int, to target: Int, count: Int) throws(FileError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var done = 0
    while done < count {
      let size = min(buffer.count, count - done)
      let offset = target <= source ? done : count - done - size
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
      var filled = 0
      while filled < size {
        let got = try read(into: UnsafeMutableRawBufferPointer(rebasing: piece[filled...]), at: UInt64(source + offset + filled))
        if got == 0 { throw FileError("read", path, code: EIO) }
        filled += got
      }
      try write(UnsafeRawBufferPointer(piece), at: UInt64(target + offset))
      done += size
    }
  }
}

/// A run of bytes in a spool.
struct SpoolSlice: Sendable {
  let spool: Spool
  let offset: Int
  let length: Int

  /// The hash of a slice's bytes.
  func digest() throws -> SHA256Digest {
    var hasher = try SHA256.forExport()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var done = 0
    while done < length {
      let count = try spool.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, length - done)]), at: offset + done)
      if count == 0 { throw ExportError(.output, "the staging folder lost \(length - done) bytes of a spool") }
      hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      done += count
    }
    return try hasher.finish()
  }

  /// A slice's bytes in pieces, through a buffer that is used again.
  func forEachChunk(_ buffer: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) async throws -> Void) async throws {
    var done = 0
    while done < length {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, length - done)])
      let count = try spool.read(into: piece, at: offset + done)
      if count == 0 { throw ExportError(.output, "the staging folder lost \(length - done) bytes of a spool") }
      try await body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      done += count
    }
  }
}

extension ExportError {
  /// Does something with a file of ours; a failure becomes an error that names `what`.
  static func wrapping<Result: ~Copyable>(_ what: String, _ body: () throws(FileError) -> Result) throws(ExportError) -> Result {
    do throws(FileError) { return try body() } catch { throw .writing(error, what) }
  }

  /// A failed write, with the exit that fits it: a full disk is told apart.
  static func writing(_ error: FileError, _ what: String) -> ExportError {
    let code: Code = error.isFull ? .noSpace : error.isDenied ? .notPermitted : .output
    var wrapped = ExportError(
      code, "can't write to \(what)", hint: error.isFull ? "free some space, or name another folder with --temp" : nil, cause: error)
    wrapped.isOfWriting = true
    return wrapped
  }
}

extension [UInt8] {
  /// The array's bytes, for a body with an error of a type.
  func withBytes<Result, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
    try withUnsafeBufferPointer { (buffer) throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}
