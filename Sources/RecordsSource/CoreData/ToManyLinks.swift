import SQLiteReading

/// The links of one to-many relationship, in the order of their owners, to be taken along with these: one walk for all rows, never a query for each.
final class ToManyLinks {
  struct Member {
    let key: Int64
    let entity: Int64?
    let exists: Bool
  }

  private let statement: SQLiteStatement
  private let store: OpenStore
  private let onlyEntity: Int64?
  private var owner: Int64?
  private var isAtStart = true

  /// Begins before the first owner.
  init(_ layout: ToManyLayout, in store: OpenStore) throws(SQLiteError) {
    self.store = store
    onlyEntity = layout.onlyEntity
    store.snapshot.connection.noteProgress()
    statement = try store.snapshot.connection.prepare(Self.query(layout))
  }

  /// Owner, member, the member's row and its entity. SQLite sorts on the disk what no index has in this order.
  private static func query(_ layout: ToManyLayout) -> String {
    func order(_ alias: String) -> String { layout.order.map { "\(alias).\($0.sql) IS NULL, \(alias).\($0.sql), " } ?? "" }
    switch layout.place {
    case .column(let column, let table):
      let value = "t.\(column.sql)"
      let entity = layout.onlyEntity == nil ? "t.Z_ENT" : "NULL"
      return "SELECT \(value), t.Z_PK, t.Z_PK, \(entity) FROM main.\(table.name.sql) AS t"
        + " WHERE \(value) IS NOT NULL AND typeof(\(value)) = 'integer' ORDER BY \(value), \(order("t"))t.Z_PK"
    case .joined(let table, let owners, let members, let destination):
      let (owner, member) = ("j.\(owners.sql)", "j.\(members.sql)")
      return "SELECT \(owner), \(member), d.Z_PK, d.Z_ENT FROM main.\(table.name.sql) AS j"
        + " LEFT JOIN main.\(destination.name.sql) AS d ON d.Z_PK = \(member)"
        + " WHERE typeof(\(owner)) = 'integer' AND typeof(\(member)) = 'integer' ORDER BY \(owner), \(order("j"))\(member)"
    }
  }

  /// The owner's next member; nil after its last. Owners must be asked for in ascending order.
  func next(of row: Int64) throws(SQLiteError) -> Member? {
    if isAtStart {
      isAtStart = false
      try advance()
    }
    // Owners that are gone, or of another entity in the same table.
    while let owner, owner < row { try advance() }
    guard owner == row else { return nil }
    let exists: Bool
    if case .integer = statement.value(at: 2) { exists = true } else { exists = false }
    var entity = exists ? onlyEntity : nil
    if exists, entity == nil, case .integer(let number) = statement.value(at: 3) { entity = number }
    let member = Member(key: statement.integer(at: 1), entity: entity, exists: exists)
    try advance()
    return member
  }

  private func advance() throws(SQLiteError) {
    store.snapshot.connection.noteProgress()
    owner = try statement.step() ? statement.integer(at: 0) : nil
  }
}

extension ToManyLayout {
  /// The number of links whose ends are no numbers of rows, which `ToManyLinks` leaves out and nothing else tells of.
  func unreadableLinks(in store: OpenStore) throws(SQLiteError) -> Int {
    switch place {
    case .column(let column, let table):
      return isOneWay ? try store.count("main.\(table.name.sql) AS t WHERE typeof(t.\(column.sql)) NOT IN ('integer', 'null')") : 0
    case .joined(let table, let owners, let members, _):
      return try store.count(
        "main.\(table.name.sql) AS j WHERE typeof(j.\(owners.sql)) <> 'integer' OR typeof(j.\(members.sql)) <> 'integer'")
    }
  }

  /// Owners that are named by links and aren't there, up to a number of them: their links are in no record.
  func missingOwners(in table: SQLiteTable, of store: OpenStore, most: Int) throws(SQLiteError) -> [Int64] {
    guard isOneWay, case .column(let column, let holder) = place else { return [] }
    store.snapshot.connection.noteProgress()
    let value = "t.\(column.sql)"
    let statement = try store.snapshot.connection.prepare(
      "SELECT DISTINCT \(value) FROM main.\(holder.name.sql) AS t WHERE typeof(\(value)) = 'integer' AND NOT EXISTS "
        + "(SELECT 1 FROM main.\(table.name.sql) AS o WHERE o.Z_PK = \(value)) LIMIT \(most)")
    var found: [Int64] = []
    while try statement.step() { found.append(statement.integer(at: 0)) }
    return found
  }
}

extension OpenStore {
  /// Counts the rows of a table, or of a table with a condition.
  func count(_ source: String) throws(SQLiteError) -> Int {
    snapshot.connection.noteProgress()
    let statement = try snapshot.connection.prepare("SELECT count(*) FROM \(source)")
    return try statement.step() ? Int(clamping: statement.integer(at: 0)) : 0
  }
}
