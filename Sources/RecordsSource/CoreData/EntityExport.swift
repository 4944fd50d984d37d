import AccountExport
import SQLiteReading

/// The export of a store's entities, one after the other.
struct EntityExport {
  private let contents: StoreContents
  private let store: OpenStore
  private let identifiers: RecordIdentifiers
  private let binaries: BinaryValues

  init(contents: StoreContents, store: OpenStore) {
    (self.contents, self.store) = (contents, store)
    identifiers = RecordIdentifiers(contents.catalogue)
    binaries = BinaryValues(storage: store.externalStorage)
  }

  /// Writes one entity's records.
  func export(_ layout: EntityLayout, into writer: inout EntryWriter) async throws {
    try Task.checkCancellation()
    guard let table = layout.table, contents.rows(of: layout) != 0 else {
      try await writer.collection(layout.description) { _ in }
      return
    }
    var rows: EntityRows
    do {
      rows = try EntityRows(layout, of: table, identifiers, binaries, in: store, inlineBytes: writer.limits.inlineBytes)
    } catch let error as SQLiteError {
      return writer.omit(layout.name, .unreadable, detail: error.description)
    } catch let error as ToOneLinks.OutOfStep {
      return writer.omit(layout.name, .unreadable, detail: error.description)
    }
    _ = try await writer.collection(layout.description) { records in try rows.write(to: &records) }
    rows.problems.report(to: &writer)
    try nameLostLinks(layout, table, in: &writer)
  }

  /// Names links that no record can show: their ends are no numbers, or the record that has them isn't there.
  private func nameLostLinks(_ layout: EntityLayout, _ table: SQLiteTable, in writer: inout EntryWriter) throws {
    for link in layout.toManys {
      do throws(SQLiteError) {
        let unreadable = try link.unreadableLinks(in: store)
        if unreadable > 0 { writer.omit("\(layout.name).\(link.name)", .unreadable, count: unreadable, detail: "a link to no number") }
        for owner in try link.missingOwners(in: table, of: store, most: 100) {
          writer.omit("\(layout.name)/\(owner)", .dangling, detail: "it is named by records of \(link.destination), and isn't there")
        }
      } catch {
        writer.omit("\(layout.name).\(link.name)", .unreadable, detail: error.description)
      }
    }
  }

  /// Writes rows that say to be of no entity that the store knows, as they are.
  func exportLeftovers(into writer: inout EntryWriter) async throws {
    for (table, known, _) in contents.leftovers {
      let reader: SQLiteTableReader
      do throws(SQLiteError) {
        let filter = SQLiteRowFilter.matching("Z_ENT", notIn: known)
        reader = try SQLiteTableReader(table, of: store.schema, in: store.snapshot, where: filter)
      } catch {
        writer.omit(table.name.exported, .unreadable, detail: error.description)
        continue
      }
      let description = try TableDescription(table, reader.columns, KeyColumns(store.schema), writer.secrets) { _ in false }.collection
      var values = RowValues(reader: reader, store: store, inlineBytes: writer.limits.inlineBytes)
      _ = try await writer.collection(description) { records in try values.write(to: &records) }
    }
  }

  /// Names columns that hold something and that the model knows nothing of.
  func nameUnclaimedColumns(in writer: inout EntryWriter) throws {
    if contents.isInferred { return }
    for table in store.schema.tables {
      guard let claimed = contents.claimedColumns[table.name.folded] else { continue }
      for column in table.columns where !claimed.contains(column.name.folded) && !Self.isBookkeeping(column.name) {
        do throws(SQLiteError) {
          let count = try store.count("main.\(table.name.sql) AS t WHERE t.\(column.name.sql) IS NOT NULL")
          if count > 0 { writer.omit("\(table.name.exported).\(column.name.exported)", .unclaimed, count: count) }
        } catch {
          writer.omit("\(table.name.exported).\(column.name.exported)", .unreadable, detail: error.description)
        }
      }
    }
  }

  /// `Z_…` (`Z_FOK_SHELF`) and `Z<n>_…` (`Z4_SHELF`): the order and the entity of a link.
  private static func isBookkeeping(_ name: SQLiteName) -> Bool {
    let rest = name.folded.bytes.dropFirst().drop { (0x30...0x39).contains($0) }
    return name.folded.bytes.first == UInt8(ascii: "z") && rest.first == UInt8(ascii: "_")
  }
}
