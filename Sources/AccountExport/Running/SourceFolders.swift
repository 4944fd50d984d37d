/// The folders of an export's sources below `data/`: one or two components each, safe, and unlike one another where case is ignored.
enum SourceFolders {
  /// UTF-16 units that a folder's components may have, so that what lies in it still has room.
  private static let longest = (first: 16, second: 48)

  /// A folder for each source, in their order.
  static func names(of sources: [any ExportSource]) -> [String] {
    // The core's own files stand beside the sources' folders.
    var parents: [String: String] = [:]
    var used: Set<String> = [BundleFile.metadata, BundleFile.documents]
    return sources.map { source in
      let parts = source.name.split(separator: "/").prefix(2)
      guard let first = parts.first else { return single("data", &used, parents) }
      let safe = BundleName.safe(first.utf8, longest: longest.first)
      if parts.count == 1 { return single(safe, &used, parents) }
      let parent = self.parent(safe, used, &parents)
      return parent + "/" + unique(BundleName.safe(parts[1].utf8, longest: longest.second)) { used.insert(parent + "/" + $0).inserted }
    }
  }

  /// A folder of one component, which must not hold another source's.
  private static func single(_ name: String, _ used: inout Set<String>, _ parents: [String: String]) -> String {
    unique(name) { parents[$0] == nil && used.insert($0).inserted }
  }

  /// A folder that several sources share: the first one's spelling of it, and no folder that is a source's own.
  private static func parent(_ name: String, _ used: Set<String>, _ parents: inout [String: String]) -> String {
    if let known = parents[BundleName.folded(name)] { return known }
    let parent = unique(name) { !used.contains($0) && parents[$0] == nil }
    parents[BundleName.folded(name)] = parent
    parents[BundleName.folded(parent)] = parent
    return parent
  }

  /// The name, or the first number behind it, that is taken.
  private static func unique(_ name: String, _ take: (String) -> Bool) -> String {
    var candidate = name
    var number = 2
    while !take(BundleName.folded(candidate)) {
      candidate = BundleName.numbered(name, number, longest: longest.second + 4)
      number += 1
    }
    return candidate
  }
}
