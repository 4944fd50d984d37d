import AccountExport
import NamedFiles
import Ownership
import SQLiteReading

/// Every table as it is: the decoder that fits any store.
struct PlainTables: StoreDecoder {
  /// Columns whose texts name files.
  var files = FileColumns([])

  func export(_ store: OpenStore, into writer: inout EntryWriter) async throws {
    try await export(store.schema.tables, of: store, into: &writer)
  }

  /// Writes some of a store's tables.
  func export(_ tables: [SQLiteTable], of store: OpenStore, into writer: inout EntryWriter) async throws {
    let keys = KeyColumns(store.schema)
    let files = try NamedFiles.configured(
      files, in: files.columns.isEmpty ? RelationalSchema(tables: []) : SharedStore(store).schema, isShared: false)
    // Virtual tables whose own reading failed: what they keep in their shadows must not be lost. A shadow's name follows its owner's.
    var failed: Set<SQLiteName> = []
    for table in tables {
      try Task.checkCancellation()
      if isDerived(table, failed) {
        writer.omit(table.name.exported, .derived)
      } else if try await !export(table, keys, files, store, into: &writer) {
        failed.insert(table.name.folded)
      }
    }
  }

  /// Whether a table holds nothing but what is made from others.
  private func isDerived(_ table: SQLiteTable, _ failed: Set<SQLiteName>) -> Bool {
    if table.kind == .view || table.kind == .internal { return true }
    return table.shadowOf.map { !failed.contains($0.folded) } ?? false
  }

  /// Writes one table; false where something of it could not be read, which is named then.
  private func export(
    _ table: SQLiteTable, _ keys: KeyColumns, _ files: NamedFiles, _ store: OpenStore, into writer: inout EntryWriter
  ) async throws -> Bool {
    var reader: SQLiteTableReader
    do throws(SQLiteError) { reader = try SQLiteTableReader(table, of: store.schema, in: store.snapshot) } catch {
      writer.omit(table.name.exported, .unreadable, detail: error.description)
      return false
    }
    for column in reader.leftOut {
      writer.omit(table.name.exported + "." + column.name.exported, .derived, detail: "a generated column that needs a function of its app")
    }
    var description = try TableDescription(table, reader.columns, keys, writer.secrets) {
      store.snapshot.isSatisfied($0, of: table, in: store.schema)
    }.collection
    let named = try files.values(of: &description)
    var values = RowValues(reader: reader, store: store, files: named, inlineBytes: writer.limits.inlineBytes)
    let outcome = try await writer.collection(description) { records in try values.write(to: &records) }
    values.files.report(to: &writer)
    return outcome.failure == nil
  }

  func plan(_ store: OpenStore) throws -> SourcePlan { try plan(store.schema.tables, of: store) }

  /// Says what some of a store's tables hold.
  func plan(_ tables: [SQLiteTable], of store: OpenStore) throws -> SourcePlan {
    var plan = SourcePlan(items: 0, bytes: store.snapshot.byteCount)
    for table in tables {
      if isDerived(table, []) {
        plan.parts.append(.init(name: table.name.exported, leftOut: .derived))
        continue
      }
      do throws(SQLiteError) {
        let rows = Int(try store.snapshot.rowCount(of: table))
        plan.parts.append(.init(name: table.name.exported, items: rows))
        plan.items = plan.items.map { $0 + rows }
      } catch {
        plan.parts.append(.init(name: table.name.exported, leftOut: .unreadable))
      }
    }
    return plan
  }
}
