internal import Checksums
internal import JSONStreaming

extension EntryWriter {
  /// Writes a collection: a JSON array with one record a line, `[]` where there is none.
  ///
  /// What `body` throws ends the collection, not the export: the rows written by then stay, and an omission `failed` names it with their
  /// count. Only what ends the whole export (cancellation, a full disk) is thrown on.
  @discardableResult
  public nonisolated(nonsending) mutating func collection(
    _ description: CollectionDescription, _ body: nonisolated(nonsending) (inout RecordWriter) async throws -> Void
  ) async throws -> CollectionOutcome {
    try enter(documents: false)
    let masking = CollectionMasking(masking: masking, thirdParty: thirdParty)
    let description = masking.masked(description)
    let path = names.claim(description.isLookup ? "lookups" : "", description.name, suffix: ".json")
    var row = RowWriter(
      columns: masking.preparedColumns(of: description), output: try stagedOutput(for: path), numbers: keyNumbers, pseudonyms: pseudonyms)
    if let kept { row.tap = kept.tap(description) }
    var records = RecordWriter(row: row, description: description, masking: masking, progress: progress)
    var failure: (any Error)?
    do { try await body(&records) } catch {
      if error.endsExport { throw error }
      failure = error
    }
    let rows = records.count
    if let failure { omit(description.name, .failed, count: rows, detail: String(describing: failure)) }
    try await hand(over: &records, description, path)
    return CollectionOutcome(rows: rows, failure: failure)
  }

  private mutating func hand(over records: inout RecordWriter, _ described: CollectionDescription, _ path: String) async throws {
    var description = described
    description.columns = records.description.columns
    if !records.hasPrimaryKey { description.primaryKey = [] }
    unmetThirdParty.subtract(records.masking.met(by: description))
    let (content, digest) = try records.row.finish()
    for (column, counts) in zip(description.columns, records.row.redacted) {
      tally.redact(description.name + "." + column.name, counts)
    }
    tally.items += records.count
    tally.bytes += UInt64(content.length)
    progress.add(items: records.uncounted, bytes: 0)
    if let batch = records.row.takeFiles() { try await put(batch) }
    let table = TableDraft(source: folder, description: description, rows: records.count, kinds: records.row.kinds)
    // A line without a field would be a line of nothing. The JSON has the name for itself, whatever its suffix.
    let csv = writesCSV && !description.columns.isEmpty ? String(path.dropLast(".json".count)) + ".csv" : nil
    try kept?.add(table, path: path, csv: csv, bytes: content.length, tap: &records.row.tap)
    try await put(EntryDraft(path: path, size: UInt64(content.length), role: .table(table)), .spooled(content), digest)
    if let csv { try await putCSV(of: content, CSVDraft(table, masked: records.row.redacted.map { !$0.isEmpty }), path: csv) }
  }
}

/// The handle of an open collection.
public struct RecordWriter: ~Copyable, Sendable {
  var row: RowWriter
  private let progress: Progress
  private(set) var uncounted = 0
  /// How many rows are written.
  public private(set) var count = 0
  /// The collection, with the columns that were added.
  private(set) var description: CollectionDescription
  let masking: CollectionMasking
  private(set) var hasPrimaryKey = true

  init(row: consuming RowWriter, description: CollectionDescription, masking: CollectionMasking, progress: Progress) {
    self.row = row
    self.description = description
    self.masking = masking
    self.progress = progress
  }

  /// Writes one row: `body` gives a value for every column, in order. A row that throws is taken back whole.
  public mutating func row<Failure: Error>(_ body: (inout RowWriter) throws(Failure) -> Void) throws {
    row.begin()
    do { try body(&row) } catch {
      try row.abort()
      throw error
    }
    try row.end()
    count += 1
    uncounted += 1
    if uncounted >= 256 { try breathe() }
  }

  /// Adds columns at the end, between two rows. The rows before get null for them when the collection ends.
  package mutating func add(columns new: [CollectionDescription.Column]) {
    description.columns += new
    row.grow(to: masking.preparedColumns(of: description))
  }

  /// Takes back that the collection's primary key is one: its values turned out to come twice or to be null, or it can't be told.
  public mutating func withdrawPrimaryKey() { hasPrimaryKey = false }

  private mutating func breathe() throws {
    try Task.checkCancellation()
    progress.add(items: uncounted, bytes: 0)
    uncounted = 0
  }
}
