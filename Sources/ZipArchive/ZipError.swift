/// What went wrong with a ZIP: the kind of failure, the entry it happened in, and words for a log. It never holds what is
/// in an entry.
public struct ZipError: Error, Hashable, Sendable {
  /// The kind of a failure. The set is open: later versions may add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The kind's stable name.
    public let name: String
    /// A kind with a name.
    public init(_ name: String) { self.name = name }
    /// The name.
    public var description: String { name }

    /// libarchive, or zlib below it, refused.
    public static let library = Code("library")
    /// There is no memory left.
    public static let outOfMemory = Code("out-of-memory")
    /// A call came out of order: data without an entry, an entry inside another.
    public static let order = Code("order")
    /// A path that no ZIP can hold, or an entry that contradicts itself.
    public static let entry = Code("entry")
    /// An entry was given fewer or more bytes than were declared.
    public static let size = Code("size")
    /// The bytes aren't a ZIP, or break off the structure so that nothing after can be read.
    public static let format = Code("format")
    /// The bytes end before the ZIP does.
    public static let truncated = Code("truncated")
    /// The ZIP exceeds a limit of `ZipLimits`.
    public static let limit = Code("limit")
    /// The ZIP uses what is not supported: encryption, several disks, another method.
    public static let unsupported = Code("unsupported")
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the entry, where there is one.
  public let entry: String?
  /// What happened, in words.
  public let detail: String

  /// An error of a kind, with the entry's path and words for a log.
  public init(_ code: Code, entry: String? = nil, detail: String) {
    self.code = code
    self.entry = entry
    self.detail = detail
  }
}

extension ZipError: CustomStringConvertible {
  /// `data/a.txt: 3 bytes declared, 2 written`
  public var description: String {
    if let entry { "\(entry): \(detail)" } else { detail }
  }
}
