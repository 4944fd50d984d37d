/// An entry of a ZIP as it is declared before its data: a file, or a folder when its path ends with `/`.
public struct ZipEntry: Hashable, Sendable {
  /// How much work goes into making an entry's data smaller. Every file is a deflate entry, whatever the effort: Java's
  /// `ZipInputStream` refuses a STORED entry whose sizes follow the data.
  public enum Effort: Hashable, Sendable {
    /// The level of `ZipOptions.level`.
    case normal
    /// The fastest there is that searches, for what hardly gets smaller: zlib's level 1, or the same as `.normal` where that is fast.
    case fastest
    /// Deflate's stored blocks: no searching at all, for what is compressed already.
    case storedBlocks
  }

  /// Where the entry lies: relative, `/` between components, UTF-8, at most 65,535 bytes; ending with `/` for a folder.
  public var path: String
  /// The number of bytes that will be written, before compression. 0 for a folder.
  public var size: UInt64
  /// The time of last modification, in seconds since 1970-01-01T00:00:00Z.
  ///
  /// The DOS field shows it in UTC, in even seconds, within 1980 to 2107 (a time outside becomes the nearest one inside). The
  /// extended timestamp holds it exactly, and is there only for 1970 to 2038-01-19T03:14:07Z, where every reader agrees on
  /// what its 32 bits mean.
  public var modified: Int64
  /// The permission bits (`0o644`); kept in the external attributes, with the type of file.
  public var mode: UInt16
  /// How much work goes into making the data smaller.
  public var effort: Effort

  /// An entry with all that is known of it.
  public init(path: String, size: UInt64, modified: Int64, mode: UInt16 = 0o644, effort: Effort = .normal) {
    self.path = path
    self.size = size
    self.modified = modified
    self.mode = mode
    self.effort = effort
  }

  /// Whether the entry is a folder.
  public var isFolder: Bool { path.utf8.last == UInt8(ascii: "/") }

  /// The last second that both a signed and an unsigned reading of the extended timestamp agree on.
  static let timestamps: ClosedRange<Int64> = 0...Int64(Int32.max)
  /// 1980-01-01T00:00:00Z to 2107-12-31T23:59:59Z, what a DOS date can say.
  static let dosTimes: ClosedRange<Int64> = 315_532_800...4_354_819_199
}
