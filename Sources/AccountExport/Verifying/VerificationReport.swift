/// What a check of a bundle found: everything that is wrong, not only the first thing.
public struct VerificationReport: Sendable {
  /// What is wrong, in the order in which it was found; each names the thing.
  public internal(set) var problems: [String] = []
  /// Problems beyond the first thousand.
  public internal(set) var unlistedProblems = 0
  /// SHA-256 of the whole file, as 64 hexadecimal digits: for comparing it with what the sender says. Empty where it was not read to its end.
  public internal(set) var digest = ""
  /// Bytes of the whole file.
  public internal(set) var bytes: UInt64 = 0
  /// Bytes of all its files together, unpacked.
  package internal(set) var unpackedBytes: UInt64 = 0
  /// Entries in the ZIP.
  public internal(set) var entries = 0
  /// The bundle's one folder.
  public internal(set) var topFolder: String?
  /// What the bundle says of itself: `complete` or `partial`.
  public internal(set) var outcome: String?
  /// Items that the manifest counts.
  public internal(set) var items = 0
  /// What the manifest says is missing and masked.
  public internal(set) var omissions = 0, redactions = 0
  /// SHA-256 of what each source gave, as ``ExportReceipt/contents`` has it. Empty where the bundle could not be read to its end.
  public internal(set) var contents: [String: String] = [:]

  /// Whether nothing is wrong. It says nothing of where the bundle is from.
  public var isIntact: Bool { problems.isEmpty && unlistedProblems == 0 }

  private static let listed = 1000

  mutating func add(_ problem: String) {
    if problems.count < Self.listed { problems.append(problem) } else { unlistedProblems += 1 }
  }

  /// The proof of an export, where the bundle is what the packer wrote.
  func receipt(expecting written: WrittenBundle) throws -> ExportReceipt {
    if let problem = problems.first {
      throw ExportError(.verification, "the bundle did not read back as it was written: \(problem)")
    }
    if digest != written.digestHex || outcome != written.manifest.outcome.rawValue {
      throw ExportError(.verification, "the bundle read back is not the one that was written")
    }
    return ExportReceipt(digest: digest, bytes: bytes, manifest: written.manifest, contents: contents)
  }
}
