import AccountExport
import CoreDataModel
import SQLiteReading

/// One entity's records: the table they lie in, and what becomes of its columns.
struct EntityLayout {
  /// A key of the records beside `id`.
  struct Field {
    enum Content {
      /// A column's value, by its place among the columns that are read.
      case attribute(ManagedObjectModel.Attribute, Int)
      case composite([Part])
      /// By their places among the layout's.
      case toOne(Int), toMany(Int)
    }

    let name: String
    let content: Content

    var isRelationship: Bool {
      switch content {
      case .toOne, .toMany: true
      case .attribute, .composite: false
      }
    }
  }

  /// A part of a composite attribute.
  struct Part {
    let name: String
    let content: Field.Content
  }

  let number: Int64
  let name: String
  let table: SQLiteTable?
  /// The columns that are read: `Z_PK`, then those of the attributes.
  private(set) var columns: [SQLiteName] = ["Z_PK"]
  private(set) var fields: [Field] = []
  var toOnes: [ToOneLayout] = []
  var toManys: [ToManyLayout] = []

  init(number: Int64, name: String, table: SQLiteTable?) {
    (self.number, self.name, self.table) = (number, name, table)
  }

  /// Takes a column among those that are read.
  mutating func place(of column: SQLiteName) -> Int {
    columns.append(column)
    return columns.count - 1
  }

  mutating func add(_ name: String, _ content: Field.Content) { fields.append(Field(name: name, content: content)) }

  /// Whether a property has the name of the records' own key, and so takes its place.
  var hidesIdentifier: Bool { fields.contains { $0.name == "id" } }

  /// The fields in the order in which they are written: a property called `id` stands where the records' own key would.
  var written: [Field] { fields.filter { $0.name == "id" } + fields.filter { $0.name != "id" } }

  var description: CollectionDescription {
    var columns = written.map { CollectionDescription.Column($0.name, isKey: $0.isRelationship) }
    if !hidesIdentifier { columns.insert(.init("id", isKey: true), at: 0) }
    var description = CollectionDescription(name, columns: columns)
    if !hidesIdentifier { description.primaryKey = ["id"] }
    return description
  }

  /// The rows that are the entity's own.
  var filter: SQLiteRowFilter { .matching("Z_ENT", in: [number]) }
}

/// A to-one relationship in its table.
struct ToOneLayout {
  let name: String
  /// The entity that the model names: of a row that isn't there, nothing else may be known.
  let destination: String
  let column: SQLiteName
  /// Where the destination's entity is noted beside the link.
  let entityColumn: SQLiteName?
  let destinationTable: SQLiteTable?
}

/// A to-many relationship: where its links lie.
struct ToManyLayout {
  enum Place {
    /// In a column of the rows that it leads to.
    case column(SQLiteName, of: SQLiteTable)
    /// In a table of its own, with the table that it leads to.
    case joined(SQLiteTable, owners: SQLiteName, members: SQLiteName, to: SQLiteTable)
  }

  let name: String
  let destination: String
  let place: Place
  /// The column of the order, where the relationship has one.
  let order: SQLiteName?
  /// Whether nothing but this relationship tells of its links: it has no inverse.
  let isOneWay: Bool
  /// The only entity that can be at the other end; nil where rows must be asked for theirs.
  let onlyEntity: Int64?
}
