internal import AccountDeletion
internal import DocumentsSource
internal import Files

/// What lies in a root: what the export gives, what it leaves out, and what can't be read.
struct FoundThings {
  var list: ThingList
  private let root: FileStatus
  /// Files and folders that must be in no plan, whatever they are called here.
  private let closed: [FileStatus]
  /// The root's path, for messages.
  private let place: PathBytes
  /// How many things a pattern, or what they are, leaves out.
  var leftOut = 0
  /// Bundles of earlier exports.
  var earlierBundles = 0
  /// What can't be read, and so wasn't exported.
  var unreadable: [PathBytes] = []

  init(root status: FileStatus, at place: PathBytes, closed: [FileStatus]) {
    list = ThingList(root: PlannedThing("", status))
    (root, self.place, self.closed) = (status, place, closed)
  }

  /// Goes through a folder as an export does.
  /// - Parameter above: Where the folder lies in the root.
  mutating func add(_ folder: consuming FileDescriptor, at above: PathBytes, _ choice: FileChoice) throws {
    var walk = try FolderWalk(folder, include: choice.include, exclude: choice.exclude, leftOut: choice.leftOut)
    while let found = walk.next() {
      try Task.checkCancellation()
      let path = above.appending(walk.currentPath)
      let file = walk.takeFile()
      switch found {
      case .file(let status): try add(path, status, file)
      case .folder(let status, _), .link(let status, _), .special(let status): try add(path, status, nil)
      case .excluded, .notIncluded, .leftOut: leftOut += 1
      case .failed(let failure, let status):
        switch failure {
        case .kernelMade, .cycle: throw Self.mounted(place.appending(path))
        case .unreadable, .vanished, .swapped: fail(path, status)
        }
      }
    }
  }

  /// The files of a store: what Core Data keeps outside of it, what SQLite keeps beside it, and the database as the last, so that it is the first to
  /// go: what is left of a store without it is no store, while one without its log has lost what was written last.
  mutating func add(store name: PathBytes, in folder: borrowing FileDescriptor) throws {
    let stem = name.bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? name.bytes[..<$0] : nil } ?? name.bytes[...]
    let support = PathBytes([UInt8(ascii: ".")] + stem + "_SUPPORT".utf8)
    if let status = try folder.statusIfThere(support), status.kind == .folder {
      try add(support, status, nil)
      try add(try folder.folder(support), at: support, FileChoice())
    }
    for suffix in ["-journal", "-shm", "-wal", ""] {
      let name = PathBytes(name.bytes + suffix.utf8)
      guard let status = try folder.statusIfThere(name) else { continue }
      if status.kind == .folder { throw DeletionError(.refused, "\(place.appending(name).display) is a folder, and no store's file") }
      try add(name, status, nil)
    }
  }

  /// A folder that can't be read was a step before; it can't be emptied, and stays.
  private mutating func fail(_ path: PathBytes, _ status: FileStatus?) {
    if list.things.last?.path == path { list.things.removeLast() }
    unreadable.append(path)
  }

  mutating func add(_ path: PathBytes, _ status: FileStatus, _ file: consuming FileDescriptor?) throws {
    if !status.isOnSameMount(as: root) { throw Self.mounted(place.appending(path)) }
    if closed.contains(where: { $0.isSame(as: status) }) {
      throw DeletionError(.refused, "\(place.appending(path).display) is another name of what must not be deleted")
    }
    if let file, try Self.isBundle(file) {
      earlierBundles += 1
      return
    }
    list.things.append(PlannedThing(path, status))
  }

  private static func isBundle(_ file: borrowing FileDescriptor) throws(FileError) -> Bool {
    var head = [UInt8](repeating: 0, count: EarlierBundle.headBytes)
    let read = head.withUnsafeMutableBytes { buffer in Result { () throws(FileError) in try file.read(into: buffer, at: 0) } }
    let count = try read.get()
    return head.withUnsafeBytes { EarlierBundle.isBegun(by: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// A mount is in no plan, and what is below it isn't either.
  static func mounted(_ path: PathBytes) -> DeletionError {
    DeletionError(.refused, "another file system is mounted at \(path.display)", hint: "unmount it, or register the folders beside it")
  }
}
