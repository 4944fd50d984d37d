#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A call of the system that failed: what was done, to which path, and why. It never holds what is in a file.
public struct FileError: Error, Hashable, Sendable {
  /// The operation in a word or two: `open`, `read`, `rename`.
  public let operation: String
  /// The path that was meant, as it was given.
  public let path: PathBytes
  /// The system's error number (`errno`).
  public let code: CInt

  /// An error of an operation, with the system's error number.
  public init(_ operation: String, _ path: PathBytes, code: CInt) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// What the system says of its error number.
  public var reason: String { String(cString: strerror(code)) }

  /// Whether the file or a folder on the way to it isn't there.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the user may not do this.
  public var isDenied: Bool { code == EACCES || code == EPERM }

  /// Whether something else stands there than was meant: a link in a file's place, or no folder in a folder's.
  public var isOtherKind: Bool { code == ELOOP || code == ENOTDIR || code == ENXIO }

  /// Whether something stands there already.
  public var isExisting: Bool { code == EEXIST }

  /// Whether a folder that was to be removed holds something.
  public var isNotEmpty: Bool { code == ENOTEMPTY || code == EEXIST }

  /// Whether there is no room left (disk or quota).
  public var isFull: Bool { code == ENOSPC || code == EDQUOT }
}

extension FileError: CustomStringConvertible {
  /// `open notes.db: No such file or directory`
  public var description: String { "\(operation) \(path.display): \(reason)" }
}

extension FileError {
  /// The number for something that isn't there (`ENOENT`).
  public static var notFound: CInt { ENOENT }

  /// The number for what can't be done with this kind of thing (`EINVAL`): reading the target of what is no link.
  public static var invalid: CInt { EINVAL }
}
