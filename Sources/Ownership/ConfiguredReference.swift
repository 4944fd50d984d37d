/// A reference that the database doesn't declare, as the configuration names it.
public struct ConfiguredReference: Sendable, Hashable {
  /// The referring columns, `table.column` or `schema.table.column`.
  public var from: [String]
  /// The columns that are referred to, in the same order.
  public var to: [String]
  /// A column (written like ``from``) and its value, where the reference is one to this table only in some rows.
  public var condition: ForeignKey.Condition?
  /// How the referring value lies in its column.
  public var access: ForeignKey.Access
  /// What the reference says about its row; nil: what its name says.
  public var role: Role?

  /// A reference from columns to columns.
  public init(
    from: [String], to: [String], condition: ForeignKey.Condition? = nil, access: ForeignKey.Access = .value, role: Role? = nil
  ) {
    self.from = from
    self.to = to
    self.condition = condition
    self.access = access
    self.role = role
  }
}

extension RelationalSchema {
  /// The table of a name: `table` or `schema.table`, as it is spelt, or else in any case. Where several schemas have the table, it must be named with its own.
  public func table(named name: String) throws(OwnershipError) -> Int {
    guard let found = try find(table: name) else { throw OwnershipError(.configuration, "there is no table \(name)") }
    return found
  }

  /// The table and column that `table.column` means; both names may hold dots themselves.
  public func column(named place: String) throws(OwnershipError) -> (table: Int, column: String) {
    for dot in place.indices.reversed() where place[dot] == "." {
      guard let table = try find(table: String(place[..<dot])) else { continue }
      let wanted = String(place[place.index(after: dot)...])
      let columns = tables[table].columns.map(\.name)
      if let exact = columns.first(where: { same($0, wanted) }) ?? columns.first(where: { same($0.lowercased(), wanted.lowercased()) }) {
        return (table, exact)
      }
      throw OwnershipError(.configuration, "the table \(tables[table].qualifiedName) has no column \(wanted)")
    }
    let what = place.contains(".") ? "no table \(place[..<place.lastIndex(of: ".")!])" : "no place \(place): it is written table.column"
    throw OwnershipError(.configuration, "there is \(what)")
  }

  /// The one table of these places, and their columns.
  func place(of places: [String]) throws(OwnershipError) -> (table: Int, columns: [String]) {
    var found: (table: Int, columns: [String])?
    for name in places {
      let (table, column) = try column(named: name)
      if let first = found, first.table != table {
        throw OwnershipError(.configuration, "\(places.joined(separator: " and ")) aren't of one table")
      }
      found = (table, (found?.columns ?? []) + [column])
    }
    guard let found else { throw OwnershipError(.configuration, "a reference names no column") }
    return found
  }

  func resolve(_ reference: ConfiguredReference) throws(OwnershipError) -> ForeignKey {
    let (child, columns) = try place(of: reference.from)
    let (parent, parentColumns) = try place(of: reference.to)
    let text = "the reference from \(reference.from.joined(separator: ", "))"
    guard columns.count == parentColumns.count else {
      throw OwnershipError(.configuration, "\(text) has \(columns.count) columns and leads to \(parentColumns.count)")
    }
    guard reference.access == .value || columns.count == 1 else {
      throw OwnershipError(.configuration, "\(text) reads elements, so it can have one column only")
    }
    var condition = reference.condition
    if let stated = condition {
      let (table, column) = try column(named: stated.column)
      guard table == child else { throw OwnershipError(.configuration, "\(text) has a condition on another table, \(stated.column)") }
      condition?.column = column
    }
    return ForeignKey(
      child: child, columns: columns, parent: parent, parentColumns: parentColumns, origin: .configured, access: reference.access,
      condition: condition, role: reference.role)
  }

  private func find(table name: String) throws(OwnershipError) -> Int? {
    // As spelt before any other case, the schema that needs no naming before the others. It may be named all the same.
    let rules: [(TableShape) -> Bool] = [
      { same($0.qualifiedName, name) }, { same($0.qualifiedName.lowercased(), name.lowercased()) },
      { table in table.schema == nil && ["public.", "main."].contains { same($0 + table.name, name) } },
      { same($0.name, name) }, { same($0.name.lowercased(), name.lowercased()) },
    ]
    for rule in rules {
      let found = tables.indices.filter { rule(tables[$0]) }
      if found.count > 1 {
        throw OwnershipError(.configuration, "several tables are called \(name)", hint: "write its schema too, or the name as it is spelt")
      }
      if let only = found.first { return only }
    }
    return nil
  }
}

/// Byte for byte: to Swift, names in NFC and NFD are equal, to a database they are not.
private func same(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
