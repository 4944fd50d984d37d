internal import JSONReading

extension BundleContents {
  /// Holds everything against everything, when all of it has come.
  mutating func finish() {
    lookAgain()
    requireFiles()
    checkCSVRows()
    checkLists()
    checkSums()
    report.outcome = manifest.outcome
    report.items = manifest.sourceItems
    (report.omissions, report.redactions) = (manifest.omissions, manifest.redactedValues)
  }

  /// Looks up what came before the file that it is about.
  private mutating func lookAgain() {
    for claim in claims {
      guard let place = index.place(of: claim.path) else {
        report.add("\(claim.path): is named in \(claim.by), and is not inside")
        continue
      }
      if claim.by.hasSuffix("manifest-sha256.txt"), !index.markListed(place) { report.add("\(claim.by): lists \(claim.path) twice") }
      hold(claim, against: place)
    }
    let late = manifest.lateResources
    manifest.lateResources = []
    for resource in late { takeResource(resource) }
    for resource in manifest.lateResources {
      report.add("\(resource["path"]?.text ?? ""): is named in datapackage.json, and is not inside")
    }
  }

  private mutating func requireFiles() {
    let required = [
      "bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "datapackage.json", "index.html", "data/metadata.json",
    ]
    for path in required where index.place(of: path) == nil { report.add("\(path): is not inside") }
  }

  /// Every file is listed in one of the bag's manifests, and described by the data package or by a document's row.
  private mutating func checkLists() {
    for place in 0..<index.count {
      let found = index.found[place]
      if found.isListed && found.isDescribed { continue }
      let path = index.path(at: place)
      if !found.isListed && path != "tagmanifest-sha256.txt" {
        report.add("\(path): is listed in no manifest of the bag")
      }
      if !found.isDescribed && path != "datapackage.json" && path != "tagmanifest-sha256.txt" {
        let isDocument = path.hasPrefix("data/documents/")
        report.add("\(path): is described in no \(isDocument ? "row of documents.json" : "resource")")
      }
    }
  }

  private mutating func checkSums() {
    if manifest.formatVersion != ExportManifest.formatVersion {
      let told = manifest.formatVersion.map { "is of format version \($0)" } ?? "says no format version"
      report.add("datapackage.json: \(told); this version knows \(ExportManifest.formatVersion)")
    }
    switch manifest.outcome {
    case "complete":
      if manifest.hasMissing || manifest.hasIncompleteSource { report.add("datapackage.json: says complete, and names what is missing") }
    case "partial": if !manifest.hasMissing { report.add("datapackage.json: says partial, and names nothing that is missing") }
    default: report.add("datapackage.json: says neither complete nor partial")
    }
    let payload = (0..<index.count).filter { index.isPayload(at: $0) }
    let oxum = "\(payload.reduce(0) { $0 + index.found[$1].size }).\(payload.count)"
    if manifest.oxum != oxum { report.add("bag-info.txt: its Payload-Oxum is not \(oxum)") }
    checkItems()
    if redactions != manifest.redactedValues &- manifest.unmarkedValues {
      report.add(
        "datapackage.json: counts \(manifest.redactedValues &- manifest.unmarkedValues) masked values, and \(redactions) are inside")
    }
  }

  /// Items are rows of collections and of the document manifest, and files of one value.
  private mutating func checkItems() {
    var (items, counts) = (0, [String: Int]())
    // In order, so that the same bundle is told the same of.
    for (path, facts) in tables.sorted(by: { $0.key < $1.key }) where path != "data/metadata.json" {
      let count = manifest.describedTables.contains(path) ? facts.rows : 1
      items += count
      if path == "data/documents.json" { continue }  // its rows are of every source that has documents
      guard let source = manifest.source(of: path) else {
        report.add("\(path): is of no source that datapackage.json names")
        continue
      }
      counts[source, default: 0] += count
    }
    if items != manifest.sourceItems { report.add("datapackage.json: counts \(manifest.sourceItems) items, and \(items) are inside") }
    for (source, count) in counts.sorted(by: { $0.key < $1.key }) where count > manifest.sources[source] ?? 0 {
      report.add("datapackage.json: counts \(manifest.sources[source] ?? 0) items of \(source), and \(count) are inside")
    }
  }
}

extension Omission.Reason {
  /// The names of those that make a bundle partial.
  static let missing: Set<String> = Set([unreadable, changed, missingFile, failed, limit, undecided, unclaimed].map(\.name))
}
