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
  /// Why it was given up.
  private var failure: String?
  private var contents: BundleContents
  private var bytes: UInt64 = 0

  /// A check that begins.
  /// - Parameter limits: How much the bundle may ask.
  public init(limits: VerificationLimits = VerificationLimits()) throws(ExportError) { try self.init(limits, isOwn: false) }

  /// A check of what this process writes.
  static func readingBack() throws(ExportError) -> BundleVerifier { try BundleVerifier(VerificationLimits(), isOwn: true) }

  private init(_ limits: VerificationLimits, isOwn: Bool) throws(ExportError) {
    let hasher = try SHA256.forExport()
    let contents = try BundleContents(heldBytes: limits.heldBytes)
    reader = try Self.makeReader(limits, isOwn: isOwn)
    self.contents = contents
    wholeHasher = hasher
  }

  private static func makeReader(_ limits: VerificationLimits, isOwn: Bool) throws(ExportError) -> ZipStreamReader {
    let limits = ZipLimits(entries: limits.entries, pathBytes: limits.pathBytes, inflatedBytes: limits.unpackedBytes, ratio: limits.ratio)
    do throws(ZipError) { return isOwn ? try .makeForOwn(limits: limits) : try .make(limits: limits) } catch {
      throw ExportError(.output, "no ZIP can be read here", cause: error)
    }
  }

  /// How many entries have begun.
  public var entries: Int { reader.entryCount }

  /// Whether nothing that still comes can change what is found: this is no ZIP, it exceeds a limit, or something follows its end. Whoever
  /// reads from what may never end stops here.
  public var isDecided: Bool { failure != nil || (reader.isAtEnd && bytes > reader.end) }

  /// Takes the next bytes of the file, in pieces of any size. Where it is decided, they only count into the file's hash.
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
      failure = "zip: \(error)"
    }
    if failure == nil && contents.isTooLarge { failure = "it says more of its own files than this check may keep" }
  }

  /// Ends the check, and tells what was found.
  /// - Parameter wasCutShort: Whether bytes of the file were left out, because it was decided without them: then its hash isn't known.
  public mutating func finish(wasCutShort: Bool = false) throws -> VerificationReport {
    if failure == nil {
      do throws(ZipError) { try reader.finish() } catch { failure = "zip: \(error)" }
    }
    for problem in reader.problems { contents.report.add("zip: \(problem)") }
    contents.report.unlistedProblems += reader.unlistedProblems
    contents.report.entries = reader.entryCount
    if let failure {
      contents.report.add(failure)
    } else {
      contents.finish()
      contents.report.contents = try contents.sourceContents()
    }
    let digest = try wholeHasher.finish()
    if !wasCutShort { contents.report.digest = digest.hex }
    contents.report.bytes = bytes
    contents.report.unpackedBytes = reader.inflatedBytes
    return contents.report
  }
}
