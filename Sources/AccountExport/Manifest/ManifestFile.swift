internal import Checksums
internal import JSONStreaming

/// `datapackage.json`: a Data Package (v2) whose resources are the files that are no documents.
struct ManifestFile: ~Copyable {
  private var json = JSONWriter()
  private let manifest: ExportManifest
  private let out: Spool
  /// The names of collections' resources, by source folder and collection.
  private var tables: [TableName: (resource: String, hasRows: Bool)] = [:]
  /// The names that collections' resources have.
  private var taken: Set<String> = []
  /// References that are no constraints, for `accountExport`.
  private var looseKeys: [(resource: String, key: CollectionDescription.ForeignKey, target: String?)] = []

  /// As bytes, since texts that are composed differently are equal, and are two collections.
  private struct TableName: Hashable {
    let source: [UInt8]
    let collection: [UInt8]

    init(source: String, collection: String) {
      self.source = Array(source.utf8)
      self.collection = Array(collection.utf8)
    }
  }

  init(_ manifest: ExportManifest, out: Spool) {
    self.manifest = manifest
    self.out = out
  }

  /// Writes the manifest of what is in the books.
  mutating func write(_ books: borrowing BundleBooks, top: String) throws {
    nameTables(books.resources)
    let created = manifest.finished
    json.raw("{\n")
    member("$schema") { $0.string("https://datapackage.org/profiles/2.0/datapackage.json") }
    member("name") { $0.string(top.lowercased()) }
    member("title") { $0.string("Account export") }
    member("created") { $0.moment(created) }
    json.raw("\"resources\": [\n")
    for (index, file) in books.tagFiles.enumerated() {
      try tagResource(file.path, index, file.size, file.digest)
    }
    for (index, resource) in books.resources.enumerated() { try self.resource(resource, books.tagFiles.count + index) }
    try drain()
    try copyValues(books.valueResources)
    json.raw("],\n\"accountExport\": ")
    json.resetStructure()
    writeAccountExport()
    json.raw("\n}\n")
    try drain()
  }

  private mutating func member(_ key: String, _ value: (inout JSONWriter) -> Void) {
    json.resetStructure()
    json.string(key)
    json.raw(": ")
    json.resetStructure()
    value(&json)
    json.raw(",\n")
  }

  private mutating func drain() throws {
    try json.withBytes { (bytes) throws(ExportError) in try out.append(bytes) }
    json.removeAll()
  }

  // MARK: Resources

  private mutating func nameTables(_ resources: [BundleBooks.Resource]) {
    for (index, resource) in resources.enumerated() {
      guard case .table(let table) = resource.draft.role else { continue }
      let name = resourceName("data/" + resource.draft.path, prefix: "collection-\(index)")
      tables[TableName(source: table.source, collection: table.description.name)] = (name, table.rows > 0)
      taken.insert(name)
    }
  }

  private mutating func tagResource(_ path: String, _ index: Int, _ size: Int, _ digest: SHA256Digest) throws {
    json.resetStructure()
    let types = [(".json", "application/json"), (".html", "text/html"), (".png", "image/png")]
    let type = types.first { path.hasSuffix($0.0) }?.1 ?? "text/plain"
    json.resource(path: path, name: "bag-\(index)", size: UInt64(size), digest: digest, mediaType: type) { _ in }
    json.raw(",\n")
  }

  private mutating func resource(_ resource: BundleBooks.Resource, _ index: Int) throws {
    let path = "data/" + resource.draft.path
    json.resetStructure()
    switch resource.draft.role {
    case .table(let table):
      let name = tables[TableName(source: table.source, collection: table.description.name)]?.resource
      // By bytes: to Swift, a name and its normal form are equal.
      let isRenamed = !path.utf8.reversed().starts(with: ("/" + table.description.name + ".json").utf8.reversed())
      let keys = split(table, resource: name ?? path, source: table.source)
      json.resource(
        path: path, name: name ?? "collection-\(index)", size: resource.draft.size, digest: resource.digest, mediaType: "application/json",
        title: isRenamed ? table.description.name : nil, isTable: table.rows > 0
      ) { $0.table(table, foreignKeys: keys) }
    case .file(let mediaType, let title):
      let name = resourceName(path, prefix: "file-\(index)")
      let isManifest = resource.draft.path == BundleFile.documents
      json.resource(
        path: path, name: name, size: resource.draft.size, digest: resource.digest, mediaType: mediaType, title: title,
        isTable: isManifest && resource.draft.size > 3
      ) { if isManifest { $0.documentsTable() } }
    case .csv(let csv): json.csvResource(csv, path: path, name: csvName(path, index), size: resource.draft.size, digest: resource.digest)
    case .document, .value: return
    }
    json.raw(",\n")
    if json.count > StagedOutput.drained { try drain() }
  }

  /// A CSV's name: its path, where no collection is called so.
  private func csvName(_ path: String, _ index: Int) -> String {
    let name = resourceName(path, prefix: "csv-\(index)")
    return taken.contains(name) ? "csv-\(index)" : name
  }

  /// Divides a table's references into those that a reader may check and those that are only told.
  private mutating func split(_ table: TableDraft, resource: String, source: String) -> [(
    key: CollectionDescription.ForeignKey, target: String
  )] {
    var checked: [(key: CollectionDescription.ForeignKey, target: String)] = []
    for key in table.description.foreignKeys {
      let target = tables[TableName(source: source, collection: key.collection)]
      if let target, key.isSatisfied, target.hasRows, table.rows > 0 {
        checked.append((key, target.resource))
      } else {
        looseKeys.append((resource, key, target?.resource))
      }
    }
    return checked
  }

  /// Copies the large values' resources; the comma after the last resource goes.
  private mutating func copyValues(_ values: Spool) throws {
    let slice = SpoolSlice(spool: values, offset: 0, length: values.length)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var done = 0
    while done < slice.length {
      let count = try values.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, slice.length - done)]), at: done)
      if count == 0 { throw ExportError(.output, "the staging folder lost part of a spool") }
      try out.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      done += count
    }
    try out.truncate(to: out.length - 2)
    json.raw("\n")
  }

  // MARK: accountExport

  private mutating func writeAccountExport() {
    json.beginObject()
    json.key("formatVersion")
    json.string(ExportManifest.formatVersion)
    json.key("outcome")
    json.string(manifest.outcome.rawValue)
    json.key("subject")
    json.subject(manifest.subject)
    json.key("requestID")
    json.optional(manifest.requestID)
    json.key("snapshot")
    json.beginObject()
    json.key("started")
    json.moment(manifest.started)
    json.key("finished")
    json.moment(manifest.finished)
    json.endObject()
    json.key("compression")
    json.string(manifest.compression)
    json.list("sources", manifest.sources) { $0.source($1) }
    json.list("omissions", manifest.omissions) { $0.omission($1) }
    json.list("redactions", manifest.redactions) { $0.redaction($1) }
    json.key("notProvided")
    json.texts(manifest.notProvided)
    if !looseKeys.isEmpty { json.list("foreignKeys", looseKeys) { $0.looseKey($1.resource, $1.key, $1.target) } }
    json.endObject()
  }
}
