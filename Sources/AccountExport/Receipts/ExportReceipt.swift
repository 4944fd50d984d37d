/// The proof that a bundle holds what was exported: made only by reading the finished bundle back.
public struct ExportReceipt: Sendable {
  /// SHA-256 of the whole ZIP, as 64 hexadecimal digits: what a recipient compares.
  public let digest: String
  /// Bytes of the ZIP.
  public let bytes: UInt64
  /// Whether everything is inside.
  public var outcome: ExportManifest.Outcome { manifest.outcome }
  /// What the bundle says of itself.
  public let manifest: ExportManifest
  /// For each source, by its name, SHA-256 of what it gave, as 64 hexadecimal digits: of the lines that `manifest-sha256.txt` has for its files,
  /// in the order of the ZIP. Another export of the same data has the same, whenever it is made.
  public let contents: [String: String]

  init(digest: String, bytes: UInt64, manifest: ExportManifest, contents: [String: String]) {
    (self.digest, self.bytes, self.manifest, self.contents) = (digest, bytes, manifest, contents)
  }
}
