import Ownership
import SQLiteReading

/// The tables of a shared store and the references between them, as the walk sees them.
struct SharedStore {
  /// The tables: first those whose rows can be walked, then virtual ones, of which only the columns are looked at.
  let tables: [SQLiteTable]
  /// How many can be walked.
  let walkable: Int
  /// Tables whose rows can't be told apart, or whose description can't be read: whatever they hold is missing.
  let unreadable: [SQLiteTable]
  /// The same for the walk. A name that is no UTF-8 has its invalid bytes escaped.
  private(set) var schema: RelationalSchema
  /// For each declared foreign key, by the place of its table and its own, the index in the schema.
  private(set) var keyIndexes: [Int: [Int: Int]] = [:]

  init(_ store: OpenStore) {
    let own = store.schema.tables.filter { $0.kind != .view && $0.kind != .internal && $0.shadowOf == nil }
    let found = own.filter(SQLiteRowFinder.canTellRows)
    tables = found + own.filter { $0.kind == .virtual && $0.problem == nil }
    walkable = found.count
    unreadable = own.filter { $0.problem != nil || ($0.kind != .virtual && !SQLiteRowFinder.canTellRows(of: $0)) }
    schema = RelationalSchema(tables: tables.map(Self.shape))
    let places = Dictionary(tables[..<walkable].indices.map { (tables[$0].name.folded, $0) }) { first, _ in first }
    for child in tables[..<walkable].indices {
      for (place, key) in tables[child].foreignKeys.enumerated() {
        guard let parent = places[key.table.folded] else { continue }  // to a table that isn't there: it refers to nothing
        declare(key, place, child, parent)
      }
    }
  }

  private mutating func declare(_ key: SQLiteForeignKey, _ place: Int, _ child: Int, _ parent: Int) {
    let columns = key.columns.compactMap { tables[child].column($0)?.exported }
    let referenced = key.referenced.compactMap { tables[parent].column($0)?.exported }
    // A key to columns that aren't there, or to another number of them, never holds.
    guard !columns.isEmpty, columns.count == key.columns.count, referenced.count == columns.count else { return }
    let cascades = key.onDelete.uppercased() == "CASCADE"
    keyIndexes[child, default: [:]][place] = schema.declare(
      child: child, columns: columns, parent: parent, parentColumns: referenced, cascades: cascades)
  }

  private static func shape(_ table: SQLiteTable) -> TableShape {
    let names: ([SQLiteName]) -> [String] = { $0.map { table.column($0)?.exported ?? $0.exported } }
    var indexes = table.indexes.map(names)
    if let number = table.numberKey { indexes.append(names([number])) }
    return TableShape(
      name: table.name.exported, columns: table.columns.map { TableShape.Column($0.name.exported, $0.declaredType) },
      primaryKey: names(table.primaryKey), uniqueKeys: table.uniqueKeys.map(names), indexes: indexes)
  }
}

extension SQLiteTable {
  /// A column's name as the table spells it.
  func column(_ name: SQLiteName) -> SQLiteName? {
    let folded = name.folded
    return columns.first { $0.name.folded == folded }?.name
  }
}

/// A shared store, open to be walked.
struct WalkedStore: RelationalStore {
  let store: OpenStore
  let finder: SQLiteRowFinder
  private let columns: [[String: SQLiteName]]

  /// - Parameter schema: The shared store's, with what the configuration adds.
  init(_ store: OpenStore, _ shared: SharedStore, _ schema: RelationalSchema) throws {
    self.store = store
    let columns = shared.tables.map { table in
      Dictionary(table.columns.map { ($0.name.exported, $0.name) }) { first, _ in first }
    }
    let references = try schema.keys.map { key in
      for table in [key.child, key.parent] where table >= shared.walkable {
        throw OwnershipError(
          .configuration, "\(schema.tables[table].name) is a virtual table: nothing can refer to its rows, or be referred to")
      }
      return SQLiteReference(key, columns[key.child], columns[key.parent])
    }
    self.columns = columns
    finder = SQLiteRowFinder(tables: Array(shared.tables[..<shared.walkable]), references: references, encoding: store.schema.encoding)
  }

  var batchSize: Int { 8_192 }

  func rows(of table: Int, where column: String, is value: String, limit: Int) throws -> [RowHandle] {
    guard table < finder.tables.count else {
      throw OwnershipError(.subject, "the subject's row lies in a virtual table", hint: "name a row of an ordinary table")
    }
    return try finder.rows(of: table, where: name(column, table), isText: value, limit: limit, in: store.snapshot)
  }

  func rows(referringBy question: ReferringRows, to parents: [RowHandle], _ body: (RowHandle, [Bool]) throws -> Void) throws {
    try Task.checkCancellation()
    let asked = SQLiteRowFinder.Referring(question.key, lacking: question.lacking, noting: question.noting)
    try finder.rows(referringBy: asked, to: parents, in: store.snapshot, body)
  }

  func rows(referringBy question: ReferringRows, toValues values: [[KeyValue]], _ body: (RowHandle, [Bool]) throws -> Void) throws {
    let asked = SQLiteRowFinder.Referring(question.key, lacking: question.lacking, noting: question.noting)
    try finder.rows(referringBy: asked, toValues: values.map { $0.map(SQLiteKeyValue.init) }, in: store.snapshot, body)
  }

  func rows(referredToBy key: Int, from children: [RowHandle], _ body: (RowHandle) throws -> Void) throws {
    try Task.checkCancellation()
    try finder.rows(referredToBy: key, from: children, in: store.snapshot, body)
  }

  func values(of columns: [String], in table: Int, rows: [RowHandle], _ body: ([KeyValue]) throws -> Void) throws {
    try finder.values(of: columns.map { name($0, table) }, in: table, rows: rows, in: store.snapshot) { try body($0.map(KeyValue.init)) }
  }

  func rows(of table: Int, where columns: [String], are values: [[KeyValue]], _ body: (RowHandle) throws -> Void) throws {
    let sets = values.map { $0.map(SQLiteKeyValue.init) }
    try finder.rows(of: table, where: columns.map { name($0, table) }, are: sets, in: store.snapshot, body)
  }

  private func name(_ column: String, _ table: Int) -> SQLiteName { columns[table][column] ?? SQLiteName(column) }
}

extension SQLiteReference {
  init(_ key: ForeignKey, _ child: [String: SQLiteName], _ parent: [String: SQLiteName]) {
    let access: Access =
      switch key.access {
      case .value: .value
      case .arrayElements: .elements(path: "$")
      case .jsonPath(let path): .elements(path: path)
      }
    self.init(
      child: key.child, columns: key.columns.map { child[$0] ?? SQLiteName($0) }, parent: key.parent,
      parentColumns: key.parentColumns.map { parent[$0] ?? SQLiteName($0) }, access: access,
      condition: key.condition.map { Condition(column: child[$0.column] ?? SQLiteName($0.column), text: $0.value) })
  }
}

extension KeyValue {
  init(_ value: SQLiteKeyValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .invalidText(let bytes): self = .invalidText(bytes)
    case .blob(let bytes): self = .bytes(bytes)
    }
  }
}

extension SQLiteKeyValue {
  init(_ value: KeyValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .invalidText(let bytes): self = .invalidText(bytes)
    case .bytes(let bytes): self = .blob(bytes)
    }
  }
}
