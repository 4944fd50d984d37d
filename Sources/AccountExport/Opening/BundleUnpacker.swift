internal import Checksums
internal import Files
internal import ZipArchive

/// Writes the files of a bundle into a folder of its own.
///
/// It takes the bundle from its descriptor once more, and nothing of the first reading for granted: what was verified must come again byte for byte, or it
/// is an error. Until that is known, no more is written than was verified, and nothing outside of the folder.
struct BundleUnpacker: ~Copyable {
  private let report: VerificationReport
  private var reader: ZipStreamReader
  private var hasher: SHA256
  private var files: UnpackedFiles
  private var failure: ExportError?

  /// - Parameter report: What was found in the bundle when it was verified.
  init(into folder: OpenFolder, verified report: VerificationReport) throws {
    let limits = ZipLimits(entries: report.entries, pathBytes: 4096, inflatedBytes: report.unpackedBytes)
    let reader = try ZipStreamReader.make(limits: limits)
    let hasher = try SHA256.forExport()
    self.reader = reader
    self.hasher = hasher
    self.report = report
    files = UnpackedFiles(root: folder)
  }

  mutating func unpack(_ bundle: borrowing FileDescriptor) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var done: UInt64 = 0
    while done < report.bytes {
      if Task.isCancelled { throw CancellationError() }
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(UInt64(buffer.count), report.bytes - done))])
      let count: Int
      do throws(FileError) { count = try bundle.read(into: room, at: done) } catch { throw ExportError.reading(error) }
      if count == 0 { throw ExportError.changed(bundle.path) }
      try take(UnsafeRawBufferPointer(rebasing: room[..<count]), of: bundle.path)
      done += UInt64(count)
    }
    if !reader.isAtEnd || !reader.problems.isEmpty { throw ExportError.changed(bundle.path) }
    if try hasher.finish().hex != report.digest { throw ExportError.changed(bundle.path) }
  }

  private mutating func take(_ piece: UnsafeRawBufferPointer, of path: PathBytes) throws(ExportError) {
    hasher.update(piece)
    do throws(ZipError) {
      try reader.feed(piece) { event in
        if failure != nil { return }
        do throws(ExportError) { try Self.take(event, &files) } catch { failure = error }
      }
    } catch {
      if failure == nil { throw .changed(path) }
    }
    if let failure { throw failure }
  }

  private static func take(_ event: ZipEvent, _ files: inout UnpackedFiles) throws(ExportError) {
    switch event {
    case .entry(let header): try files.begin(header.path, modified: header.modified)
    case .content(let bytes): try files.write(bytes)
    case .entryEnd: try files.end()
    case .directoryEntry, .end: break
    }
  }
}

extension ExportError {
  fileprivate static func reading(_ error: FileError) -> ExportError { ExportError(.output, "the bundle can't be read", cause: error) }

  fileprivate static func changed(_ path: PathBytes) -> ExportError {
    ExportError(.badInput, "\(path.display) has changed since it was verified; nothing of it stays unpacked")
  }
}
