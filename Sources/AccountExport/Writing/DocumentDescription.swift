public import Files

/// One row of the document manifest: a file, a folder, a link or something special, as it was found.
public struct DocumentDescription: Sendable {
  /// Its path relative to the source's root, as bytes.
  public var path: PathBytes
  /// What it is.
  public var kind: FileStatus.Kind
  /// Bytes in it, as far as is known before it is read; nil for what isn't a file.
  public var size: UInt64?
  /// When it changed last, and when it was made.
  public var modified: Timestamp?, created: Timestamp?
  /// Permissions (0 ... 0o7777).
  public var mode: UInt16?
  /// Where a link points, as bytes.
  public var target: PathBytes?
  /// Its media type.
  public var mediaType: String?
  /// Whether its format is compressed already.
  public var isCompressed = false
  /// Whether a folder is empty: only then the bundle gets an entry for it.
  public var isEmptyFolder = false

  /// A row with a path and a kind.
  public init(path: PathBytes, kind: FileStatus.Kind) {
    self.path = path
    self.kind = kind
  }
}
