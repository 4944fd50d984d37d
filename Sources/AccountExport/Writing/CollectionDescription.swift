/// A collection of records before its first row: its name, its columns, and what is known of its keys.
public struct CollectionDescription: Sendable {
  /// One column: every row has a value for it, in this order.
  public struct Column: Sendable {
    /// The name in the account, as it is written (a leading `$` is doubled by the writer).
    public var name: String
    /// Whether it is a foreign key's column, or the key that one references: then its name alone makes no secret of it.
    public var isKey: Bool
    /// Whether its texts were said to name files: then it is no secret by its name.
    public var namesFiles = false
    /// Whether it is of the primary key, masked or not: a masked value becomes a number then, the same wherever that key is.
    public var isPrimary = false
    /// The SQL expression that makes its values from others of their row, where it is a generated column. What is made from a masked value is masked.
    public var expression: String?

    /// A column.
    public init(_ name: String, isKey: Bool = false, isPrimary: Bool = false, expression: String? = nil) {
      self.name = name
      self.isKey = isKey
      self.isPrimary = isPrimary
      self.expression = expression
    }
  }

  /// A reference to another collection of the same source.
  public struct ForeignKey: Sendable, Hashable {
    /// The columns here.
    public var columns: [String]
    /// The collection referred to, by its name in the account.
    public var collection: String
    /// The columns there.
    public var referenced: [String]
    /// Whether every reference has its target; only then it stands in the Table Schema, where a reader may check it.
    public var isSatisfied: Bool

    /// A reference.
    public init(columns: [String], collection: String, referenced: [String], isSatisfied: Bool) {
      (self.columns, self.collection, self.referenced, self.isSatisfied) = (columns, collection, referenced, isSatisfied)
    }
  }

  /// The name in the account.
  public var name: String
  /// The columns, in the order of the rows' keys.
  public var columns: [Column]
  /// The columns of the primary key, where all of them are unique together and never null.
  public var primaryKey: [String] = []
  /// References to other collections.
  public var foreignKeys: [ForeignKey] = []
  /// Whether the rows are only here because others refer to them (they go to `lookups/`).
  public var isLookup = false

  /// A collection.
  public init(_ name: String, columns: [Column]) {
    self.name = name
    self.columns = columns
  }
}

/// How a collection ended.
public struct CollectionOutcome: Sendable {
  /// How many rows are inside.
  public let rows: Int
  /// What stopped it midway; the omission that names it is made already.
  public let failure: (any Error)?
}
