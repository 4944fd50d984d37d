internal import Files

/// A tar member's path as a path below the root: relative, without `.` and `..`, without slashes at its ends or in a row.
enum MemberPath {
  enum Place: Equatable {
    /// Below the root.
    case inside(PathBytes)
    /// The root itself.
    case root
    /// It leads out of the root.
    case outside
  }

  /// Where a path leads. A slash at its begin is dropped, as tar itself does; `..` is followed as long as it stays inside.
  static func place(of path: PathBytes) -> Place {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8) {
        if parts.isEmpty { return .outside }
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    if parts.isEmpty { return .root }
    return .inside(PathBytes(Array(parts.joined(separator: [UInt8(ascii: "/")]))))
  }

  /// The way from a member's folder to another member, as a link there would have it.
  static func way(from path: PathBytes, to target: PathBytes) -> PathBytes {
    let folder = path.bytes.split(separator: UInt8(ascii: "/")).dropLast()
    let there = target.bytes.split(separator: UInt8(ascii: "/"))
    var common = 0
    while common < folder.count && common < there.count - 1 && folder[common].elementsEqual(there[common]) { common += 1 }
    let up = [ArraySlice<UInt8>](repeating: ArraySlice("..".utf8), count: folder.count - common)
    return PathBytes(Array((up + there[common...]).joined(separator: [UInt8(ascii: "/")])))
  }
}

/// Folders whose contents haven't been seen yet: which are empty shows at the end only.
struct WaitingFolders<Folder> {
  private var folders: [Int: (order: Int, folder: Folder)] = [:]
  private var order = 0

  /// Folders that wait at once; beyond, the first ones are taken for empty.
  static var most: Int { 10_000 }

  /// Adds a folder. Returns the one that waited at this path before, and those that can't wait any longer.
  mutating func add(_ path: PathBytes, _ folder: Folder) -> (replaced: Folder?, full: [Folder]) {
    let replaced = folders.updateValue((order, folder), forKey: Self.hash(path.bytes[...]))?.folder
    order += 1
    return (replaced, folders.count > Self.most ? takeAll() : [])
  }

  /// Takes the folders that a path lies in: they aren't empty.
  mutating func take(above path: PathBytes) -> [Folder] {
    if folders.isEmpty { return [] }
    var taken: [Folder] = []
    for (index, byte) in path.bytes.enumerated() where byte == UInt8(ascii: "/") {
      if let found = folders.removeValue(forKey: Self.hash(path.bytes[..<index])) { taken.append(found.folder) }
    }
    return taken
  }

  /// Takes all, in the order in which they came.
  mutating func takeAll() -> [Folder] {
    let all = folders.values.sorted { $0.order < $1.order }.map(\.folder)
    folders = [:]
    return all
  }

  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
