package import AccountExport
package import Ownership
internal import Processes

/// The columns of a store whose texts name files: those that the configuration tells of, and those that look as if they did.
package struct NamedFiles {
  private let columns: [String: [String: FileColumn.Place]]
  private let wake: Wake?
  /// Why the files of columns aren't inside that only look as if they named some; nil where such columns aren't told of.
  private let otherwise: Omission.Reason?

  /// - Parameters:
  ///   - told: What the configuration says.
  ///   - schema: The store's tables.
  ///   - isShared: Whether many share the store. Then columns are told of that look as if they named files: they are unclaimed once anything is said of
  ///     the store's files, since the rest was forgotten then, and else only records were asked for. Who exports a store of an account's own exports its files
  ///     beside it.
  /// - Throws: `OwnershipError` where a column isn't there, or is told of twice.
  package init(_ told: FileColumns, in schema: RelationalSchema, isShared: Bool) throws(OwnershipError) {
    var columns: [String: [String: FileColumn.Place]] = [:]
    for file in told.columns {
      let (table, column) = try schema.column(named: file.column)
      let name = schema.tables[table].qualifiedName
      if columns[name, default: [:]].updateValue(file.place, forKey: column) != nil {
        throw OwnershipError(.configuration, "where the files of \(file.column) are is said twice")
      }
    }
    (self.columns, wake) = (columns, told.wake)
    otherwise = isShared ? (told.columns.isEmpty ? .manifestOnly : .unclaimed) : nil
  }

  /// The same, with the errors of an export.
  package static func configured(_ told: FileColumns, in schema: RelationalSchema, isShared: Bool) throws(ExportError) -> NamedFiles {
    do throws(OwnershipError) { return try NamedFiles(told, in: schema, isShared: isShared) } catch {
      throw ExportError(.configuration, error.message, hint: error.hint)
    }
  }

  /// The files of a collection's rows. Its description is changed with its columns: a file's name is no secret by the column's name, and no key.
  /// - Throws: `ExportError` where a column of a reference is to become files: what refers to it would lead nowhere.
  package func values(of collection: inout CollectionDescription) throws(ExportError) -> FileValues {
    var found: [FileValues.Column] = []
    for index in collection.columns.indices {
      let column = collection.columns[index]
      let place = columns[collection.name]?[column.name]
      if place?.hasFiles == true {
        if column.isKey {
          throw ExportError(.configuration, "\(collection.name).\(column.name) is a key of rows, so files can't stand in its place")
        }
        collection.columns[index].namesFiles = true
        if collection.primaryKey.contains(column.name) { collection.primaryKey = [] }
      }
      let isLooked = !collection.isLookup && FileColumnRules.standard.mayNameFiles(column: column.name)
      found.append(FileValues.Column(place, otherwise: isLooked ? otherwise : nil, wake))
    }
    return FileValues(found, names: collection.columns.map { "\(collection.name).\($0.name)" })
  }
}
