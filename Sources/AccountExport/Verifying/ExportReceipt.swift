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

  init(digest: String, bytes: UInt64, manifest: ExportManifest) {
    (self.digest, self.bytes, self.manifest) = (digest, bytes, manifest)
  }
}
