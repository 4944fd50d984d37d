/// How a ZIP is written.
public struct ZipOptions: Hashable, Sendable {
  /// When the 64-bit structures are used.
  public enum Zip64: Hashable, Sendable {
    /// Only where sizes, offsets or the number of entries need them, as old readers prefer.
    case whereNeeded
    /// For every file, and for the end record: lets a test meet them without gigabytes.
    case always
  }

  /// zlib's level for entries of `.normal` effort, 1 (fastest) to 9 (smallest); a number outside becomes the nearest inside.
  public var level: Int
  /// When the 64-bit structures are used.
  public var zip64: Zip64

  /// Options; level 6 and 64 bits only where needed unless said otherwise.
  public init(level: Int = 6, zip64: Zip64 = .whereNeeded) {
    self.level = level
    self.zip64 = zip64
  }

  func level(for effort: ZipEntry.Effort) -> CInt {
    switch effort {
    case .normal: CInt(min(max(level, 1), 9))
    case .fastest: 1
    case .storedBlocks: 0
    }
  }
}
