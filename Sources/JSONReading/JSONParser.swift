/// Reads a JSON text into a tree.
///
/// `strict` is RFC 8259; one byte order mark at the begin is passed over, as the RFC allows. `json5` is JSON5 as spec.json5.org has it.
public enum JSONParser {
  /// The grammar of a text.
  public enum Dialect: Sendable {
    /// RFC 8259.
    case strict
    /// JSON5 1.0.0: comments, trailing commas, single quotes, keys without quotes, more numbers and white space.
    case json5
  }

  /// What to do with a key that comes twice in one object.
  public enum DuplicateKeys: Sendable {
    /// An error that names the key.
    case rejected
    /// Both members are kept, in their order.
    case kept
  }

  /// How much is read at most.
  public struct Limits: Sendable {
    /// How deep objects and arrays may be nested. Reading takes no call stack for it, but Swift frees a tree recursively: keep it below some thousands.
    public var depth: Int
    /// How many bytes the text may have.
    public var bytes: Int

    /// Limits, by default 512 levels and 64 MiB.
    public init(depth: Int = 512, bytes: Int = 64 << 20) {
      self.depth = depth
      self.bytes = bytes
    }
  }

  /// Reads the one value that `bytes` hold.
  public static func parse(
    _ bytes: UnsafeRawBufferPointer, dialect: Dialect = .strict, limits: Limits = Limits(), duplicateKeys: DuplicateKeys = .rejected
  ) throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.bytes else {
      throw JSONError(code: .tooLong, message: "the text has \(bytes.count) bytes; \(limits.bytes) are allowed")
    }
    var tree = TreeReader(lexer: Lexer(bytes: bytes, dialect: dialect), maximumDepth: limits.depth, duplicateKeys: duplicateKeys)
    do throws(Lexer.Failure) {
      return try tree.read()
    } catch {
      var tracker = PositionTracker()
      let position = tracker.position(at: error.offset, in: bytes)
      throw JSONError(code: error.code, message: error.message, offset: error.offset, position: position)
    }
  }

  /// Reads the one value that `bytes` hold.
  public static func parse(
    _ bytes: [UInt8], dialect: Dialect = .strict, limits: Limits = Limits(), duplicateKeys: DuplicateKeys = .rejected
  ) throws(JSONError) -> JSONValue {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try parse(bytes, dialect: dialect, limits: limits, duplicateKeys: duplicateKeys) }
    }
    return try result.get()
  }
}
