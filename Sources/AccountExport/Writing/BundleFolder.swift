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

  init(path: String, topFolder: String) {
    self.path = path
    room = BundleName.longestPath - topFolder.utf16.count - "/data/".utf16.count
    used.insert(hash(BundleName.folded(longPaths).utf8))
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

  private mutating func unique(_ name: String, in folder: String) -> String {
    var candidate = name
    var number = 2
    while !used.insert(hash(BundleName.folded(folder + "/" + candidate).utf8)).inserted {
      candidate = BundleName.numbered(name, number, longest: BundleName.longestComponent)
      number += 1
    }
    return folder + "/" + candidate
  }
}

/// FNV-1a, 64 bits.
func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  return hash
}

private func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
