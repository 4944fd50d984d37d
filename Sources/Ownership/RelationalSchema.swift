/// A table as far as ownership needs it: its names and its keys, nothing of its rows.
public struct TableShape: Sendable, Hashable {
  /// A column.
  public struct Column: Sendable, Hashable {
    /// The column's name.
    public var name: String
    /// Its type, as the schema declares it; nil where it declares none.
    public var declaredType: String?

    /// A column of a name and a type.
    public init(_ name: String, _ declaredType: String? = nil) {
      self.name = name
      self.declaredType = declaredType
    }
  }

  /// The schema that the table lies in; nil in the one that needs no naming (`public`, SQLite's `main`).
  public var schema: String?
  /// The table's own name.
  public var name: String
  /// The columns, in their order.
  public var columns: [Column]
  /// The primary key's columns, in their order; empty where there is none.
  public var primaryKey: [String]
  /// The other sets of columns that no two rows share: of unique constraints and of whole unique indexes without expressions.
  public var uniqueKeys: [[String]]
  /// The columns of every index, in their order, beside those of the keys above; nil where it isn't known.
  public var indexes: [[String]]?

  /// A table of a name and columns.
  public init(
    schema: String? = nil, name: String, columns: [Column], primaryKey: [String] = [], uniqueKeys: [[String]] = [],
    indexes: [[String]]? = nil
  ) {
    self.schema = schema
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.indexes = indexes
  }

  /// The name as it is written for people and in the configuration: `table`, or `schema.table`.
  public var qualifiedName: String { schema.map { "\($0).\(name)" } ?? name }

  /// Whether no two rows have the same values in these columns.
  func isUnique(_ columns: [String]) -> Bool {
    ([primaryKey] + uniqueKeys).contains { !$0.isEmpty && Set($0).isSubset(of: columns) }
  }

  /// Whether rows with given values in these columns can be found without reading all; nil where the indexes aren't known.
  func isIndexed(_ columns: [String]) -> Bool? {
    let wanted = Set(columns)
    let leads: ([String]) -> Bool = { $0.first.map(wanted.contains) ?? false }
    if ([primaryKey] + uniqueKeys).contains(where: leads) { return true }
    return indexes?.contains(where: leads)
  }
}

/// The tables of a database and the references between them. A table's, a key's *index* is its place here.
public struct RelationalSchema: Sendable {
  /// The tables.
  public let tables: [TableShape]
  /// The references, declared and configured.
  public private(set) var keys: [ForeignKey] = []
  /// The indexes of each table's keys, and of the keys that refer to it.
  private(set) var keysFrom: [[Int]], keysTo: [[Int]]

  /// A database with these tables.
  public init(tables: [TableShape]) {
    self.tables = tables
    keysFrom = tables.map { _ in [] }
    keysTo = tables.map { _ in [] }
  }

  /// Adds a foreign key that the database declares, and gives its index. What its table's shape tells (is it unique, does it lead the primary key) is
  /// worked out here. The same reference declared twice is one, which cascades if either does.
  @discardableResult
  public mutating func declare(child: Int, columns: [String], parent: Int, parentColumns: [String], cascades: Bool = false) -> Int {
    let key = ForeignKey(child: child, columns: columns, parent: parent, parentColumns: parentColumns, cascades: cascades)
    guard let same = keysFrom[child].first(where: { keys[$0].refersLike(key) }) else {
      add(key)
      return keys.count - 1
    }
    keys[same].cascades = keys[same].cascades || cascades
    return same
  }

  /// Adds a reference that the configuration names. One that is declared already only gets the role that the configuration gives.
  public mutating func configure(_ reference: ConfiguredReference) throws(OwnershipError) {
    let key = try resolve(reference)
    if let same = keysFrom[key.child].first(where: { keys[$0].refersLike(key) }) {
      keys[same].role = key.role ?? keys[same].role
    } else {
      add(key)
    }
  }

  /// Sets the role of a key, named by its column or columns, and where several begin there by the table that it refers to.
  public mutating func set(role: Role, ofKey columns: [String], to parent: String? = nil) throws(OwnershipError) {
    let (table, names) = try place(of: columns)
    let target: Int? = if let parent { try self.table(named: parent) } else { nil }
    let found = keysFrom[table].filter { Set(keys[$0].columns) == Set(names) && (target == nil || keys[$0].parent == target) }
    let name = columns.joined(separator: ", ")
    guard !found.isEmpty else { throw OwnershipError(.configuration, "no reference begins at \(name), so it can have no role") }
    guard found.count == 1 else {
      throw OwnershipError(
        .configuration, "several references begin at \(name)", hint: "name the table that the reference leads to as well")
    }
    keys[found[0]].role = role
  }

  private mutating func add(_ key: ForeignKey) {
    var key = key
    let shape = tables[key.child]
    let fixed = key.condition.map { [$0.column] } ?? []
    key.isUnique = key.access == .value && shape.isUnique(key.columns + fixed)
    key.leads = shape.primaryKey.first.map(key.columns.contains) ?? false
    key.isIndexed = key.access == .value ? shape.isIndexed(key.columns) : shape.indexes.map { _ in false }
    keysFrom[key.child].append(keys.count)
    keysTo[key.parent].append(keys.count)
    keys.append(key)
  }

  /// A key as people write it: `messages.sender_id → users.id`.
  public func description(ofKey index: Int) -> String {
    let key = keys[index]
    return "\(tables[key.child].qualifiedName).\(key.columnsText) → \(tables[key.parent].qualifiedName).\(list(key.parentColumns))"
  }
}

/// One column bare, several in parentheses.
func list(_ columns: [String]) -> String {
  columns.count == 1 ? columns[0] : "(" + columns.joined(separator: ", ") + ")"
}
