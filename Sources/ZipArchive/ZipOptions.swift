internal import CArchive

/// How a ZIP is written.
public struct ZipOptions: Hashable, Sendable {
  /// When the 64-bit structures are used.
  public enum Zip64: Hashable, Sendable {
    /// Only where sizes, offsets or the number of entries need them, as old readers prefer.
    case whereNeeded
    /// For every file, and for the end record: lets a test meet them without gigabytes.
    case always
  }

  /// How entries of `.normal` effort are deflated.
  public enum Level: Hashable, Sendable {
    /// By ISA-L, several times as fast as zlib for a few percent more bytes; by zlib at level 1 where the package was built without it.
    case fast
    /// By zlib, 1 (fastest) to 9 (smallest); a number outside becomes the nearest inside.
    case zlib(Int)

    /// Whether ISA-L is there for `.fast`.
    public static var isFastBuilt: Bool { zip_level_fast_is_built() }
  }

  /// How entries of `.normal` effort are deflated.
  public var level: Level
  /// When the 64-bit structures are used.
  public var zip64: Zip64

  /// Options; fast, and 64 bits only where needed, unless said otherwise.
  public init(level: Level = .fast, zip64: Zip64 = .whereNeeded) {
    self.level = level
    self.zip64 = zip64
  }

  func level(for effort: ZipEntry.Effort) -> CInt {
    switch (effort, level) {
    case (.storedBlocks, _): 0
    case (_, .fast): CInt(zip_level_fast)
    case (.normal, .zlib(let level)): CInt(min(max(level, 1), 9))
    case (.fastest, .zlib): 1
    }
  }
}
