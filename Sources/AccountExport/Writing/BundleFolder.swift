/// The names of one source's folder in the bundle: each is given once, also where case is ignored.
///
/// It remembers hashes, not names: 8 bytes an entry. Two names with the same hash only cost the later one a number it didn't need.
struct BundleFolder {
  /// The folder, relative to `data/`: `documents/Documents`.
  let path: String
  /// UTF-16 units that must be left of a name that is cut to fit its folder.
  private static let shortestCut = 40
  /// UTF-16 units that a path below it may have, beside the bundle's own folder and `data/`.
  private let room: Int
  private var used: Set<UInt64> = []
  private var folders: [UInt64: String] = [:]
  private var lastFolder: (original: [UInt8], name: String)?
  /// The folder that a name was given in last, with the hash of what stands before the name.
  private var lastParent: (folder: String, hash: UInt64)?

  init(path: String, topFolder: String) {
    self.path = path
    room = BundleName.longestPath - topFolder.utf16.count - "/data/".utf16.count
    used.insert(foldedHash(longPaths))
  }

  /// Where the documents lie whose own place is too deep for Windows.
  private var longPaths: String { path + "/long-paths" }

  /// A name of its own for something below this folder, as `sub` and a name: `files/notes`, `1.bin`. Relative to `data/`. As long as its path may be, with four
  /// units for a number that makes it unique, or `longest`.
  mutating func claim(_ sub: String = "", _ name: String, suffix: String = "", longest: Int? = nil) -> String {
    let folder = sub.isEmpty ? path : path + "/" + sub
    let longest = longest ?? min(BundleName.longestComponent, max(Self.shortestCut, room - units(folder) - 1 - 4))
    return unique(BundleName.safe((name + suffix).utf8, longest: longest), in: folder)
  }

  /// A name for a document by its path's components, each kept where it can be.
  mutating func claim(components: ArraySlice<ArraySlice<UInt8>>, original: [UInt8]) -> String {
    guard let last = components.last else { return unique("_", in: path) }
    let name = BundleName.safe(last)
    if let folder = folderName(components.dropLast(), of: original) {
      // Four units are left for a number that makes the name unique; a name that is cut to less than this says too little.
      let left = room - units(folder) - 1 - 4
      if name.utf16.count <= left { return unique(name, in: folder) }
      if left >= Self.shortestCut { return unique(BundleName.shortened(name, to: left), in: folder) }
    }
    let kept = min(name.utf16.count, max(16, room - units(longPaths) - 1 - 17 - 4))
    return unique(hexadecimal(hash(original)) + "-" + BundleName.shortened(name, to: kept), in: longPaths)
  }

  private func units(_ path: String) -> Int { path.utf16.count }

  /// What became of the folders that a document lies in; nil where that is too deep.
  private mutating func folderName(_ components: ArraySlice<ArraySlice<UInt8>>, of original: [UInt8]) -> String? {
    guard let end = components.last?.endIndex else { return path }
    let originalFolder = original[..<end]
    if let lastFolder, lastFolder.original.elementsEqual(originalFolder) { return lastFolder.name }
    var name = path
    for component in components {
      let key = hash(original[..<component.endIndex])
      if let known = folders[key] {
        name = known
      } else {
        name = unique(BundleName.safe(component, longest: 60), in: name)
        folders[key] = name
      }
      if units(name) > room - 6 { return nil }
    }
    lastFolder = (Array(originalFolder), name)
    return name
  }

  /// The hash of a folder and the slash behind it. No name joins that slash, so the parts of a path can be folded one by one.
  private mutating func prefixHash(of folder: String) -> UInt64 {
    if let lastParent, lastParent.folder == folder { return lastParent.hash }
    let hash = foldedHash(folder + "/")
    lastParent = (folder, hash)
    return hash
  }

  private mutating func unique(_ name: String, in folder: String) -> String {
    var candidate = name
    var number = 2
    let parent = prefixHash(of: folder)
    while !used.insert(foldedHash(candidate, after: parent)).inserted {
      candidate = BundleName.numbered(name, number, longest: BundleName.longestComponent)
      number += 1
    }
    return folder + "/" + candidate
  }
}

/// FNV-1a, 64 bits, from its beginning or from the hash of what stands before.
func hash(_ bytes: some Sequence<UInt8>, after start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
  var hash = start
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  return hash
}

/// The hash of a name as a file system that ignores case sees it.
private func foldedHash(_ name: String, after start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
  if !name.utf8.allSatisfy({ $0 < 0x80 }) { return hash(BundleName.folded(name).utf8, after: start) }
  return hash(name.utf8.lazy.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, after: start)
}

private func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
