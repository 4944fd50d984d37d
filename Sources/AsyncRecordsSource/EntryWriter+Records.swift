public import AccountExport

extension EntryWriter {
  /// Writes a collection of what a sequence gives, one row for each value, as it comes.
  ///
  /// The next value is asked for when the row of the last is written, and the rows wait on the disk: memory stays flat however many there are.
  ///
  /// - Every row has every key. Keys are known from `columns` and from the rows, those of optional properties that are nil too; a key that first
  ///   comes in a later row becomes a column at the end, and the rows before get null for it.
  /// - A value whose `encode(to:)` throws is left out as a whole row, an omission `unreadable` names it by its number from 1, and the rest goes on.
  /// - A sequence that throws ends the collection: its rows stay, and an omission `failed` names it with their count.
  /// - A value that is no object (a text, a number, an array, nil) is the one column `value`.
  /// - Passwords, tokens and the like are masked by the names of their keys, within values too.
  /// - Parameters:
  ///   - name: The collection's name.
  ///   - columns: Keys known beforehand, in order: an empty collection then has a schema too.
  ///   - encoding: How values are written.
  @discardableResult
  public nonisolated(nonsending) mutating func collection<Records: AsyncSequence>(
    _ name: String, of records: Records, columns: [String] = [], encoding: RecordEncoding = RecordEncoding()
  ) async throws -> CollectionOutcome where Records.Element: Encodable {
    try await collection(
      CollectionDescription(name, columns: columns.map { CollectionDescription.Column($0) }), of: records, encoding: encoding)
  }

  /// Writes a collection of what a sequence gives, described with its keys: as `collection(_:of:)` does.
  @discardableResult
  public nonisolated(nonsending) mutating func collection<Records: AsyncSequence>(
    _ description: CollectionDescription, of records: Records, encoding: RecordEncoding = RecordEncoding()
  ) async throws -> CollectionOutcome where Records.Element: Encodable {
    let rows = EncodedRows(description.columns, limits: limits, secrets: secrets, encoding: encoding)
    defer { rows.close() }
    let outcome = try await collection(description) { writer in
      for try await record in records { try rows.write(record, to: &writer) }
      // A sequence may end where its task is cancelled, as if that were all.
      try Task.checkCancellation()
    }
    rows.tell(description.name, in: &self)
    return outcome
  }

  /// Writes a collection of values that are there already, as `collection(_:of:)` does those of a sequence.
  @discardableResult
  public nonisolated(nonsending) mutating func collection<Records: Sequence>(
    _ name: String, of records: Records, columns: [String] = [], encoding: RecordEncoding = RecordEncoding()
  ) async throws -> CollectionOutcome where Records.Element: Encodable {
    try await collection(
      CollectionDescription(name, columns: columns.map { CollectionDescription.Column($0) }), of: records, encoding: encoding)
  }

  /// Writes a collection of values that are there already, described with its keys: as `collection(_:of:)` does.
  @discardableResult
  public nonisolated(nonsending) mutating func collection<Records: Sequence>(
    _ description: CollectionDescription, of records: Records, encoding: RecordEncoding = RecordEncoding()
  ) async throws -> CollectionOutcome where Records.Element: Encodable {
    let rows = EncodedRows(description.columns, limits: limits, secrets: secrets, encoding: encoding)
    defer { rows.close() }
    let outcome = try await collection(description) { writer in
      for record in records { try rows.write(record, to: &writer) }
    }
    rows.tell(description.name, in: &self)
    return outcome
  }
}
