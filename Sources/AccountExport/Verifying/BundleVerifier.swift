internal import Checksums
internal import JSONReading
internal import ZipArchive

/// Checks a bundle while its bytes come, in one pass, with memory that only grows with the number of entries.
///
/// It checks the ZIP's structure, every hash both ways, names, that each JSON file is what its schema promises, counts, references and the
/// outcome against the manifest. It tells all that is wrong, not only the first thing. That a bundle is intact says nothing of where it is from.
public struct BundleVerifier: ~Copyable, Sendable {
  private var reader: ZipStreamReader
  private var wholeHasher: SHA256
  private var failure: ZipError?
  private var contents: BundleContents
  private var bytes: UInt64 = 0

  /// A check that begins.
  public init() throws(ExportError) {
    let hasher = try SHA256.forExport()
    let contents = try BundleContents()
    reader = try Self.makeReader()
    self.contents = contents
    wholeHasher = hasher
  }

  private static func makeReader() throws(ExportError) -> ZipStreamReader {
    do throws(ZipError) { return try ZipStreamReader.make() } catch { throw ExportError(.output, "no ZIP can be read here", cause: error) }
  }

  /// Takes the next bytes of the file, in pieces of any size.
  public mutating func feed(_ piece: UnsafeRawBufferPointer) {
    wholeHasher.update(piece)
    bytes += UInt64(piece.count)
    if failure != nil { return }
    do throws(ZipError) {
      try reader.feed(piece) { event in
        switch event {
        case .entry(let header): contents.begin(header.path, isFolder: header.isFolder)
        case .content(let bytes): contents.content(bytes)
        case .entryEnd(let end): contents.end(size: end.size)
        case .directoryEntry, .end: break
        }
      }
    } catch {
      failure = error
    }
  }

  /// Ends the check, and tells what was found.
  public mutating func finish() throws -> VerificationReport {
    if failure == nil {
      do throws(ZipError) { try reader.finish() } catch { failure = error }
    }
    for problem in reader.problems { contents.report.add("zip: \(problem)") }
    contents.report.unlistedProblems += reader.unlistedProblems
    contents.report.entries = reader.entryCount
    if let failure {
      contents.report.add("zip: \(failure)")
    } else {
      contents.finish()
    }
    contents.report.digest = try wholeHasher.finish().hex
    contents.report.bytes = bytes
    return contents.report
  }
}
