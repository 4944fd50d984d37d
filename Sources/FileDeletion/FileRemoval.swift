internal import AccountDeletion
internal import Files

/// Removes the things of a list, and nothing else: each was checked after it had been moved to a name that only this removal uses, so that what
/// another program puts into its place in the meantime is never what goes.
struct FileRemoval {
  /// A folder in which things are removed.
  private final class OpenFolder {
    let path: PathBytes
    let descriptor: FileDescriptor

    init(_ path: PathBytes, _ descriptor: consuming FileDescriptor) {
      self.path = path
      self.descriptor = descriptor
    }
  }

  private let list: ThingList
  private let root: OpenFolder
  private let rootStatus: FileStatus
  /// Where the root lies, for messages.
  private let place: PathBytes
  /// What names begin with that things have while they are being removed: the same in each run of one plan.
  private let prefix: String
  private let folders: [PathBytes: PlannedThing]
  /// Whether the things belong together, so that one that has changed keeps all.
  private let isStore: Bool
  private var last: OpenFolder?

  init(_ list: ThingList, in root: consuming RegisteredRoot, at place: PathBytes, isStore: Bool, digest: String) throws(FileError) {
    (self.list, self.place, self.isStore, rootStatus) = (list, place, isStore, root.status)
    self.root = OpenFolder("", try root.folder.folder("."))
    prefix = ".account-export-deleting-\(digest.prefix(16))-"
    folders = Dictionary(list.things.filter { $0.kind == .folder }.map { ($0.path, $0) }) { first, _ in first }
  }

  /// Removes what is still as it was planned. What a crash has left midway is ended first.
  mutating func run() throws {
    // Folders come before what lies in them: backwards, each is empty when its turn comes.
    for index in list.things.indices.reversed() {
      try Task.checkCancellation()
      let thing = list.things[index]
      guard let folder = try folder(thing.path.components.dropLast()) else { continue }
      if thing.kind == .folder {
        try removeFolder(thing, in: folder)
      } else {
        try remove(thing, in: folder, by: PathBytes(prefix + String(index)))
      }
    }
    try last?.descriptor.sync()
    try root.descriptor.sync()
  }

  // MARK: Files

  private func remove(_ thing: PlannedThing, in folder: OpenFolder, by away: PathBytes) throws {
    let name = thing.path.lastComponent
    try end(thing, in: folder, by: away)
    guard let status = try folder.descriptor.statusIfThere(name) else { return }
    if !status.isOnSameMount(as: rootStatus) { throw FoundThings.mounted(place.appending(thing.path)) }
    if !thing.isUnchanged(in: status) { return try keep(thing) }
    do throws(FileError) { try folder.descriptor.rename(name, to: away, replacing: false) } catch {
      if error.isMissing { return }
      throw error
    }
    try end(thing, in: folder, by: away)
  }

  /// Removes what was moved away, where it is what was meant; otherwise it gets its name back. Where that is taken by now, it keeps the other,
  /// and is told as something that has come since.
  private func end(_ thing: PlannedThing, in folder: OpenFolder, by away: PathBytes) throws {
    guard let status = try folder.descriptor.statusIfThere(away) else { return }
    if thing.hasSameContents(as: status) { return try folder.descriptor.remove(away) }
    do throws(FileError) { try folder.descriptor.rename(away, to: thing.path.lastComponent, replacing: false) } catch {
      if !error.isExisting { throw error }
    }
    try keep(thing)
  }

  private func keep(_ thing: PlannedThing) throws(DeletionError) {
    if isStore {
      throw DeletionError(
        .changed, "the store has changed since the plan was made: \(place.appending(thing.path).display)",
        hint: "end the program that uses it")
    }
  }

  // MARK: Folders

  private func removeFolder(_ thing: PlannedThing, in above: OpenFolder) throws {
    guard let folder = try open(thing.path.lastComponent, in: above, path: thing.path) else { return }
    do throws(FileError) { try above.descriptor.removeFolder(thing.path.lastComponent) } catch {
      // What stays in it is told by another look at the root.
      if error.isNotEmpty { return try folder.descriptor.sync() }
      if !error.isMissing { throw error }
    }
  }

  /// The folder of these names; nil where one is gone, or another than it was.
  private mutating func folder(_ names: ArraySlice<PathBytes>) throws -> OpenFolder? {
    let path = names.reduce(PathBytes("")) { $0.appending($1) }
    if path.bytes.isEmpty { return root }
    if let last, last.path == path { return last }
    // A folder that isn't planned stays: what was removed in it must be on the disk. Of one that goes, the one above tells.
    if let last, folders[last.path] == nil { try last.descriptor.sync() }
    last = nil
    var reached = root
    for name in names {
      guard let next = try open(name, in: reached, path: reached.path.appending(name)) else { return nil }
      reached = next
    }
    last = reached
    return reached
  }

  private func open(_ name: PathBytes, in above: OpenFolder, path: PathBytes) throws -> OpenFolder? {
    let opened: OpenFolder
    let status: FileStatus
    do throws(FileError) {
      opened = OpenFolder(path, try above.descriptor.folder(name))
      status = try opened.descriptor.status()
    } catch {
      if error.isMissing || error.isOtherKind { return nil }
      throw error
    }
    if !status.isOnSameMount(as: rootStatus) { throw FoundThings.mounted(place.appending(path)) }
    return folders[path].map { $0.isSame(as: status) } == false ? nil : opened
  }
}

extension FileDescriptor {
  /// What the system tells of a name in this folder; nil where nothing has it.
  borrowing func statusIfThere(_ name: PathBytes) throws(FileError) -> FileStatus? {
    do throws(FileError) { return try status(of: name) } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}

extension PathBytes {
  var components: [PathBytes] { bytes.split(separator: UInt8(ascii: "/")).map { PathBytes($0) } }
}
