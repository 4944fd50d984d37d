internal import Checksums
internal import Files
import Synchronization

/// The bundle's file: written without a name beside its place, read back, and only then put there in one step.
final class BundleFileSink: BundleSink {
  private struct State {
    /// The file's name while it is written, where the file system knows no file without one.
    var workingName: PathBytes?
    var isPublished = false
    var written: UInt64 = 0
  }

  private let folder: FileDescriptor
  private let file: FileDescriptor
  private let state: Mutex<State>
  private let written = WrittenLength()
  private let name: PathBytes
  private let shown: PathBytes
  private let replacing: Bool
  /// Where staging goes by default: the output's folder, or `/var/tmp` where that is kept in memory.
  let stagingPath: PathBytes

  /// Names of files that are being written, or about to be renamed, begin so.
  private static let prefix = ".account-export-writing-"

  init(path: PathBytes, replacing: Bool) throws(ExportError) {
    name = path.lastComponent
    shown = path
    self.replacing = replacing
    let folder = try ExportError.wrapping(path.display) { () throws(FileError) in try FileDescriptor.folder(path.parent, following: true) }
    try Self.checkTarget(name, in: folder, shown: path, replacing: replacing)
    Self.sweep(folder)
    stagingPath = folder.isInMemory() ? "/var/tmp" : path.parent
    do throws(FileError) {
      if let file = try folder.linkable() {
        self.file = file
        state = Mutex(State())
      } else {
        file = try Self.makeWorkingFile(in: folder)
        state = Mutex(State(workingName: file.path.lastComponent))
      }
    } catch {
      throw Self.outputError(error, path)
    }
    self.folder = folder
  }

  private static func checkTarget(
    _ name: PathBytes, in folder: borrowing FileDescriptor, shown: PathBytes, replacing: Bool
  ) throws(ExportError) {
    if name.bytes.isEmpty || name == "." || name == ".." { throw ExportError(.configuration, "\(shown.display) names no file") }
    let status: FileStatus
    do throws(FileError) { status = try folder.status(of: name) } catch {
      if error.isMissing { return }
      throw .writing(error, shown.display)
    }
    if !replacing {
      throw ExportError(.outputExists, "\(shown.display) exists already", hint: "--force replaces it once the new bundle is complete")
    }
    if status.kind != .file { throw ExportError(.outputExists, "\(shown.display) is no file, and is not replaced") }
  }

  private static func randomName() -> PathBytes { PathBytes(prefix + String(UInt64.random(in: .min ... .max), radix: 36)) }

  /// Removes what crashed exports left: nobody holds its lock any more.
  private static func sweep(_ folder: borrowing FileDescriptor) {
    do throws(FileError) {
      for left in try folder.names(beginningWith: prefix) { sweep(left, in: folder) }
    } catch {
      return  // a folder that can't be listed; this export doesn't depend on it
    }
  }

  private static func sweep(_ left: PathBytes, in folder: borrowing FileDescriptor) {
    do throws(FileError) {
      if try folder.reading(left).lock() { try folder.remove(left) }
    } catch {
      return  // another's, or gone by now; the others are swept all the same
    }
  }

  /// A file with a name while it is written, locked. Another export may sweep it in the moment before; then the next name is tried.
  private static func makeWorkingFile(in folder: borrowing FileDescriptor) throws(FileError) -> FileDescriptor {
    while true {
      let file = try folder.creating(randomName())
      if try file.lock(), try file.status().links > 0 { return file }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) async throws {
    try ExportError.wrapping(shown.display) { () throws(FileError) in try file.write(bytes) }
    written.advance(
      to: state.withLock { state in
        state.written += UInt64(bytes.count)
        return state.written
      })
  }

  /// Says that nothing more comes: whoever reads the file back comes to its end.
  func endWriting() { written.end() }

  /// Reads the file back from its beginning, behind the one who writes, and tells what was found.
  func readBack() async throws -> VerificationReport {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var verifier = try BundleVerifier.readingBack()
    var offset: UInt64 = 0
    while case let length = await written.length(beyond: offset), length > offset {
      while offset < length {
        try Task.checkCancellation()
        let count = try ExportError.wrapping(shown.display) { () throws(FileError) in try file.read(into: buffer, at: offset) }
        if count == 0 { throw ExportError(.output, "\(shown.display): the file is shorter than what was written") }
        verifier.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        offset += UInt64(count)
      }
    }
    return try verifier.finish()
  }

  /// Waits for the disk.
  func sync() throws(ExportError) { try ExportError.wrapping(shown.display) { () throws(FileError) in try file.sync() } }

  /// Puts the file in its place.
  func publish() throws(ExportError) {
    try state.withLock { (state) throws(ExportError) in
      do throws(FileError) {
        try place(&state)
        state.isPublished = true
        try folder.sync()
      } catch {
        throw Self.outputError(error, shown)
      }
    }
  }

  private func place(_ state: inout State) throws(FileError) {
    if let workingName = state.workingName { return try folder.rename(workingName, to: name, replacing: replacing) }
    if !replacing { return try folder.link(file, as: name) }
    // A file without a name can't replace one: it gets a name beside it first. The lock keeps another export's sweep away.
    let temporary = Self.randomName()
    _ = try file.lock()
    try folder.link(file, as: temporary)
    state.workingName = temporary
    try folder.rename(temporary, to: name, replacing: true)
  }

  private static func outputError(_ error: FileError, _ path: PathBytes) -> ExportError {
    if error.isExisting {
      return ExportError(
        .outputExists, "\(path.display) exists by now", hint: "--force replaces it once the new bundle is complete", cause: error)
    }
    return .writing(error, path.display)
  }

  deinit {
    state.withLock { state in
      guard let name = state.workingName, !state.isPublished else { return }
      // What can't be removed now is swept at the next start.
      do throws(FileError) { try folder.remove(name) } catch { return }
    }
  }
}
