/// A walk kept beyond its rows: the values of the keys by which the subject's rows are known and referred to. With it the walk runs again without its
/// starting row, which is how it is proved that nothing is left.
public struct FrozenWalk: Sendable, Hashable {
  /// The subject's rows of one table.
  public struct Table: Sendable, Hashable {
    /// The table's qualified name.
    public var name: String
    /// The primary key's columns, then the others that references lead to.
    public var columns: [String]
    /// How many of the columns are the primary key's.
    public var primaryKeyCount: Int
    /// The values, row after row: as many for each row as there are columns.
    public var values: [KeyValue]

    /// The subject's rows of a table.
    public init(name: String, columns: [String], primaryKeyCount: Int, values: [KeyValue]) {
      self.name = name
      self.columns = columns
      self.primaryKeyCount = primaryKeyCount
      self.values = values
    }

    /// How many rows there are.
    public var count: Int { columns.isEmpty ? 0 : values.count / columns.count }

    /// The values of some of the columns, in pieces of at most `size` rows; rows in which one is null are left out, nothing refers to them.
    func forEachBatch(of places: [Int], size: Int, _ body: ([[KeyValue]]) throws -> Void) rethrows {
      var batch: [[KeyValue]] = []
      for row in 0..<count {
        let found = places.map { values[row * columns.count + $0] }
        if !found.contains(.null) { batch.append(found) }
        if batch.count >= size {
          try body(batch)
          batch.removeAll(keepingCapacity: true)
        }
      }
      if !batch.isEmpty { try body(batch) }
    }
  }

  /// The tables that held rows of the subject's own and have a key, or are referred to.
  public var tables: [Table]

  /// A walk that was kept.
  public init(tables: [Table]) {
    self.tables = tables
  }
}

extension Walk {
  /// The walk's keys and values. They take the room of the values themselves.
  public func frozen<Store: RelationalStore & ~Copyable>(in store: inout Store) throws -> FrozenWalk {
    var tables: [FrozenWalk.Table] = []
    for table in plan.entered where !own[table].isEmpty {
      let shape = plan.schema.tables[table]
      var columns = shape.primaryKey
      for key in plan.schema.keysTo[table] {
        for column in plan.schema.keys[key].parentColumns where !columns.contains(column) { columns.append(column) }
      }
      if columns.isEmpty { continue }
      var values: [KeyValue] = []
      values.reserveCapacity(own[table].count * columns.count)
      try own[table].sorted().forEachBatch(of: store.batchSize) { batch in
        try store.values(of: columns, in: table, rows: batch) { values += $0 }
      }
      tables.append(
        FrozenWalk.Table(name: shape.qualifiedName, columns: columns, primaryKeyCount: shape.primaryKey.count, values: values))
    }
    return FrozenWalk(tables: tables)
  }
}

/// A frozen walk's tables, found in the database as it is now.
struct KnownValues {
  private var tables: [Int: FrozenWalk.Table] = [:]
  private let schema: RelationalSchema

  /// No values: the walk starts from rows.
  init(none schema: RelationalSchema) {
    self.schema = schema
  }

  /// A table that isn't there any more has no rows left to find.
  init(_ frozen: FrozenWalk, in schema: RelationalSchema) {
    self.schema = schema
    for table in frozen.tables {
      if let index = schema.tables.firstIndex(where: { $0.qualifiedName == table.name }) { tables[index] = table }
    }
  }

  var tableIndexes: [Int] { tables.keys.sorted() }

  /// Whether rows of the key's parent are known.
  func knowsParent(ofKey index: Int) -> Bool { tables[schema.keys[index].parent] != nil }

  /// Calls for the values of the primary keys.
  func forEachPrimaryKey(of table: Int, size: Int, _ body: (_ columns: [String], _ values: [[KeyValue]]) throws -> Void) throws {
    guard let known = tables[table], known.primaryKeyCount > 0 else { return }
    let columns = Array(known.columns.prefix(known.primaryKeyCount))
    try known.forEachBatch(of: Array(columns.indices), size: size) { try body(columns, $0) }
  }

  /// Calls for the values that a key refers to.
  func forEachParent(ofKey index: Int, size: Int, _ body: ([[KeyValue]]) throws -> Void) throws {
    let key = schema.keys[index]
    guard let known = tables[key.parent] else { return }
    var places: [Int] = []
    for column in key.parentColumns {
      guard let place = known.columns.firstIndex(of: column) else {
        throw OwnershipError(.configuration, "the walk was frozen before \(schema.description(ofKey: index)) was a reference")
      }
      places.append(place)
    }
    try known.forEachBatch(of: places, size: size, body)
  }
}
