internal import Files
internal import Checksums
internal import JSONStreaming

extension EntryWriter {
  /// Writes a document's row alone: a folder, a link, something special, a file whose contents weren't asked for or can't be read.
  public nonisolated(nonsending) mutating func document(_ description: DocumentDescription) async throws {
    try enter(documents: true)
    if description.kind == .folder && description.isEmptyFolder {
      let path = claim(description.path) + "/"
      try await put(
        EntryDraft(path: path, size: 0, modified: description.modified?.seconds, role: .document), .bytes([]), try Self.emptyDigest())
    }
    try finish(description, file: nil, digest: nil)
  }

  /// Writes a document: its contents, which `body` pushes, and its row.
  ///
  /// Small ones are staged: `body` may start over (`DocumentContent.restart`). Large ones stream into the bundle as they are read, where the
  /// size in the description is kept: what is missing is filled up with zeros, and named as `changed`.
  /// What `body` throws makes an omission `unreadable` of the document; its row stays.
  public nonisolated(nonsending) mutating func document(
    _ description: DocumentDescription, _ body: nonisolated(nonsending) (inout DocumentContent) async throws -> Void
  ) async throws {
    try enter(documents: true)
    let size = description.size ?? 0
    if size <= UInt64(limits.stagedDocument) {
      try await staged(description, body)
    } else {
      try await streamed(description, size: size, body)
    }
  }

  private mutating func staged(
    _ description: DocumentDescription, _ body: nonisolated(nonsending) (inout DocumentContent) async throws -> Void
  ) async throws {
    var description = description
    var content = try DocumentContent(staging: limits.stagedDocument, expecting: Int(description.size ?? 0))
    do { try await body(&content) } catch {
      if error.endsExport { throw error }
      omit(path: description.path, .unreadable, detail: String(describing: error))
      return try finish(description, file: nil, digest: nil)
    }
    if content.changed { omit(path: description.path, .changed, bytes: content.changedLength, detail: "it changed while it was read") }
    let digest = try content.digest()
    let bytes = content.takeBytes()
    description.size = UInt64(bytes.count)
    let path = claim(description.path)
    let draft = EntryDraft(
      path: path, size: UInt64(bytes.count), modified: description.modified?.seconds, isCompressed: description.isCompressed,
      role: .document)
    try finish(description, file: path, digest: digest)
    try await put(draft, .bytes(bytes), digest)
  }

  private mutating func streamed(
    _ description: DocumentDescription, size: UInt64, _ body: nonisolated(nonsending) (inout DocumentContent) async throws -> Void
  ) async throws {
    let path = claim(description.path)
    let draft = EntryDraft(
      path: path, size: size, modified: description.modified?.seconds, isCompressed: description.isCompressed, role: .document)
    try await lane.put(.open(draft), bytes: 0)
    var content = try DocumentContent(streaming: lane, size: size, progress: progress)
    do {
      try await body(&content)
      if content.changed || content.length != size {
        omit(path: description.path, .changed, bytes: content.changedLength ?? content.length, detail: "it changed while it was read")
      }
    } catch {
      if error.endsExport { throw error }
      omit(path: description.path, .unreadable, bytes: content.length, detail: "after \(content.length) bytes: \(error)")
    }
    try await content.fillUp()
    let digest = try content.digest()
    try await lane.put(.close(digest), bytes: 0)
    try finish(description, file: path, digest: digest, isCounted: true)
  }

  private mutating func claim(_ path: PathBytes) -> String {
    let bytes = path.bytes
    return names.claim(components: bytes.split(separator: UInt8(ascii: "/"))[...], original: bytes)
  }

  private static func emptyDigest() throws -> SHA256Digest {
    var hasher = try SHA256.forExport()
    return try hasher.finish()
  }

  /// Writes a document's row, and counts it.
  /// - Parameter isCounted: Whether its bytes have been told as progress already, while it streamed.
  private mutating func finish(_ description: DocumentDescription, file: String?, digest: SHA256Digest?, isCounted: Bool = false) throws {
    let rows = documentRows ?? Spool(staging: staging, memoryLimit: limits.stagedCollection)
    documentRows = rows
    rowJSON.removeAll()
    rowJSON.resetStructure()
    description.write(to: &rowJSON, file: file, digest: digest)
    rowJSON.raw("\n")
    try rowJSON.withBytes { (bytes) throws(ExportError) in try rows.append(bytes) }
    tally.items += 1
    if file != nil { tally.bytes += description.size ?? 0 }
    progress.add(items: 1, bytes: file == nil || isCounted ? 0 : description.size ?? 0)
  }
}

extension DocumentDescription {
  /// The row of `documents.json`: every row has every key, in this order.
  func write(to json: inout JSONWriter, file: String?, digest: SHA256Digest?) {
    json.beginObject()
    json.key("path")
    json.path(path)
    json.key("kind")
    json.string(kind.name)
    json.key("bytes")
    if let size, kind == .file { json.integer(size) } else { json.null() }
    json.key("sha256")
    if let digest { json.string(digest.hex) } else { json.null() }
    json.key("file")
    if let file { json.string(file) } else { json.null() }
    json.key("target")
    if let target { json.path(target) } else { json.null() }
    json.key("mediaType")
    if let mediaType { json.string(mediaType) } else { json.null() }
    json.key("modified")
    json.moment(modified)
    json.key("created")
    json.moment(created)
    json.key("mode")
    if let mode { json.integer(Int64(mode)) } else { json.null() }
    json.endObject()
  }

  /// The keys of a row, with the Table Schema's types of their values.
  static let fields: [(name: StaticString, type: StaticString)] = [
    ("path", "any"), ("kind", "string"), ("bytes", "integer"), ("sha256", "string"), ("file", "string"), ("target", "any"),
    ("mediaType", "string"), ("modified", "any"), ("created", "any"), ("mode", "integer"),
  ]
}

extension FileStatus.Kind {
  /// The kind as `documents.json` writes it.
  var name: StaticString {
    switch self {
    case .file: "file"
    case .folder: "folder"
    case .link: "link"
    case .special: "special"
    }
  }
}

extension JSONWriter {
  /// A path: text, or `$base64` where it is no UTF-8.
  mutating func path(_ path: PathBytes) {
    path.bytes.withUnsafeBufferPointer { text(utf8: $0) }
  }

  /// A moment, or null.
  mutating func moment(_ moment: Timestamp?) {
    if let moment { date(secondsSince1970: moment.seconds, nanoseconds: moment.nanoseconds) } else { null() }
  }
}
