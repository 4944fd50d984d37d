internal import AccountExport
internal import Files

/// A file without a name for what is too long for memory, or has to be read a second time. Appended to through a buffer, read at any place.
final class SpillFile {
  private let file: FileDescriptor
  private var pending: [UInt8] = []
  private var written = 0

  private static let buffered = 256 << 10

  /// Makes one in a folder.
  init(in folder: PathBytes) throws(ExportError) {
    do throws(FileError) { file = try FileDescriptor.folder(folder).unnamed() } catch { throw Self.writing(error) }
  }

  /// Bytes in it.
  var length: Int { written + pending.count }

  /// Adds bytes at the end.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.buffered { try flush() }
  }

  /// Makes all that was added readable.
  func flush() throws(ExportError) {
    let result = pending.withUnsafeBytes { bytes in Result { () throws(FileError) in try file.write(bytes) } }
    do throws(FileError) { try result.get() } catch { throw Self.writing(error) }
    written += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// Forgets everything.
  func clear() throws(ExportError) {
    pending.removeAll(keepingCapacity: true)
    do throws(FileError) { try file.truncate(to: 0) } catch { throw Self.writing(error) }
    written = 0
  }

  /// Fills a buffer from a place, as far as the file goes.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ExportError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count: Int
      do throws(FileError) { count = try file.read(into: rest, at: UInt64(offset + filled)) } catch { throw Self.writing(error) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  private static func writing(_ error: FileError) -> ExportError {
    ExportError(error.isFull ? .noSpace : .output, "the staging folder can't be used", cause: error)
  }
}

/// A line: in memory, for the time until the next one is read, or a part of a file.
struct LineText {
  /// Its bytes, where they are in memory.
  var memory: UnsafeRawBufferPointer?
  /// The file, and the place in it, where they aren't.
  var file: SpillFile?
  var fileStart = 0
  /// Bytes in it.
  var length: Int

  init(_ memory: UnsafeRawBufferPointer) {
    self.memory = memory
    length = memory.count
  }

  init(_ file: SpillFile, from start: Int, length: Int) {
    self.file = file
    fileStart = start
    self.length = length
  }
}
