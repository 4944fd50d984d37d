/// Checks the names in a bundle: each safe by itself, and all of them unique where case is ignored, folders included.
struct NameChecks: Sendable {
  private var spellings: [UInt64: UInt64] = [:]
  private var files: Set<UInt64> = []
  private var lastFolder: [UInt8] = []
  private let seed: Hasher = {
    var hasher = Hasher()
    hasher.combine(1)
    return hasher
  }()

  /// What is wrong with a path (UTF-8, `/` at the end of a folder's); nil where nothing is.
  mutating func problem(with path: UnsafeRawBufferPointer) -> String? {
    let isFolder = path.last == UInt8(ascii: "/")
    let bytes = isFolder ? UnsafeRawBufferPointer(rebasing: path.dropLast()) : path
    guard let text = String(validating: bytes, as: UTF8.self) else { return "is no UTF-8" }
    if text.utf16.count > BundleName.longestPath { return "has more than \(BundleName.longestPath) UTF-16 units" }
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if part.isEmpty || !BundleName.isSafe(part) { return "has a component that is not safe everywhere" }
      start = end + 1
    }
    return clash(text, bytes, isFolder: isFolder)
  }

  private mutating func clash(_ text: String, _ bytes: UnsafeRawBufferPointer, isFolder: Bool) -> String? {
    let folder = bytes.lastIndex(of: UInt8(ascii: "/")).map { UnsafeRawBufferPointer(rebasing: bytes[..<$0]) }
    if let folder, !lastFolder.elementsEqual(folder) {
      lastFolder = Array(folder)
      for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") {
        let prefix = String(decoding: bytes[..<index], as: UTF8.self)
        if let problem = spelling(prefix, isFile: false) { return problem }
      }
    }
    return spelling(text, isFile: !isFolder)
  }

  private mutating func spelling(_ path: String, isFile: Bool) -> String? {
    let folded = hash(BundleName.folded(path))
    let exact = hash(path)
    if let other = spellings[folded] {
      if other != exact { return "differs from another name in case only" }
      if isFile != files.contains(folded) { return "is a file and a folder" }
      return nil
    }
    spellings[folded] = exact
    if isFile { files.insert(folded) }
    return nil
  }

  private func hash(_ text: String) -> UInt64 {
    var (hasher, text) = (seed, text)
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

extension BundleName {
  /// Whether a component may stand as it is.
  static func isSafe(_ component: UnsafeRawBufferPointer) -> Bool {
    if isPlain(component) { return true }
    return safe(component).utf8.elementsEqual(component)
  }
}
