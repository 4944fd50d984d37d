public import Files
internal import Checksums
internal import JSONStreaming

/// What a source pushes into: it opens, frames, counts, hashes and closes each entry, so that a source can't forget.
///
/// One source has one writer, and one scope of it is open at a time. Everything that is pushed is staged and goes to the bundle in order; who
/// is faster than the bundle is suspended. Cancellation is checked at every scope and within long ones.
public struct EntryWriter: ~Copyable, Sendable {
  /// The source's folder in the bundle, relative to `data/`: its name, safe and unique.
  public let folder: String
  /// The bounds of this export.
  public let limits: ExportLimits
  /// What is masked.
  public let secrets: SecretRules

  let source: String
  let lane: Lane<PackItem>
  let staging: StagingFolder
  let progress: Progress
  var names: BundleFolder
  var tally = SourceTally()
  var documentRows: Spool?
  var rowJSON = JSONWriter(capacity: 4096)
  var schema: SchemaOrigin?
  var snapshotTime: Timestamp?
  /// When the export takes place: fixed, or the clock's.
  let clock: @Sendable () -> Timestamp
  let top: String
  /// Everything that decides of a value whether it is masked.
  let masking: MaskingRules
  /// What stands for masked keys.
  let keyNumbers = KeyNumbers()
  let pseudonyms: Pseudonyms
  /// Columns that hold what is another person's, and those of them that no collection has had so far.
  let thirdParty: [ThirdPartyColumn]
  var unmetThirdParty: Set<ThirdPartyColumn>
  /// Whether collections are written as CSV, too.
  let writesCSV: Bool
  /// What is kept for the pages, where there are any.
  var kept: KeptSource?

  /// - Parameter name: What the source calls itself, where that is not its folder.
  init(source: String, folder: String, name: String? = nil, context: SourceContext, lane: Lane<PackItem>) {
    (self.source, self.folder, self.lane) = (source, folder, lane)
    (masking, pseudonyms) = (MaskingRules(context.request), context.pseudonyms)
    thirdParty = context.request.thirdParty[name ?? source] ?? []
    unmetThirdParty = Set(thirdParty)
    kept = context.pages.map { KeptSource(limits: $0.limits, staging: context.staging) }
    (limits, secrets, staging) = (context.request.limits, context.request.secrets, context.staging)
    (clock, top, writesCSV) = (context.clock, context.topFolder, context.request.csv)
    progress = Progress(source: source, events: context.events)
    names = BundleFolder(path: folder, topFolder: context.topFolder)
  }

  // MARK: What is missing or masked

  /// Names something that is not inside.
  /// - Parameters:
  ///   - path: What it is: a path or a name inside the source.
  ///   - reason: Why it isn't inside.
  ///   - count: How many items this stands for, where that is known.
  ///   - bytes: Its true length, where what is inside is shorter or longer.
  ///   - detail: What only an engineer can use: it goes to the report and to standard error, never into the bundle.
  public mutating func omit(_ path: String, _ reason: Omission.Reason, count: Int? = nil, bytes: UInt64? = nil, detail: String? = nil) {
    tally.omit(Omission(source: source, path: path, reason: reason, count: count, bytes: bytes))
    if reason.isMissing || detail != nil { progress.warn(path, reason, detail: detail) }
  }

  /// Names something that is not inside, by a path that needn't be UTF-8: in the manifest, what is none becomes U+FFFD.
  public mutating func omit(path: PathBytes, _ reason: Omission.Reason, bytes: UInt64? = nil, detail: String? = nil) {
    omit(String(decoding: path.bytes, as: UTF8.self), reason, bytes: bytes, detail: detail)
  }

  /// Says from where the records' model is known, for the manifest.
  public mutating func set(schema: SchemaOrigin) { self.schema = schema }

  /// Says that from here on the source reads one committed state: the time is this moment's.
  public mutating func markSnapshot() { snapshotTime = clock() }

  /// Says of which moment the state is that the source reads, where something else fixed it.
  public mutating func markSnapshot(at moment: Timestamp) { snapshotTime = moment }

  /// A private folder of mode 0700, for what must be opened by a path; it is gone after the export, whatever becomes of it.
  public func privateFolder() throws -> PathBytes { try staging.privateFolderPath() }

  // MARK: Files of one JSON value

  /// Writes `<name>.json`, which holds one value: preferences and the like.
  ///
  /// What `body` throws makes an omission `unreadable` of this name, and nothing of the file is kept.
  /// - Returns: whether it was written.
  @discardableResult
  public nonisolated(nonsending) mutating func value(
    _ name: String, original: String? = nil, _ body: nonisolated(nonsending) (inout ValueWriter) async throws -> Void
  ) async throws -> Bool {
    try enter(documents: false)
    let path = names.claim("", name, suffix: ".json")
    var writer = ValueWriter(output: try stagedOutput(for: path))
    do { try await body(&writer) } catch {
      if error.endsExport { throw error }
      omit(original ?? name, .unreadable, detail: String(describing: error))
      return false
    }
    try await hand(over: try writer.finish(), path: path, title: original ?? name)
    tally.items += 1
    return true
  }

  /// Begins an entry. What lies below `documents/` is described by the rows of `documents.json`, everything else by a resource each: so a
  /// source has documents, or something else.
  func enter(documents: Bool) throws {
    try Task.checkCancellation()
    if folder.hasPrefix("documents/") == documents { return }
    throw ExportError(
      .source, documents ? "\(folder) holds documents, which lie below documents/" : "\(folder) holds something beside its documents")
  }

  private mutating func hand(over finished: ValueWriter.Finished, path: String, title: String) async throws {
    let isRenamed = path != folder + "/" + title + ".json"
    for (place, counts) in finished.redactions { tally.redact(title + (place.isEmpty ? "" : ": " + place), counts) }
    if let batch = finished.files { try await put(batch) }
    tally.bytes += UInt64(finished.content.length)
    try kept?.add(value: finished.content, title: title, path: path)
    let draft = EntryDraft(
      path: path, size: UInt64(finished.content.length), role: .file(mediaType: "application/json", title: isRenamed ? title : nil))
    try await put(draft, .spooled(finished.content), finished.digest)
  }

  /// Where a file of JSON is staged, with the files of its large values.
  mutating func stagedOutput(for path: String) throws -> StagedOutput {
    try StagedOutput(
      spool: Spool(staging: staging, memoryLimit: limits.stagedCollection, deflatesAhead: true), files: try valueFiles(for: path),
      rules: masking, limits: limits)
  }

  /// The files of a collection's or a value's large values: in a folder of their own, named as it is.
  mutating func valueFiles(for path: String) throws -> ValueFiles {
    let name = path.split(separator: "/").last.map { String($0.dropLast(".json".count)) } ?? "value"
    let base = names.claim("files", (path.contains("/lookups/") ? "lookups-" : "") + name, longest: 44)
    let (staging, limit) = (staging, limits.stagedCollection)
    return try ValueFiles(base: base) { Spool(staging: staging, memoryLimit: limit) }
  }

  // MARK: Handing over

  func put(_ draft: EntryDraft, _ content: EntryContent, _ digest: SHA256Digest) async throws {
    switch content {
    case .bytes(let bytes): try await lane.put(.entry(draft, content, digest), bytes: bytes.count, unshared: bytes.count)
    case .spooled(let slice): try await lane.put(.entry(draft, content, digest), bytes: waitingBytes(of: slice.spool))
    }
  }

  mutating func put(_ batch: ValueBatch) async throws {
    tally.bytes += batch.writtenBytes
    try await lane.put(.values(batch), bytes: waitingBytes(of: batch.spool))
  }

  /// What a spool that waits counts as. One on the disk costs no memory, but a descriptor: only a few may wait at once.
  private func waitingBytes(of spool: Spool) -> Int {
    spool.isOnDisk ? limits.waitingBytes / Self.waitingDescriptors : spool.bytesInMemory
  }

  private static let waitingDescriptors = 4
}

/// Where the model of a source's records is from.
public enum SchemaOrigin: String, Sendable {
  /// The store itself declares it.
  case declared
  /// It was told from what is there.
  case inferred
}

extension Error {
  /// Whether an error ends the whole export, not only what was being read: it is cancelled, or can't write.
  package var endsExport: Bool {
    if self is CancellationError { return true }
    guard let error = self as? ExportError else { return false }
    return error.isOfWriting || [.output, .noSpace].contains(error.code)
  }
}
