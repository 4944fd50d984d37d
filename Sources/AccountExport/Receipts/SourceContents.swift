internal import Checksums

extension BundleContents {
  /// SHA-256 over the files of each source, by the source's name. The document manifest belongs to every source of documents: folders and links
  /// stand nowhere else.
  func sourceContents() throws(ExportError) -> [String: String] {
    var hashers: [String: SourceHasher] = [:]
    var folder: [UInt8] = []
    var owners: [SourceHasher] = []
    for place in 0..<index.count where index.isPayload(at: place) {
      let length = index.withPath(at: place) { $0.lastIndex(of: UInt8(ascii: "/")) } ?? 0
      // Files of one folder are the same source's, and mostly stand one after another. Those of data/ itself are of none, or of several.
      let isSame = length > "data".utf8.count && index.withPath(at: place) { folder.elementsEqual($0[..<length]) }
      if !isSame {
        owners = []
        for source in sources(of: index.path(at: place)) {
          let owner: SourceHasher
          if let known = hashers[source] { owner = known } else { owner = try SourceHasher() }
          hashers[source] = owner
          owners.append(owner)
        }
        folder = index.withPath(at: place) { Array($0[..<length]) }
      }
      for owner in owners { index.withPath(at: place) { owner.add(index.found[place].digest, $0) } }
    }
    var contents: [String: String] = [:]
    for (source, hasher) in hashers { contents[source] = try hasher.finish() }
    return contents
  }

  private func sources(of path: String) -> [String] {
    if path == "data/documents.json" { return manifest.sources.keys.filter { $0.hasPrefix("documents/") } }
    return manifest.source(of: path).map { [$0] } ?? []
  }
}

/// The hash of one source's files: a reference, since what may not be copied can't lie in a dictionary.
private final class SourceHasher {
  private var hasher: SHA256
  private var line: [UInt8] = []

  init() throws(ExportError) { hasher = try SHA256.forExport() }

  /// Adds a file as the line that the bag's manifest has for it.
  func add(_ digest: SHA256Digest, _ path: UnsafeRawBufferPointer) {
    line.removeAll(keepingCapacity: true)
    digest.withHex { line.append(contentsOf: $0) }
    line.append(contentsOf: "  ".utf8)
    line.append(contentsOf: path)
    line.append(UInt8(ascii: "\n"))
    line.withBytes { hasher.update($0) }
  }

  func finish() throws(ExportError) -> String {
    do throws(ChecksumError) { return try hasher.finish().hex } catch {
      throw ExportError(.verification, "what was read back can't be hashed", cause: error)
    }
  }
}
