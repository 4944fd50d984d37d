internal import Checksums

extension BundleContents {
  /// SHA-256 over the files of each source, by the source's name. The document manifest belongs to every source of documents: folders and links
  /// stand nowhere else.
  func sourceContents() throws(ExportError) -> [String: String] {
    var hashers: [String: SourceHasher] = [:]
    for place in 0..<index.count {
      let path = index.path(at: place)
      guard path.hasPrefix("data/") else { continue }
      for source in owners(of: path) {
        if hashers[source] == nil { hashers[source] = try SourceHasher() }
        hashers[source]?.add(index.found[place].digest, path)
      }
    }
    var contents: [String: String] = [:]
    for (source, hasher) in hashers { contents[source] = try hasher.finish() }
    return contents
  }

  private func owners(of path: String) -> [String] {
    if path == "data/documents.json" { return manifest.sources.keys.filter { $0.hasPrefix("documents/") } }
    return manifest.source(of: path).map { [$0] } ?? []
  }
}

/// The hash of one source's files: a reference, since what may not be copied can't lie in a dictionary.
private final class SourceHasher {
  private var hasher: SHA256

  init() throws(ExportError) { hasher = try SHA256.forExport() }

  /// Adds a file as the line that the bag's manifest has for it.
  func add(_ digest: SHA256Digest, _ path: String) {
    digest.withHex { hasher.update($0) }
    var line = "  \(path)\n"
    line.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
  }

  func finish() throws(ExportError) -> String {
    do throws(ChecksumError) { return try hasher.finish().hex } catch {
      throw ExportError(.verification, "what was read back can't be hashed", cause: error)
    }
  }
}
