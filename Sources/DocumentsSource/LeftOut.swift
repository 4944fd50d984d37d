public import Files

/// Things that a walk must leave out, wherever it meets them: by what they are, so that another path to them is no way around, and by the
/// folder and name where they stand, so that what appears there later is meant too.
public struct LeftOut: Sendable {
  private struct Key: Hashable { let device: UInt64, inode: UInt64 }

  private var things: Set<Key> = []
  private var names: [Key: Set<PathBytes>] = [:]
  private var told: [Key: Set<PathBytes>] = [:]

  /// Nothing.
  public init() {}

  /// Leaves out what stands at a path now, and whatever will. What can't be looked up can't be met on a walk either, but for its name.
  public mutating func insert(_ path: PathBytes) {
    if let status = Self.status(path) { things.insert(Key(device: status.device, inode: status.inode)) }
    if let parent = Self.status(path.parent), !path.lastComponent.bytes.isEmpty {
      names[Key(device: parent.device, inode: parent.inode), default: []].insert(path.lastComponent)
    }
  }

  /// Leaves out an SQLite database with what SQLite keeps beside it: its log, its journal, its shared memory.
  public mutating func insert(store path: PathBytes) {
    for suffix in ["", "-wal", "-shm", "-journal"] { insert(PathBytes(path.bytes + suffix.utf8)) }
  }

  /// Passes over what stands at a path, without a word: another source tells of it. Where it has a second name, it is left out there.
  public mutating func insert(elsewhere path: PathBytes) {
    insert(path)
    guard let parent = Self.status(path.parent) else { return }
    told[Key(device: parent.device, inode: parent.inode), default: []].insert(path.lastComponent)
  }

  /// Leaves out a file or folder that is open.
  public mutating func insert(_ status: FileStatus) {
    things.insert(Key(device: status.device, inode: status.inode))
  }

  private static func status(_ path: PathBytes) -> FileStatus? {
    do throws(FileError) {
      // A path that a user gave may lead through links, and name one.
      return try FileDescriptor.reading(path, following: true).status()
    } catch {
      return nil
    }
  }

  /// Whether this is one of them.
  func contains(_ status: FileStatus) -> Bool {
    !things.isEmpty && things.contains(Key(device: status.device, inode: status.inode))
  }

  /// The names in a folder that another source tells of.
  func namesElsewhere(in folder: FileStatus) -> Set<PathBytes> {
    told.isEmpty ? [] : told[Key(device: folder.device, inode: folder.inode)] ?? []
  }

  /// The names in a folder that are.
  func names(in folder: FileStatus) -> Set<PathBytes> {
    names.isEmpty ? [] : names[Key(device: folder.device, inode: folder.inode)] ?? []
  }
}
