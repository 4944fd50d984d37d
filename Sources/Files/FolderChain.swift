/// A folder with all that lie above it, up to the root of the file system: each by what it is, so that no other path to it is another folder.
public struct FolderChain: Sendable {
  private struct Key: Hashable { let device: UInt64, inode: UInt64 }

  private var keys: Set<Key> = []

  /// The chain of a folder's path; links on the way are followed, and `..` is asked of the system.
  public init(of path: PathBytes) throws(FileError) {
    let root = try Self.key("/.")
    var climbing = path.appending(".")
    var last: Key?
    while true {
      let key = try Self.key(climbing)
      keys.insert(key)
      // Only the root lies in itself; a folder may be mounted inside itself, and then isn't the root.
      if key == last && key == root { return }
      last = key
      climbing = climbing.appending("..")
    }
  }

  private static func key(_ folder: PathBytes) throws(FileError) -> Key {
    let status = try FileDescriptor.status(ofFolder: folder)
    return Key(device: status.device, inode: status.inode)
  }

  /// Whether this folder is one of them.
  public func contains(_ status: FileStatus) -> Bool { keys.contains(Key(device: status.device, inode: status.inode)) }
}
