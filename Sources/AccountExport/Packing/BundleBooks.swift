internal import Checksums
internal import JSONStreaming

/// What is known of the entries that are packed: the BagIt manifests' lines, sums, and the manifest's resources.
///
/// Lines and the resources of large values go to spools: a bundle of a million files must not cost a million names in memory.
struct BundleBooks: ~Copyable {
  /// A file that the manifest describes one by one.
  struct Resource: Sendable {
    let draft: EntryDraft
    let digest: SHA256Digest
  }

  /// `manifest-sha256.txt`: a line for each payload file.
  let payloadLines: Spool
  /// `tagmanifest-sha256.txt`.
  private(set) var tagLines = ""
  /// Sums over the payload, for `Payload-Oxum`.
  private(set) var payloadBytes: UInt64 = 0, payloadFiles = 0
  /// Bytes of everything so far, for `Bag-Size`.
  private(set) var allBytes: UInt64 = 0
  /// Collections, preferences and the like, in order.
  private(set) var resources: [Resource] = []
  /// The resources of large values, as JSON, a comma after each.
  let valueResources: Spool
  /// Files beside `data/`, which are resources too.
  private(set) var tagFiles: [(path: String, size: Int, digest: SHA256Digest)] = []
  private var json = JSONWriter(capacity: 1024)
  private var line: [UInt8] = []
  private(set) var values = 0

  init(staging: StagingFolder) {
    payloadLines = Spool(staging: staging, memoryLimit: 1 << 20)
    valueResources = Spool(staging: staging, memoryLimit: 1 << 20)
  }

  mutating func payload(_ draft: EntryDraft, _ digest: SHA256Digest) throws {
    allBytes += draft.size
    if draft.path.utf8.last == UInt8(ascii: "/") { return }  // an empty folder is no file
    payloadBytes += draft.size
    payloadFiles += 1
    try payloadLine(digest, draft.path)
    switch draft.role {
    case .document: break
    case .value: try value(draft, digest)
    case .table, .csv, .file: resources.append(Resource(draft: draft, digest: digest))
    }
  }

  private mutating func payloadLine(_ digest: SHA256Digest, _ path: String) throws {
    line.removeAll(keepingCapacity: true)
    digest.withHex { line.append(contentsOf: $0) }
    line.append(contentsOf: "  data/".utf8)
    line.append(contentsOf: path.utf8)
    line.append(UInt8(ascii: "\n"))
    try line.withBytes { (bytes) throws(ExportError) in try payloadLines.append(bytes) }
  }

  private mutating func value(_ draft: EntryDraft, _ digest: SHA256Digest) throws {
    json.removeAll()
    json.resetStructure()
    json.resource(
      path: "data/" + draft.path, name: "value-\(values)", size: draft.size, digest: digest, mediaType: "application/octet-stream"
    ) { _ in }
    json.raw(",\n")
    try json.withBytes { (bytes) throws(ExportError) in try valueResources.append(bytes) }
    values += 1
  }

  mutating func tag(_ path: String, size: Int, digest: SHA256Digest) throws {
    allBytes += UInt64(size)
    tagLines += digest.hex + "  " + path + "\n"
    tagFiles.append((path, size, digest))
  }
}
