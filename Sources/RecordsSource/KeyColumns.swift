import AccountExport
import SQLiteReading

/// The columns of foreign keys, and of the keys that they refer to: references, so their names alone make no secrets of them.
struct KeyColumns {
  private var columns: [SQLiteName: Set<SQLiteName>] = [:]

  init(_ schema: SQLiteSchema) {
    for table in schema.tables {
      for key in table.foreignKeys {
        columns[table.name.folded, default: []].formUnion(key.columns.map(\.folded))
        columns[key.table.folded, default: []].formUnion(key.referenced.map(\.folded))
      }
    }
  }

  func contains(_ column: SQLiteName, of table: SQLiteName) -> Bool {
    columns[table.folded]?.contains(column.folded) ?? false
  }
}

/// A table as the writer describes its collection.
struct TableDescription {
  let collection: CollectionDescription

  /// - Parameter isSatisfied: Whether every reference by a key has its target among what is exported.
  init(
    _ table: SQLiteTable, _ columns: [SQLiteColumn], _ keys: KeyColumns, _ secrets: SecretRules,
    isSatisfied: (SQLiteForeignKey) throws -> Bool
  ) throws {
    let names = Self.unique(columns.map(\.name.exported))
    var collection = CollectionDescription(
      table.name.exported,
      columns: zip(columns, names).map { column, name in
        CollectionDescription.Column(
          name, isKey: keys.contains(column.name, of: table.name), isPrimary: column.keyPosition > 0,
          expression: column.isGenerated ? GeneratedColumn.expression(of: column.name, in: table.definition) : nil)
      })
    // A key of whole numbers alone is surely unique and never null, whatever the rows hold.
    if let key = table.numberKey, keys.contains(key, of: table.name) || !secrets.isSecret(name: key.exported) {
      collection.primaryKey = [key.exported]
    }
    for key in table.foreignKeys where !key.referenced.isEmpty {
      collection.foreignKeys.append(
        .init(
          columns: key.columns.map(\.exported), collection: key.table.exported, referenced: key.referenced.map(\.exported),
          isSatisfied: try isSatisfied(key)))
    }
    self.collection = collection
  }

  /// Keys of an object: names that only their invalid bytes tell apart get a number.
  private static func unique(_ names: [String]) -> [String] {
    var used: Set<[UInt8]> = []
    return names.map { name in
      var candidate = name
      var number = 2
      while !used.insert(Array(candidate.utf8)).inserted {
        candidate = name + "-\(number)"
        number += 1
      }
      return candidate
    }
  }
}
