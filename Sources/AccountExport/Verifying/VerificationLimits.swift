/// How much a bundle may ask of whoever checks it. What exceeds a limit is not read on: the report says which, and the bundle is not intact.
///
/// The defaults let through what this version can write. Lower ones suit a server that checks what strangers send. Time grows with the bytes
/// that come in, at most about a thousand times: `ratio` says how much larger what they unpack to may be.
public struct VerificationLimits: Sendable, Hashable {
  /// The number of entries. Each costs about 300 bytes of memory and its path twice.
  public var entries = 20_000_000
  /// The bytes of one path.
  public var pathBytes = 4096
  /// The bytes of all entries together, unpacked.
  public var unpackedBytes: UInt64 = 16 << 40
  /// How many times larger than its compressed data an entry may be, once it has more than a mebibyte. Deflate can't exceed 1,032.
  public var ratio: UInt64 = 1100
  /// The bytes that are kept of what the bundle's own files say of others: lines and references whose file has not come yet, members of the
  /// manifest that are read as a whole, and the names of columns.
  public var heldBytes = 256 << 20

  /// The defaults.
  public init() {}
}
