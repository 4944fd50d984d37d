/// A column of a table, in the table's order. Hidden columns of virtual tables are no columns here.
public struct SQLiteColumn: Hashable, Sendable {
  /// Its name.
  public let name: SQLiteName
  /// The type as it was declared: any text, or none. It says nothing about the values' storage classes.
  public let declaredType: String
  /// Whether its values are computed, stored or not.
  public let isGenerated: Bool
  /// Its place in the primary key, from 1; 0 outside of it.
  public let keyPosition: Int
}

/// A foreign key of a table.
public struct SQLiteForeignKey: Hashable, Sendable {
  /// The table's own columns.
  public let columns: [SQLiteName]
  /// The table that they refer to; it need not exist.
  public let table: SQLiteName
  /// The columns there, in the order of `columns`: where none were declared, the primary key as far as it is known.
  public let referenced: [SQLiteName]
  /// What happens to the row when the other one is deleted (`CASCADE`, `SET NULL`, `NO ACTION`, …).
  public let onDelete: String
}

/// A table or view as the schema describes it.
public struct SQLiteTable: Sendable {
  /// What it is.
  public enum Kind: Hashable, Sendable {
    case ordinary, withoutRowid, virtual, view
    /// SQLite's own: `sqlite_sequence`, `sqlite_stat1`.
    case `internal`
  }

  /// One part of the order that its rows are read in.
  struct KeyTerm: Hashable, Sendable {
    let column: SQLiteName
    let collation: SQLiteName
    let isDescending: Bool
  }

  /// The order of rows that SQLite has at hand.
  enum Order: Hashable, Sendable {
    case rowid
    case index(SQLiteName, [KeyTerm])
    case none
  }

  /// Its name.
  public let name: SQLiteName
  /// What it is.
  public let kind: Kind
  /// The virtual table that keeps its own data in this one; nil too where that one can't be read, so that nothing is lost.
  public internal(set) var shadowOf: SQLiteName?
  /// Its columns in order.
  public internal(set) var columns: [SQLiteColumn] = []
  /// Its foreign keys, as declared.
  public internal(set) var foreignKeys: [SQLiteForeignKey] = []
  /// The sets of columns that no two rows share: of the primary key and of whole unique indexes without expressions.
  public internal(set) var uniqueKeys: [[SQLiteName]] = []
  /// The columns of each whole index, in its order, up to the first expression.
  public internal(set) var indexes: [[SQLiteName]] = []
  /// Why it can't be read.
  public internal(set) var problem: SQLiteError?
  /// A name by which its rows' numbers can be asked for.
  var rowid: SQLiteName?
  var order = Order.none
  /// Columns, folded, that an index keeps in an order of the app's own: only the app could find anything by it.
  var strangelyOrdered: Set<SQLiteName> = []
  /// The statement that made it, where it has generated columns: only there it is said what they are made from.
  public internal(set) var definition: String?
  /// Bytes of the text that defines it, at most.
  var definitionBytes: UInt64 = 0

  init(name: SQLiteName, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Its primary key's columns, in the key's order; empty where it has none.
  public var primaryKey: [SQLiteName] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
  }
}
