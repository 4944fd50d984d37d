import Files

/// What tells one folder or file from another while it exists. The time of birth is in it because numbers of removed files are used again.
struct Identity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let created: FileTime?

  init(_ status: FileStatus) {
    (device, inode, created) = (status.device, status.inode, status.created)
  }
}

/// A folder on the way from the root to where a walk is.
final class WalkLevel {
  let identity: Identity
  let names: FolderListing
  /// The name that comes next.
  var next = 0
  /// How many bytes of the path lead here.
  let pathLength: Int
  /// Whether what lies here counts as included unless a pattern says otherwise.
  let isIncluded: Bool
  /// Names here that were asked to be left out.
  let leftOut: Set<PathBytes>
  /// Names here that another source tells of.
  let elsewhere: Set<PathBytes>
  /// Closed where many levels are open below it.
  var folder: FileDescriptor?

  init(
    _ folder: consuming FileDescriptor, _ status: FileStatus, names: consuming FolderListing, pathLength: Int, isIncluded: Bool,
    leftOut: Set<PathBytes>, elsewhere: Set<PathBytes>
  ) {
    self.identity = Identity(status)
    self.names = names
    self.pathLength = pathLength
    self.isIncluded = isIncluded
    self.leftOut = leftOut
    self.elsewhere = elsewhere
    self.folder = consume folder
  }
}
