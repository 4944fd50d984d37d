/// A reference from one table's columns to another's, declared by the database or named by the configuration.
public struct ForeignKey: Sendable, Hashable {
  /// Where a key comes from.
  public enum Origin: String, Sendable, Hashable {
    /// The database declares it.
    case declared
    /// The configuration names it.
    case configured
  }

  /// How the referring value lies in its column.
  public enum Access: Sendable, Hashable {
    /// It is the column's value.
    case value
    /// Each element of the column, an array, refers (in SQLite: a JSON array).
    case arrayElements
    /// It lies inside a JSON value, at a path (`$.author.id`; where an array lies there, each of its elements refers).
    case jsonPath(String)
  }

  /// What a row must say besides, for the reference to be one: a polymorphic reference has a column for the type of what it refers to.
  public struct Condition: Sendable, Hashable {
    /// The column of the referring table.
    public var column: String
    /// Its value, compared as text.
    public var value: String

    /// A column and its value.
    public init(column: String, value: String) {
      self.column = column
      self.value = value
    }
  }

  /// The index of the referring table.
  public var child: Int
  /// The referring columns.
  public var columns: [String]
  /// The index of the table that is referred to.
  public var parent: Int
  /// The columns that are referred to, in the order of ``columns``.
  public var parentColumns: [String]
  /// Whether at most one row refers to each row of the parent.
  public var isUnique = false
  /// Whether the rows go when the row that they refer to goes (`ON DELETE CASCADE`).
  public var cascades: Bool
  /// Whether one of the columns is the primary key's first.
  public var leads = false
  /// Whether the rows that refer to a row can be found by an index; nil where it isn't known.
  public var isIndexed: Bool?
  /// Where the key comes from.
  public var origin: Origin
  /// How the referring value lies in its column.
  public var access: Access
  /// What a row must say besides.
  public var condition: Condition?
  /// The role that the configuration gives the key; nil: the default.
  public var role: Role?

  init(
    child: Int, columns: [String], parent: Int, parentColumns: [String], cascades: Bool = false, origin: Origin = .declared,
    access: Access = .value, condition: Condition? = nil, role: Role? = nil
  ) {
    self.child = child
    self.columns = columns
    self.parent = parent
    self.parentColumns = parentColumns
    self.cascades = cascades
    self.origin = origin
    self.access = access
    self.condition = condition
    self.role = role
  }

  /// Whether a row refers by both keys to the same rows, whatever else is said of them.
  func refersLike(_ other: ForeignKey) -> Bool {
    child == other.child && parent == other.parent && access == other.access && condition == other.condition
      && Set(zip(columns, parentColumns).map { [$0, $1] }) == Set(zip(other.columns, other.parentColumns).map { [$0, $1] })
  }

  /// The referring columns as people write them: with the elements, the path and the condition.
  public var columnsText: String {
    let place =
      switch access {
      case .value: list(columns)
      case .arrayElements: list(columns) + "[]"
      case .jsonPath(let path): "\(list(columns)) \(path)"
      }
    return condition.map { "\(place) where \($0.column) is \($0.value)" } ?? place
  }
}

/// What a key into a table of people says about its row.
public enum Role: String, Sendable, Hashable, CaseIterable {
  /// The row is the same person, said once more: the subject's own, and the walk goes on from it as from the start.
  case identity
  /// Someone who did something about the row. It says nothing about whose it is.
  case actor
  /// The row belongs to the person, and the walk goes on.
  case owner
  /// The row names the person beside its owner: it is exported, the walk stops, and it is never deleted by default.
  case party
  /// It isn't known: rows are left out, and counted.
  case undecided

  /// Whether a row with such a key is somebody's by it: a table with such keys is entered by them alone.
  public var isClaim: Bool { self == .identity || self == .owner || self == .party }
}
