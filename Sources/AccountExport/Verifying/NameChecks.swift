#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Checks the names in a bundle: each safe by itself, and all of them unique where case is ignored, folders included.
struct NameChecks: Sendable {
  /// By the hash of a name where case is ignored, that of its spelling, whose lowest bit says whether it is a file.
  private var spellings: [UInt64: UInt64] = [:]
  private var lastFolder: [UInt8] = []
  private var folded: [UInt8] = []
  private let seed: Hasher = {
    var hasher = Hasher()
    hasher.combine(1)
    return hasher
  }()

  /// What is wrong with a path (UTF-8, `/` at the end of a folder's); nil where nothing is.
  mutating func problem(with path: UnsafeRawBufferPointer) -> String? {
    let isFolder = path.last == UInt8(ascii: "/")
    let bytes = isFolder ? UnsafeRawBufferPointer(rebasing: path.dropLast()) : path
    // In ASCII, which most paths are, letters are bytes and UTF-16 units.
    if !bytes.isASCII {
      guard let text = String(validating: bytes, as: UTF8.self) else { return "is no UTF-8" }
      if text.utf16.count > BundleName.longestPath { return Self.tooLong }
    } else if bytes.count > BundleName.longestPath {
      return Self.tooLong
    }
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if part.isEmpty || !BundleName.isSafe(part) { return "has a component that is not safe everywhere" }
      start = end + 1
    }
    return clash(bytes, isFolder: isFolder)
  }

  private static let tooLong = "has more than \(BundleName.longestPath) UTF-16 units"

  private mutating func clash(_ bytes: UnsafeRawBufferPointer, isFolder: Bool) -> String? {
    let folder = bytes.lastIndex(of: UInt8(ascii: "/")).map { UnsafeRawBufferPointer(rebasing: bytes[..<$0]) }
    if let folder, !lastFolder.withUnsafeBytes({ $0.equals(folder) }) {
      lastFolder = Array(folder)
      for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") {
        if let problem = spelling(UnsafeRawBufferPointer(rebasing: bytes[..<index]), isFile: false) { return problem }
      }
    }
    return spelling(bytes, isFile: !isFolder)
  }

  private mutating func spelling(_ path: UnsafeRawBufferPointer, isFile: Bool) -> String? {
    let exact = hash(path)
    let folded = fold(path) ? self.folded.withUnsafeBytes { hash($0) } : exact
    let entry = exact & ~1 | (isFile ? 1 : 0)
    guard let other = spellings.updateValue(entry, forKey: folded), other != entry else { return nil }
    // What came first stays.
    spellings[folded] = other
    return other & ~1 == exact & ~1 ? "is a file and a folder" : "differs from another name in case only"
  }

  /// Puts the path into `folded` as a file system that ignores case sees it; false where that is the path itself.
  private mutating func fold(_ path: UnsafeRawBufferPointer) -> Bool {
    folded.removeAll(keepingCapacity: true)
    if !path.isASCII {
      folded.append(contentsOf: BundleName.folded(String(decoding: path, as: UTF8.self)).utf8)
      return true
    }
    if !path.contains(where: { (0x41...0x5A).contains($0) }) { return false }
    for byte in path { folded.append((0x41...0x5A).contains(byte) ? byte + 32 : byte) }
    return true
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = seed
    hasher.combine(bytes: bytes)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are the same.
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let mine = baseAddress, let others = other.baseAddress else { return count == other.count }
    return memcmp(mine, others, count) == 0
  }

  /// Whether no byte has its highest bit.
  var isASCII: Bool {
    var all: UInt8 = 0
    for byte in self { all |= byte }
    return all < 0x80
  }
}

extension BundleName {
  /// Whether a component may stand as it is.
  static func isSafe(_ component: UnsafeRawBufferPointer) -> Bool {
    if isPlain(component) { return true }
    return safe(component).utf8.elementsEqual(component)
  }
}
