import SQLiteReading

/// What the to-one relationships of an entity's rows lead to, read beside the rows in the same order: SQLite looks the destinations up, and none is
/// asked for by itself.
final class ToOneLinks {
  /// What a link leads to.
  enum Link {
    case none
    /// Something else than the number of a row.
    case unreadable
    case to(Int64, entity: Int64?, exists: Bool)
  }

  /// One statement looks up so many tables at most: SQLite joins 64.
  private static let chunk = 48

  private let statements: [LinkStatement]

  /// Begins before the first row of an entity.
  init(_ layout: EntityLayout, in store: OpenStore) throws(SQLiteError) {
    var statements: [LinkStatement] = []
    var rest = layout.toOnes[...]
    while let table = layout.table, !rest.isEmpty {
      let sql = Self.query(rest.prefix(Self.chunk), of: table, entity: layout.number)
      statements.append(LinkStatement(try store.snapshot.connection.prepare(sql)))
      rest = rest.dropFirst(Self.chunk)
    }
    self.statements = statements
  }

  /// Four columns for each link: its number, the row there and its entity, and the entity that is noted beside it.
  private static func query(_ links: ArraySlice<ToOneLayout>, of table: SQLiteTable, entity: Int64) -> String {
    var columns = "SELECT t.Z_PK"
    var joins = ""
    for (index, link) in links.enumerated() {
      let value = "t.\(link.column.sql)"
      // Whatever else a damaged or strange row holds becomes a fraction, which is no number of a row.
      columns += ", CASE typeof(\(value)) WHEN 'integer' THEN \(value) WHEN 'null' THEN NULL ELSE 0.5 END"
      if let destination = link.destinationTable {
        columns += ", d\(index).Z_PK, d\(index).Z_ENT"
        joins += " LEFT JOIN main.\(destination.name.sql) AS d\(index) ON d\(index).Z_PK = \(value)"
      } else {
        columns += ", NULL, NULL"
      }
      columns += link.entityColumn.map { ", t.\($0.sql)" } ?? ", NULL"
    }
    return columns + " FROM main.\(table.name.sql) AS t NOT INDEXED\(joins) WHERE t.Z_ENT IN (\(entity)) ORDER BY t.Z_PK"
  }

  /// Moves on to the next row, which must be this one: both come from one state of the store.
  func move(to row: Int64) throws {
    for link in statements {
      if try !link.statement.step() || link.statement.integer(at: 0) != row { throw OutOfStep() }
    }
  }

  /// A damaged or strange table gave its rows or columns once in one way, and once in another.
  struct OutOfStep: Error, CustomStringConvertible {
    var description: String { "the rows don't come as they should" }
  }

  /// The link of the current row.
  func link(_ index: Int) -> Link {
    let (statement, first) = (index / Self.chunk, 1 + 4 * (index % Self.chunk))
    return statements[statement].link(at: first)
  }
}

/// A statement that stays at its row.
private final class LinkStatement {
  let statement: SQLiteStatement
  init(_ statement: consuming SQLiteStatement) { self.statement = statement }

  func link(at column: Int) -> ToOneLinks.Link {
    guard case .integer(let key) = statement.value(at: column) else {
      if case .null = statement.value(at: column) { return .none }
      return .unreadable
    }
    if case .integer = statement.value(at: column + 1) { return .to(key, entity: integer(at: column + 2), exists: true) }
    return .to(key, entity: integer(at: column + 3), exists: false)
  }

  private func integer(at column: Int) -> Int64? {
    if case .integer(let value) = statement.value(at: column) { return value }
    return nil
  }
}
