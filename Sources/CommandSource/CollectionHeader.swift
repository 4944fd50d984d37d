internal import AccountExport
internal import JSONReading

/// The line that begins a collection.
struct CollectionHeader {
  let name: String
  /// The columns; nil where they are to be told from the records.
  let columns: [Column]?
  let primaryKey: [String]
  let foreignKeys: [CollectionDescription.ForeignKey]
  let isLookup: Bool

  struct Column {
    let name: String
    /// Whether its texts are moments.
    let isMoment: Bool
  }

  init(_ fields: Fields) throws(ProgramFailure) {
    let fields = try fields.only(["collection", "columns", "primaryKey", "foreignKeys", "lookup"])
    name = try fields.text("collection")
    primaryKey = try fields.texts("primaryKey")
    isLookup = try fields.flag("lookup")
    columns = try fields["columns"].map { (value) throws(ProgramFailure) in try Self.columns(value, fields) }
    foreignKeys = try Self.foreignKeys(fields)
    try checkNames(fields)
  }

  private static func columns(_ value: JSONValue, _ fields: Fields) throws(ProgramFailure) -> [Column] {
    guard let elements = value.elements, !elements.isEmpty else { throw fields.failure("columns is no list, or an empty one") }
    var columns: [Column] = []
    for element in elements {
      if let name = element.text {
        columns.append(Column(name: name, isMoment: false))
        continue
      }
      guard let members = element.members else { throw fields.failure("a column is neither a name nor an object") }
      let column = try fields.inner(members).only(["name", "type"])
      let type = column["type"] == nil ? nil : try column.text("type")
      if let type, type != "datetime" { throw fields.failure("a column's type is datetime, or is left out: others show in the values") }
      guard let name = column["name"]?.text else { throw fields.failure("a column has no name") }
      columns.append(Column(name: name, isMoment: type != nil))
    }
    return columns
  }

  private static func foreignKeys(_ fields: Fields) throws(ProgramFailure) -> [CollectionDescription.ForeignKey] {
    guard let value = fields["foreignKeys"] else { return [] }
    guard let elements = value.elements else { throw fields.failure("foreignKeys is no list") }
    var keys: [CollectionDescription.ForeignKey] = []
    for element in elements {
      guard let members = element.members else { throw fields.failure("a foreign key is no object") }
      let key = try fields.inner(members).only(["columns", "collection", "referenced"])
      let (columns, referenced) = (try key.texts("columns"), try key.texts("referenced"))
      guard !columns.isEmpty, columns.count == referenced.count else {
        throw fields.failure("a foreign key has not as many columns here as there")
      }
      // Whether every target is there is not checked, so a reader of the bundle is not told to.
      keys.append(.init(columns: columns, collection: try key.text("collection"), referenced: referenced, isSatisfied: false))
    }
    return keys
  }

  private func checkNames(_ fields: Fields) throws(ProgramFailure) {
    guard let columns else {
      if !primaryKey.isEmpty || !foreignKeys.isEmpty { throw fields.failure("keys are declared, but no columns") }
      return
    }
    var index = ColumnIndex()
    var names: Set<[UInt8]> = []
    for column in columns {
      if !names.insert(Array(column.name.utf8)).inserted { throw fields.failure("a column comes twice") }
      if !index.add(Array(column.name.utf8)) { throw fields.failure("there are more than \(ColumnIndex.mostColumns) columns") }
    }
    for name in primaryKey + foreignKeys.flatMap(\.columns) where !names.contains(Array(name.utf8)) {
      throw fields.failure("a key has a column that is not declared")
    }
  }

  /// The collection, with its columns as they were declared or are known by now.
  func description(columns names: [String]) -> CollectionDescription {
    let keys = Set(foreignKeys.flatMap(\.columns).map { Array($0.utf8) })
    var description = CollectionDescription(name, columns: names.map { .init($0, isKey: keys.contains(Array($0.utf8))) })
    description.primaryKey = primaryKey
    description.foreignKeys = foreignKeys
    description.isLookup = isLookup
    return description
  }
}

extension Fields {
  /// The members of an object in this message.
  func inner(_ members: [JSONValue.Member]) -> Fields { Fields(members, line: line) }
}
