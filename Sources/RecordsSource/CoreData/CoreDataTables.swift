import AccountExport
import CoreDataModel
import Files
import SQLiteReading

/// A store of Core Data or SwiftData: one collection per concrete entity, named and keyed as in the model that the store keeps of itself, or
/// as far as its tables tell where it keeps none. Tables that are no entity's are written as they are.
struct CoreDataTables: StoreDecoder {
  /// The tables that every store of Core Data has; nil where this is none.
  private struct Bookkeeping {
    let metadata: SQLiteTable
    let primaryKey: SQLiteTable
    let modelCache: SQLiteTable?

    init?(_ schema: SQLiteSchema) {
      guard let metadata = schema.table("Z_METADATA"), let primaryKey = schema.table("Z_PRIMARYKEY") else { return nil }
      (self.metadata, self.primaryKey, modelCache) = (metadata, primaryKey, schema.table("Z_MODELCACHE"))
    }

    var names: Set<SQLiteName> { Set([metadata, primaryKey, modelCache].compactMap { $0?.name.folded }) }
  }

  private let bookkeeping: Bookkeeping

  /// Nil where the store isn't Core Data's.
  init?(_ store: OpenStore) {
    guard let bookkeeping = Bookkeeping(store.schema) else { return nil }
    self.bookkeeping = bookkeeping
  }

  func export(_ store: OpenStore, into writer: inout EntryWriter) async throws {
    let contents: StoreContents
    do { contents = try read(store) } catch let error as EntityCatalogue.Unclear {
      return try await exportPlain(store, error.description, into: &writer)
    } catch let error as SQLiteError {
      return try await exportPlain(store, error.description, into: &writer)
    }
    writer.set(schema: contents.isInferred ? .inferred : .declared)
    var plain = store.schema.tables.filter {
      !bookkeeping.names.contains($0.name.folded) && !contents.claimedTables.contains($0.name.folded)
    }
    if try await !StoreMetadata(table: bookkeeping.metadata).export(store, into: &writer) { plain.append(bookkeeping.metadata) }
    writer.omit(bookkeeping.primaryKey.name.exported, .derived)
    if let cache = bookkeeping.modelCache { writer.omit(cache.name.exported, .derived, detail: contents.modelProblem) }
    let export = EntityExport(contents: contents, store: store)
    for layout in contents.layouts { try await export.export(layout, into: &writer) }
    try await export.exportLeftovers(into: &writer)
    try export.nameUnclaimedColumns(in: &writer)
    try await PlainTables().export(plain.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }, of: store, into: &writer)
  }

  /// Where not even the numbers of the entities can be relied on, every table is written as it is.
  private func exportPlain(_ store: OpenStore, _ reason: String, into writer: inout EntryWriter) async throws {
    writer.set(schema: .inferred)
    writer.omit(bookkeeping.primaryKey.name.exported, .derived, detail: "the tables are written as they are: " + reason)
    let tables = store.schema.tables.filter { $0.name.folded != bookkeeping.primaryKey.name.folded }
    try await PlainTables().export(tables, of: store, into: &writer)
  }

  private func read(_ store: OpenStore) throws -> StoreContents {
    let catalogue = try EntityCatalogue(bookkeeping.primaryKey, in: store)
    let (model, problem) = try ModelCache.model(in: bookkeeping.modelCache, of: store)
    return StoreContents(model, problem, catalogue, store)
  }

  func plan(_ store: OpenStore) throws -> SourcePlan {
    let contents: StoreContents
    do { contents = try read(store) } catch is EntityCatalogue.Unclear { return try PlainTables().plan(store) } catch is SQLiteError {
      return try PlainTables().plan(store)
    }
    var plan = SourcePlan(items: 0, bytes: store.snapshot.byteCount)
    for layout in contents.layouts {
      let rows = contents.rows(of: layout)
      plan.parts.append(.init(name: layout.name, items: rows))
      plan.items = plan.items.flatMap { items in rows.map { items + $0 } }
    }
    let told = contents.claimedTables.union(bookkeeping.names)
    let others = try PlainTables().plan(store.schema.tables.filter { !told.contains($0.name.folded) }, of: store)
    plan.parts += others.parts
    plan.items = plan.items.flatMap { items in others.items.map { items + $0 } }
    for table in [bookkeeping.modelCache, bookkeeping.primaryKey] {
      if let table { plan.parts.append(.init(name: table.name.exported, leftOut: .derived)) }
    }
    return plan
  }
}

/// The model that a store keeps of itself.
enum ModelCache {
  /// Reads the model; nil where there is none. One that can't be read is told in words.
  static func model(in table: SQLiteTable?, of store: OpenStore) throws -> (model: ManagedObjectModel?, problem: String?) {
    guard let table else { return (nil, nil) }
    do {
      guard let content = try SingleValue("Z_CONTENT", in: table, of: store).bytes else { return (nil, nil) }
      return (try content.withUnsafeBytes { (bytes) throws in try ManagedObjectModel(cache: bytes) }, nil)
    } catch let error as ModelError {
      return (nil, error.description)
    } catch let error as SQLiteError {
      return (nil, error.description)
    }
  }
}

/// The bytes in a column of a table's first row.
struct SingleValue {
  /// Nil where there is no row, or something else in it.
  let bytes: [UInt8]?
  /// Whether there are more rows.
  let isFirstOfMany: Bool

  /// Larger ones are none that Core Data writes.
  private static let mostBytes = 64 << 20

  init(_ column: SQLiteName, in table: SQLiteTable, of store: OpenStore) throws {
    var reader = try SQLiteTableReader(table, of: store.schema, in: store.snapshot, columns: [column])
    guard reader.columns.count == 1, try reader.next(in: store.snapshot) else {
      (bytes, isFirstOfMany) = (nil, false)
      return
    }
    switch try reader.cell(at: 0) {
    case .blob(let value): bytes = Array(value)
    case .large(let value) where value.byteCount <= Self.mostBytes: bytes = try value.contents(after: 0)
    default: bytes = nil
    }
    isFirstOfMany = try reader.next(in: store.snapshot)
  }
}
