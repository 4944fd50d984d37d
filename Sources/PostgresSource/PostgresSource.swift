public import AccountExport
public import NamedFiles
public import Ownership
import PostgresReading

/// One person's records in a PostgreSQL database that many share: what the walk along its foreign keys finds from the person's row, one collection a
/// table, rows that those refer to as lookups, and an omission for each table of which it can't know.
///
/// Everything is read in one transaction that changes nothing. Where a policy would filter what the role reads, or it may not read a table that
/// the walk reaches, the table is named as `unreadable`; nothing is ever silently filtered.
public struct PostgresSource: PlannableSource, SubjectWalking {
  /// `records/` and the database's name.
  public let name: String
  /// `postgresql`
  public var kind: String { "postgresql" }
  /// Columns whose texts name files, which go into the bundle with the rows.
  public var files: [FileColumn] = []
  private let target: PostgresTarget
  private let subject: SubjectSelection

  /// The records of one person in a shared database.
  /// - Parameters:
  ///   - url: A `postgres://` URL, or a connection string of libpq. What it doesn't say comes from libpq's environment variables and files.
  ///   - subject: The person's row or rows, and what the database doesn't say by itself of whose its rows are.
  ///   - name: What the store is called in the bundle; the database's name where nil.
  /// - Throws: `ExportError` where the URL is none, or nobody is named: a shared database is never exported whole.
  public init(_ url: String, subject: SubjectSelection?, named name: String? = nil) throws(ExportError) {
    do throws(PostgresError) { target = try PostgresTarget(url) } catch {
      throw ExportError(.badInput, "the database can't be reached", hint: "write postgres://user@host/database", cause: error)
    }
    guard let subject, !subject.starts.isEmpty else {
      throw ExportError(
        .badInput, "\(target) may hold many people's records, so it is exported for one of them only",
        hint: "name the person's row: --subject users.id=42")
    }
    self.subject = subject
    self.name = "records/" + (name ?? target.database ?? "database")
  }

  /// Whether a text is a URL of such a database.
  public static func isURL(_ text: String) -> Bool { PostgresTarget.isURL(text) }

  /// Walks, and pushes every table with rows of the person's into the writer.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    if !FileColumns.needPrograms(files) { return try await export(FileColumns(files), into: &writer) }
    try await FileColumns.export(files, into: &writer) { files, writer in
      try Task.checkCancellation()
      try await export(files, into: &writer)
    }
  }

  private func export(_ files: FileColumns, into writer: inout EntryWriter) async throws {
    var store = try open()
    writer.markSnapshot()
    writer.set(schema: .declared)
    let walk = try walk(&store)
    var all = Set(walk.collections)
    all.formUnion(walk.plan.lookups.filter { !walk.lookups[$0].isEmpty })
    let types = try ValueTypes(of: Set(all.flatMap { store.catalogue.tables[$0].columns.map(\.type) }), in: store.connection)
    let files = try NamedFiles.configured(files, in: store.catalogue.schema, isShared: true)
    for table in walk.collections where store.catalogue.tables[table].obstacle == nil {
      try await write(table, walk.rows(of: table), isLookup: false, files, store, types, into: &writer)
    }
    for table in walk.plan.lookups where !walk.lookups[table].isEmpty {
      try await write(table, walk.lookups[table].sorted(), isLookup: true, files, store, types, into: &writer)
    }
    name(walk, store, in: &writer)
    try store.connection.endSnapshot()
  }

  private func write(
    _ table: Int, _ rows: [RowHandle], isLookup: Bool, _ files: NamedFiles, _ store: borrowing DatabaseStore, _ types: ValueTypes,
    into writer: inout EntryWriter
  ) async throws {
    var description = store.catalogue.description(of: table, isLookup: isLookup, secrets: writer.secrets)
    let named = try files.values(of: &description)
    var reader = TableReader(table, store.catalogue, types: types, files: named, limits: writer.limits)
    try await writer.collection(description) { records in try reader.write(rows, of: store, to: &records) }
    reader.files.report(to: &writer)
  }

  /// Names what isn't inside.
  private func name(_ walk: Walk, _ store: borrowing DatabaseStore, in writer: inout EntryWriter) {
    let tables = walk.plan.schema.tables
    for table in store.unreadable.sorted() {
      writer.omit(tables[table].qualifiedName, .unreadable, detail: store.catalogue.tables[table].obstacle)
    }
    for (table, count) in walk.undecided.enumerated() where count > 0 {
      writer.omit(tables[table].qualifiedName, .undecided, count: count)
    }
    for (table, columns) in walk.plan.unclaimed {
      writer.omit(tables[table].qualifiedName, .unclaimed, detail: "it has " + columns.joined(separator: ", "))
    }
    for (table, reason) in walk.plan.excluded { writer.omit(tables[table].qualifiedName, .excluded, detail: reason) }
  }

  /// The walk to the person's rows, with its plan. It writes nothing.
  public func walk() async throws -> Walk? {
    var store = try open()
    let walk = try walk(&store)
    try store.connection.endSnapshot()
    return walk
  }

  /// The values of a column in the person's own rows, read in a transaction of their own.
  public func values(of place: String) async throws -> [String] {
    var store = try open()
    let walk = try walk(&store)
    let values = try translating { try walk.values(of: place, in: &store) }
    try store.connection.endSnapshot()
    return values
  }

  /// The walk with its counts; nothing of it with `sizes`, since a database says no size of one person's records.
  public func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    if depth == .sizes { return SourcePlan() }
    var store = try open()
    let walk = try walk(&store)
    var plan = SourcePlan(items: 0)
    let tables = walk.plan.schema.tables
    for table in walk.collections { add(tables[table].qualifiedName, walk.count(of: table), to: &plan) }
    for table in walk.plan.lookups where !walk.lookups[table].isEmpty {
      add("lookups/" + tables[table].qualifiedName, walk.lookups[table].count, to: &plan)
    }
    for table in store.unreadable.sorted() { plan.parts.append(.init(name: tables[table].qualifiedName, leftOut: .unreadable)) }
    for (table, count) in walk.undecided.enumerated() where count > 0 {
      plan.parts.append(.init(name: tables[table].qualifiedName, items: count, leftOut: .undecided))
    }
    for (table, _) in walk.plan.unclaimed { plan.parts.append(.init(name: tables[table].qualifiedName, leftOut: .unclaimed)) }
    for (table, _) in walk.plan.excluded { plan.parts.append(.init(name: tables[table].qualifiedName, leftOut: .excluded)) }
    try store.connection.endSnapshot()
    return plan
  }

  private func add(_ name: String, _ count: Int, to plan: inout SourcePlan) {
    plan.parts.append(.init(name: name, items: count))
    plan.items = plan.items.map { $0 + count }
  }

  private func open() throws -> DatabaseStore {
    do {
      let connection = try PostgresConnection.open(target)
      try connection.beginSnapshot()
      return try DatabaseStore(connection)
    } catch let error as PostgresError {
      throw ExportError(.badInput, "\(target) can't be read", cause: error)
    }
  }

  private func walk(_ store: inout DatabaseStore) throws -> Walk {
    try translating {
      let plan = try subject.plan(for: store.catalogue.schema)
      store.set(schema: plan.schema)
      return try plan.walk(from: subject.starts, in: &store)
    }
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as OwnershipError {
      throw ExportError(error.code == .configuration ? .configuration : .badInput, error.message, hint: error.hint)
    } catch let error as PostgresError {
      throw ExportError(.badInput, "\(target) can't be read", cause: error)
    }
  }
}

extension Catalogue {
  /// A table as the writer describes its collection.
  func description(of table: Int, isLookup: Bool, secrets: SecretRules) -> CollectionDescription {
    let (shape, keys) = (schema.tables[table], keyColumns(of: table))
    var description = CollectionDescription(
      shape.qualifiedName,
      columns: tables[table].columns.map {
        CollectionDescription.Column(
          $0.name, isKey: keys.contains($0.name), isPrimary: shape.primaryKey.contains($0.name), expression: $0.expression)
      })
    description.isLookup = isLookup
    // A masked key is no key, and rows of inheriting tables share nothing with their parent's.
    let isWhole = shape.primaryKey.allSatisfy { keys.contains($0) || !secrets.isSecret(name: $0) }
    if isWhole && !tables[table].hasParts { description.primaryKey = shape.primaryKey }
    for key in schema.keys where key.child == table && key.access == .value {
      description.foreignKeys.append(
        .init(
          columns: key.columns, collection: schema.tables[key.parent].qualifiedName, referenced: key.parentColumns, isSatisfied: false))
    }
    return description
  }
}
