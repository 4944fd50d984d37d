internal import AccountDeletion
internal import Files

/// A folder that files are deleted from, open: each folder on the way to it was opened in the one above, and none of them is a link.
struct RegisteredRoot: ~Copyable {
  let folder: FileDescriptor
  let status: FileStatus

  /// Opens a root, and refuses it where it isn't the account's alone.
  ///
  /// - Parameter isWhole: Whether all that lies in it is meant, not only a store.
  static func open(_ path: PathBytes, protected: ProtectedFolders, isWhole: Bool) throws(DeletionError) -> RegisteredRoot {
    let names = try components(of: path)
    var chain: [FileStatus] = []
    let folder: FileDescriptor?
    do throws(FileError) { folder = try walk(names, &chain) } catch {
      throw DeletionError(.refused, "\(path.display) can't be opened as a folder of the account: \(error)")
    }
    guard let folder else {
      let link = names[..<chain.count].reduce(PathBytes("/")) { $0.appending($1) }
      throw DeletionError(.refused, "\(path.display) leads through the link \(link.display)", hint: "name the path that it leads to")
    }
    let status = chain[chain.count - 1]
    if !status.isOnSameMount(as: chain[chain.count - 2]) {
      throw DeletionError(.refused, "\(path.display) is where a file system is mounted", hint: "name the account's own folder in it")
    }
    if folder.isKernelMade() { throw DeletionError(.refused, "\(path.display) is of a file system that the kernel makes up") }
    try protected.check(path, status, within: chain, isWhole: isWhole)
    return RegisteredRoot(folder: folder, status: status)
  }

  private static func components(of path: PathBytes) throws(DeletionError) -> [PathBytes] {
    guard path.isAbsolute else { throw DeletionError(.refused, "\(path.display) is not an absolute path") }
    let names = path.bytes.split(separator: UInt8(ascii: "/")).map { PathBytes($0) }
    for name in names where name == "." || name == ".." {
      throw DeletionError(.refused, "\(path.display) has \(name.display) in it", hint: "name the path without it")
    }
    if names.count < 2 {
      throw DeletionError(.refused, "\(path.display) is no account's alone: it lies right below the root of the system")
    }
    return names
  }

  /// Goes from the root of the system to the folder. Nil at a link, with the chain of what lies above it.
  private static func walk(_ names: [PathBytes], _ chain: inout [FileStatus]) throws(FileError) -> FileDescriptor? {
    var folder = try FileDescriptor.folder("/")
    chain = [try folder.status()]
    for (index, name) in names.enumerated() {
      if try folder.status(of: name).kind == .link { return nil }
      // The root is listed; the folders above it are only gone through.
      if index == names.count - 1 { folder = try folder.folder(name) } else { folder = try folder.passage(name) }
      chain.append(try folder.status())
    }
    return folder
  }
}

extension FileStatus {
  /// Whether both are one file or folder.
  func isSame(as other: FileStatus) -> Bool { (device, inode) == (other.device, other.inode) }

  /// Whether nothing is mounted between the two, as far as the system tells: a folder that is mounted elsewhere on its own disk is told by the mount.
  func isOnSameMount(as other: FileStatus) -> Bool { (device, mount) == (other.device, other.mount) }
}
