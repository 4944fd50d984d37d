internal import BundleSchemas
internal import Checksums
internal import Files

/// What stands around the sources' entries: the bag's declaration and schemas before, the metadata, manifests and pages after.
struct BundleClosing {
  private let request: ExportRequest
  private let staging: StagingFolder
  private let started: Timestamp
  private let top: String
  private let pages: BundlePages?
  private var outcomes: [SourceOutcome] = []

  init(request: ExportRequest, staging: StagingFolder, started: Timestamp, top: String, pages: BundlePages? = nil) {
    (self.request, self.staging, self.started, self.top, self.pages) = (request, staging, started, top, pages)
  }

  mutating func add(_ outcome: SourceOutcome) { outcomes.append(outcome) }

  /// Whether there is nothing that a bundle could hold.
  var allFailed: Bool { outcomes.allSatisfy { $0.failure != nil && $0.tally.items == 0 } }

  /// The error of an export of which every source failed: the first one's reason stands for all.
  func nothingRead() -> ExportError {
    let failures = outcomes.compactMap { outcome in outcome.failure.map { "\(outcome.folder): \($0)" } }
    let isBusy = outcomes.allSatisfy { ($0.failure as? ExportError)?.code == .busy }
    return ExportError(
      isBusy ? .busy : .nothingRead, failures.first ?? "nothing could be read", hint: (outcomes.first?.failure as? ExportError)?.hint,
      cause: failures.count > 1 ? OtherFailures(failures.dropFirst()) : nil)
  }

  private struct OtherFailures: Error, CustomStringConvertible {
    let description: String
    init(_ others: ArraySlice<String>) { description = others.joined(separator: "; ") }
  }

  /// Packs what comes first.
  func begin(_ packer: inout Packer) async throws {
    try await packer.packTag("bagit.txt", .bytes(Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)))
    for schema in BundleSchemas.all { try await packer.packTag("schemas/" + schema.name, .bytes(schema.bytes)) }
  }

  /// Packs what comes last, and says what was packed.
  func finish(_ packer: inout Packer, at finished: Timestamp) async throws -> ExportManifest {
    if outcomes.contains(where: \.hasDocuments) { try await packDocuments(&packer) }
    var metadata = MetadataFile()
    let collections = collectionPaths(packer.books.resources)
    let content = EntryContent.bytes(metadata.write(request, exported: started, collections: collections))
    try await pack(content, as: BundleFile.metadata, &packer)
    let manifest = manifest(finished: finished, notProvided: metadata.notProvided)
    try await packer.packTag("bag-info.txt", .bytes(bagInfo(packer.books)))
    try await packPages(manifest, &packer)
    try await packer.packTag("manifest-sha256.txt", .spooled(packer.books.payloadLines.whole))
    let spool = Spool(staging: staging, memoryLimit: request.limits.stagedCollection)
    var file = ManifestFile(manifest, out: spool)
    try file.write(packer.books, top: top)
    try await packer.packTag("datapackage.json", .spooled(spool.whole))
    try await packer.packTag("tagmanifest-sha256.txt", .bytes(Array(packer.books.tagLines.utf8)))
    return manifest
  }

  /// Packs the pages of the view, or the one plain page.
  private func packPages(_ manifest: ExportManifest, _ packer: inout Packer) async throws {
    guard let pages else {
      return try await packer.packTag("index.html", .bytes(IndexPage.render(manifest, books: packer.books, request: request)))
    }
    let bundle = PagedBundle(
      request: request, manifest: manifest, sources: outcomes.map(\.forPages),
      key: String(try packer.books.payloadLines.whole.digest().hex.prefix(32)), payloadFiles: packer.books.payloadFiles,
      payloadBytes: packer.books.payloadBytes, makeScratch: { [staging] in PageScratch(staging: staging) })
    try await pages.maker.write(bundle) { path, page in try await packer.packTag(path, .bytes(page)) }
  }

  private func pack(_ content: EntryContent, as path: String, _ packer: inout Packer) async throws {
    let draft = EntryDraft(path: path, size: UInt64(content.count), role: .file(mediaType: "application/json", title: nil))
    try await packer.pack(.entry(draft, content, try content.digest()))
  }

  /// Merges the sources' document rows into one array, in the sources' order.
  private func packDocuments(_ packer: inout Packer) async throws {
    let spool = Spool(staging: staging, memoryLimit: request.limits.stagedCollection, deflatesAhead: true)
    var framer = RowFramer(out: spool)
    for outcome in outcomes { if let rows = outcome.documentRows { try framer.add(rows) } }
    try framer.end()
    try await pack(.spooled(spool.whole), as: BundleFile.documents, &packer)
  }

  /// What the Art. 15 information is told of: preferences and documents as one each, records by collection.
  private func collectionPaths(_ resources: [BundleBooks.Resource]) -> [String] {
    var paths: [String] = []
    for outcome in outcomes {
      let isWhole = outcome.hasDocuments || !resources.contains { $0.draft.isTable && $0.draft.path.hasPrefix(outcome.folder + "/") }
      let path = outcome.hasDocuments ? "documents" : outcome.folder
      if isWhole && !paths.contains(path) { paths.append(path) }
    }
    for resource in resources where resource.draft.isTable { paths.append(String(resource.draft.path.dropLast(".json".count))) }
    return paths
  }

  private func manifest(finished: Timestamp, notProvided: [String]) -> ExportManifest {
    let omissions = outcomes.flatMap(\.tally.omissions)
    let redactions = outcomes.flatMap { outcome in
      outcome.tally.redactions.sorted { ($0.key.path, $0.key.reason.name) < ($1.key.path, $1.key.reason.name) }
        .map {
          Redaction(
            source: outcome.folder, path: $0.key.path, reason: $0.key.reason, count: $0.value.count, inText: $0.value.inText,
            asNumber: $0.value.asNumber)
        }
    }
    return ExportManifest(
      outcome: omissions.contains(where: \.reason.isMissing) ? .partial : .complete, subject: request.subject, requestID: request.requestID,
      started: started, finished: finished, compression: request.level.engine, sources: outcomes.map(\.forManifest), omissions: omissions,
      redactions: redactions,
      notProvided: notProvided)
  }

  /// `bag-info.txt` (RFC 8493, section 2.2.2).
  private func bagInfo(_ books: borrowing BundleBooks) -> [UInt8] {
    var lines = ["Bagging-Date: \(started.day)"]
    lines.append("Bag-Size: \(Self.humane(books.payloadBytes))")
    lines.append("Payload-Oxum: \(books.payloadBytes).\(books.payloadFiles)")
    lines.append("Bag-Software-Agent: account-export \(AccountExporter.version)")
    if let id = request.requestID { lines.append("External-Identifier: \(Self.oneLine(id))") }
    if let controller = request.information.controller?.name { lines.append("Source-Organization: \(Self.oneLine(controller))") }
    if let contact = request.information.contact?.email { lines.append("Contact-Email: \(Self.oneLine(contact))") }
    lines.append("External-Description: Account export of \(started.rfc3339)")
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// A value that can't begin another line of the bag's information.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  private static func humane(_ bytes: UInt64) -> String {
    var (size, unit) = (bytes * 10, 0)
    while size >= 10_240 && unit < 4 { (size, unit) = (size / 1024, unit + 1) }
    let name = ["B", "KiB", "MiB", "GiB", "TiB"][unit]
    return unit == 0 ? "\(size / 10) \(name)" : "\(size / 10).\(size % 10) \(name)"
  }
}

extension EntryDraft {
  /// Whether this is a collection of records.
  var isTable: Bool {
    if case .table = role { return true }
    return false
  }
}

extension Spool {
  /// All of a spool.
  var whole: SpoolSlice { SpoolSlice(spool: self, offset: 0, length: length) }
}

extension SourceOutcome {
  var forPages: PagedSource {
    PagedSource(
      folder: folder, kind: kind, collections: kept?.collections ?? [], values: kept?.values ?? [],
      documents: documentRows.map { KeptBytes(slice: $0.whole) })
  }

  var forManifest: ExportManifest.Source {
    let isMissing = tally.omissions.contains(where: \.reason.isMissing)
    return ExportManifest.Source(
      name: folder, kind: kind, outcome: failure != nil ? .failed : isMissing ? .partial : .complete, items: tally.items,
      bytes: tally.bytes,
      snapshotTime: snapshotTime, schema: schema)
  }
}
