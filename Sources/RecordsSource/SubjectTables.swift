import AccountExport
import NamedFiles
import Ownership
import SQLiteReading

/// What is one person's of a store that others share: the rows that the walk finds, and what they refer to.
struct SubjectTables: StoreDecoder {
  let subject: SubjectSelection
  /// Columns whose texts name files.
  let files: FileColumns

  func export(_ store: OpenStore, into writer: inout EntryWriter) async throws {
    let found = try walk(store)
    for table in found.shared.unreadable {
      writer.omit(table.name.exported, .unreadable, detail: table.problem?.description ?? "columns hide the numbers of its rows")
    }
    let keys = KeyColumns(store.schema)
    let files = try NamedFiles.configured(files, in: found.shared.schema, isShared: true)
    for table in found.walk.collections { try await export(table, keys, files, found, into: &writer) }
    for table in found.walk.plan.lookups where !found.walk.lookups[table].isEmpty {
      try await export(table, asLookup: true, keys, files, found, into: &writer)
    }
    omit(found.walk, into: &writer)
    try omitDamaged(found, into: &writer)
  }

  /// Names the tables in which there may be more of the subject's than was found: the walk asks indexes, and a damaged one keeps silent.
  private func omitDamaged(_ found: Found, into writer: inout EntryWriter) throws {
    let plan = found.walk.plan
    for table in Set(plan.exported + plan.lookups + plan.lookedAt).sorted() where table < found.shared.walkable {
      try Task.checkCancellation()
      let shape = found.shared.tables[table]
      let damage: String?
      do throws(SQLiteError) { damage = try found.walked.store.snapshot.damage(in: shape) } catch { damage = error.description }
      if let damage { writer.omit(shape.name.exported, .unreadable, detail: damage) }
    }
  }

  /// The walk, and what it was made in.
  struct Found {
    let shared: SharedStore
    let walk: Walk
    let walked: WalkedStore
  }

  func walk(_ store: OpenStore) throws -> Found {
    let shared = SharedStore(store)
    return try translating {
      let plan = try subject.plan(for: shared.schema)
      var walked = try WalkedStore(store, shared, plan.schema)
      return Found(shared: shared, walk: try plan.walk(from: subject.starts, in: &walked), walked: walked)
    }
  }

  /// The values of a column in the subject's own rows.
  func values(of place: String, _ store: OpenStore) throws -> [String] {
    let found = try walk(store)
    var walked = found.walked
    return try translating { try found.walk.values(of: place, in: &walked) }
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as OwnershipError {
      let code: ExportError.Code = error.code == .configuration ? .configuration : .badInput
      throw ExportError(code, error.message, hint: error.hint)
    } catch let error as SQLiteError {
      throw ExportError(.badInput, "the subject's rows can't be found", cause: error)
    }
  }

  private func export(
    _ table: Int, asLookup isLookup: Bool = false, _ keys: KeyColumns, _ files: NamedFiles, _ found: Found, into writer: inout EntryWriter
  ) async throws {
    let shape = found.shared.tables[table]
    let store = found.walked.store
    let rows = isLookup ? found.walk.lookups[table].sorted() : found.walk.rows(of: table)
    let reader: SQLiteTableReader
    do throws(SQLiteError) {
      let selection = try found.walked.finder.selection(of: rows, in: table, store.snapshot)
      reader = try SQLiteTableReader(shape, of: store.schema, in: store.snapshot, rows: selection)
    } catch {
      return writer.omit(shape.name.exported, .unreadable, count: rows.count, detail: error.description)
    }
    for column in reader.leftOut {
      writer.omit(shape.name.exported + "." + column.name.exported, .derived, detail: "a generated column that needs a function of its app")
    }
    var description = try TableDescription(shape, reader.columns, keys, writer.secrets) { key in
      try isSatisfied(key, of: table, from: rows, found)
    }.collection
    description.isLookup = isLookup
    let named = try files.values(of: &description)
    var values = RowValues(reader: reader, store: store, files: named, inlineBytes: writer.limits.inlineBytes)
    _ = try await writer.collection(description) { records in try values.write(to: &records) }
    values.files.report(to: &writer)
  }

  /// Whether all that rows refer to by a key is among the records. A reader may then check it.
  private func isSatisfied(_ key: SQLiteForeignKey, of table: Int, from rows: [RowHandle], _ found: Found) throws -> Bool {
    guard let place = found.shared.tables[table].foreignKeys.firstIndex(of: key), let index = found.shared.keyIndexes[table]?[place] else {
      return false
    }
    let (own, party) = (found.walk.own, found.walk.party)
    let parent = found.walk.plan.schema.keys[index].parent
    return try found.walked.finder.areSatisfied(index, from: rows, in: found.walked.store.snapshot) {
      own[parent].contains($0) || party[parent].contains($0)
    }
  }

  private func omit(_ walk: Walk, into writer: inout EntryWriter) {
    for table in walk.undecided.indices where walk.undecided[table] > 0 {
      writer.omit(walk.plan.schema.tables[table].name, .undecided, count: walk.undecided[table])
    }
    for (table, columns) in walk.plan.unclaimed {
      writer.omit(
        walk.plan.schema.tables[table].name, .unclaimed, detail: "columns that look like the subject: \(columns.joined(separator: ", "))")
    }
    for (table, reason) in walk.plan.excluded { writer.omit(walk.plan.schema.tables[table].name, .excluded, detail: reason) }
  }

  func plan(_ store: OpenStore) throws -> SourcePlan {
    let found = try walk(store)
    var plan = SourcePlan(items: 0, bytes: nil)
    let add = { (name: String, count: Int, plan: inout SourcePlan) in
      plan.parts.append(.init(name: name, items: count))
      plan.items = plan.items.map { $0 + count }
    }
    let names = found.walk.plan.schema.tables.map(\.name)
    for table in found.walk.collections { add(names[table], found.walk.count(of: table), &plan) }
    for table in found.walk.plan.lookups where !found.walk.lookups[table].isEmpty {
      add("lookups/" + names[table], found.walk.lookups[table].count, &plan)
    }
    for table in found.shared.unreadable { plan.parts.append(.init(name: table.name.exported, leftOut: .unreadable)) }
    for table in names.indices where found.walk.undecided[table] > 0 {
      plan.parts.append(.init(name: names[table], items: found.walk.undecided[table], leftOut: .undecided))
    }
    for (table, _) in found.walk.plan.unclaimed { plan.parts.append(.init(name: names[table], leftOut: .unclaimed)) }
    for (table, _) in found.walk.plan.excluded { plan.parts.append(.init(name: names[table], leftOut: .excluded)) }
    return plan
  }
}
