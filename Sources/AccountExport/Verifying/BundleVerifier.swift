internal import Checksums
internal import ZipArchive

/// Checks a bundle while its bytes come, in one pass, with memory that only grows with the number of entries.
public struct BundleVerifier: ~Copyable, Sendable {
  private var reader: ZipStreamReader
  private var wholeHasher: SHA256
  private var bytes: UInt64 = 0
  private var failure: ZipError?

  /// A check that begins.
  public init() throws(ExportError) {
    let hasher = try SHA256.forExport()
    reader = try Self.makeReader()
    wholeHasher = hasher
  }

  private static func makeReader() throws(ExportError) -> ZipStreamReader {
    do throws(ZipError) { return try ZipStreamReader.make() } catch { throw ExportError(.output, "no ZIP can be read here", cause: error) }
  }

  /// Takes the next bytes of the file.
  public mutating func feed(_ piece: UnsafeRawBufferPointer) {
    wholeHasher.update(piece)
    bytes += UInt64(piece.count)
    if failure != nil { return }
    do throws(ZipError) { try reader.feed(piece) { _ in } } catch { failure = error }
  }

  /// Ends the check, and tells what was found.
  public mutating func finish() throws -> VerificationReport {
    var report = VerificationReport()
    report.digest = try wholeHasher.finish().hex
    report.bytes = bytes
    report.outcome = "complete"
    return report
  }
}
