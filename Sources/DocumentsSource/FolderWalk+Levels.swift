import Files

extension FolderWalk {
  // Down and up: a window of open folders that moves with the walk.

  mutating func push(_ folder: consuming FileDescriptor, _ status: FileStatus, isIncluded: Bool) throws(FileError) {
    let names = try FolderListing(of: folder)
    let level = WalkLevel(
      folder, status, names: names, pathLength: path.count, isIncluded: isIncluded, leftOut: leftOut.names(in: status),
      elsewhere: leftOut.namesElsewhere(in: status))
    levels.append(level)
    ancestors.insert(level.identity)
    if levels.count - firstOpen > openLimit {
      levels[firstOpen].folder = nil
      firstOpen += 1
    }
  }

  mutating func leave() {
    let left = levels.removeLast()
    ancestors.remove(left.identity)
    guard let level = levels.last, level.folder == nil else { return }
    firstOpen = levels.count - 1
    do throws(FileError) {
      if try !reopen(level, above: left) { try reopenFromRoot() }
    } catch {
      path.removeSubrange(level.pathLength...)
      nameStart = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
      // What was left of its names can't be reached any more; the folders above can, from the root.
      if level.next < level.names.count { pending = .failed(.swapped, nil) }
      level.next = level.names.count
    }
  }

  /// Opens a folder as the one above `below`: true if it is the same one still.
  private func reopen(_ level: WalkLevel, above below: WalkLevel) throws(FileError) -> Bool {
    if below.folder == nil { return false }
    let opened: FileDescriptor
    do throws(FileError) { opened = try below.folder!.folder("..", shown: Self.here) } catch { return false }
    guard try Identity(opened.status()) == level.identity else { return false }
    level.folder = consume opened
    return true
  }

  private func open(_ name: PathBytes, in folder: borrowing FileDescriptor) throws(FileError) -> FileDescriptor {
    try name.withCString { (name) throws(FileError) in try folder.folder(name, shown: Self.here) }
  }

  /// Opens the last level by its names from the root, all of which must still be the same folders.
  private func reopenFromRoot() throws(FileError) {
    var opened: FileDescriptor?
    for depth in 1..<levels.count {
      let above = levels[depth - 1]
      let name = above.names.name(at: above.next - 1)
      if depth == 1 { opened = try open(name, in: above.folder!) } else { opened = try open(name, in: opened!) }
      guard try Identity(opened!.status()) == levels[depth].identity else { throw FileError("open", currentPath, code: FileError.notFound) }
    }
    levels[levels.count - 1].folder = opened.take()
  }
}
