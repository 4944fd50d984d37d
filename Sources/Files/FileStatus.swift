internal import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A moment as the system keeps it: seconds since 1970, and nanoseconds after that second (0 ..< 1,000,000,000).
public struct FileTime: Hashable, Sendable, Comparable {
  /// Whole seconds since 1970-01-01T00:00:00Z, before it negative.
  public let seconds: Int64
  /// Nanoseconds after `seconds`.
  public let nanoseconds: UInt32

  /// A moment of seconds since 1970 and nanoseconds after it.
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Earlier or not.
  public static func < (a: FileTime, b: FileTime) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}

/// What the system tells of a file, a folder, a link or something special, without opening it.
public struct FileStatus: Hashable, Sendable {
  /// What a path leads to.
  public enum Kind: Hashable, Sendable {
    case file, folder, link
    /// A device, a pipe or a socket.
    case special
  }

  /// What this is.
  public let kind: Kind
  /// Permissions, with the setuid, setgid and sticky bits (0 ... 0o7777).
  public let mode: UInt16
  /// Bytes in the file.
  public let size: UInt64
  /// Bytes that it takes on the disk; fewer than `size` where the file has holes.
  public let allocated: UInt64
  /// Device and inode: together they tell one file from another.
  public let device: UInt64, inode: UInt64
  /// The mount that the file was reached through; 0 where the system can't tell.
  public let mount: UInt64
  /// How many names the file has.
  public let links: UInt64
  /// The user who owns it.
  public let owner: UInt32
  /// When its contents changed last.
  public let modified: FileTime
  /// When its contents or its attributes changed last.
  public let changed: FileTime
  /// When it was made; nil where the file system can't tell.
  public let created: FileTime?

  init(_ raw: cfiles_status) {
    kind =
      switch raw.mode & UInt32(S_IFMT) {
      case UInt32(S_IFREG): .file
      case UInt32(S_IFDIR): .folder
      case UInt32(S_IFLNK): .link
      default: .special
      }
    mode = UInt16(raw.mode & 0o7777)
    size = raw.size
    allocated = raw.blocks * 512
    (device, inode, mount, links, owner) = (raw.device, raw.inode, raw.mount, raw.links, raw.uid)
    modified = FileTime(seconds: raw.modified_seconds, nanoseconds: raw.modified_nanoseconds)
    changed = FileTime(seconds: raw.changed_seconds, nanoseconds: raw.changed_nanoseconds)
    created = raw.has_created ? FileTime(seconds: raw.created_seconds, nanoseconds: raw.created_nanoseconds) : nil
  }

  /// Whether both are the same file, with the same contents as far as times and size tell.
  public func isUnchanged(since earlier: FileStatus) -> Bool {
    (device, inode, size, modified, changed) == (earlier.device, earlier.inode, earlier.size, earlier.modified, earlier.changed)
  }
}
