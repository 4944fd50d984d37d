/// How much a ZIP may ask of its reader. A stream that exceeds a limit ends with an error of code `limit`.
public struct ZipLimits: Hashable, Sendable {
  /// The number of entries. Each costs about 60 bytes of memory and its path.
  public var entries: Int
  /// The bytes of one path.
  public var pathBytes: Int
  /// The bytes of all paths together, which are kept in memory; 4 GiB at most, whatever is said here.
  public var allPathBytes: Int
  /// The bytes of all entries together, after inflating.
  public var inflatedBytes: UInt64
  /// How many times larger than its compressed data an entry may be, once it has more than a mebibyte. Deflate itself can't
  /// exceed 1,032, which zeros do reach.
  public var ratio: UInt64
  /// How many problems are listed; the rest are counted only.
  public var problems: Int

  /// Limits; those not given let through whatever memory allows.
  public init(
    entries: Int = 50_000_000, pathBytes: Int = 65_535, allPathBytes: Int = 4_294_967_295, inflatedBytes: UInt64 = .max,
    ratio: UInt64 = 1_100, problems: Int = 200
  ) {
    self.entries = entries
    self.pathBytes = pathBytes
    self.allPathBytes = allPathBytes
    self.inflatedBytes = inflatedBytes
    self.ratio = ratio
    self.problems = problems
  }
}
