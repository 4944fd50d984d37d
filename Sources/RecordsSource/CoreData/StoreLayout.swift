import CoreDataModel
import SQLiteReading

/// A model laid over a store's tables: which table and column holds what.
struct StoreLayout {
  private(set) var entities: [EntityLayout] = []
  /// Tables that the model accounts for, by their folded names; all others are written as they are.
  private(set) var claimedTables: Set<SQLiteName> = []
  /// Columns that the model accounts for, by table.
  private(set) var claimedColumns: [SQLiteName: Set<SQLiteName>] = [:]

  private let model: ManagedObjectModel
  private let names: StoreNames
  private let tables: StoreTables
  private let numbers: [String: Int64]
  /// How many entities share a table.
  private let sharing: [String: Int]

  init(_ model: ManagedObjectModel, _ catalogue: EntityCatalogue, _ tables: StoreTables) {
    let names = StoreNames(model, numbers: catalogue.numbers)
    (self.model, self.names, self.tables, numbers) = (model, names, tables, catalogue.numbers)
    sharing = Dictionary(model.entities.keys.map { (names.table(of: $0), 1) }, uniquingKeysWith: +)
    for entry in catalogue.entries {
      if let entity = model.entities[entry.name] { add(entity, entry.number) }
    }
  }

  private mutating func add(_ entity: ManagedObjectModel.Entity, _ number: Int64) {
    let name = names.table(of: entity.name)
    let table = tables.entityTable(name)
    // A table that is there, but isn't Core Data's, is written as it is.
    if table == nil, tables.table(name) != nil { return }
    var layout = EntityLayout(number: number, name: entity.name, table: table)
    if let table {
      claimedTables.insert(table.name.folded)
      claim("Z_PK", "Z_ENT", "Z_OPT", of: table)
    }
    for attribute in entity.attributes { add(attribute, of: entity.name, to: &layout) }
    for relationship in entity.relationships { add(relationship, of: entity.name, to: &layout) }
    entities.append(layout)
  }

  private mutating func claim(_ columns: SQLiteName?..., of table: SQLiteTable) {
    claimedColumns[table.name.folded, default: []].formUnion(columns.compactMap { $0?.folded })
  }

  // MARK: Attributes

  private mutating func add(_ attribute: ManagedObjectModel.Attribute, of entity: String, to layout: inout EntityLayout) {
    guard let table = layout.table else { return layout.add(attribute.name, .composite([])) }
    if let content = content(of: attribute, attribute.name, [], entity, table, &layout) { layout.add(attribute.name, content) }
  }

  /// What an attribute is made of; nil where the table has no column for it.
  private mutating func content(
    of attribute: ManagedObjectModel.Attribute, _ name: String, _ path: [String], _ entity: String, _ table: SQLiteTable,
    _ layout: inout EntityLayout
  ) -> EntityLayout.Field.Content? {
    if attribute.elements.isEmpty {
      guard let column = names.column(of: name, part: path, in: entity).flatMap({ tables.column($0, of: table) }) else { return nil }
      claim(column, of: table)
      return .attribute(attribute, layout.place(of: column))
    }
    var parts: [EntityLayout.Part] = []
    for element in attribute.elements {
      if let content = content(of: element, name, path + [element.name], entity, table, &layout) {
        parts.append(EntityLayout.Part(name: element.name, content: content))
      }
    }
    return parts.isEmpty ? nil : .composite(parts)
  }

  // MARK: Relationships

  private mutating func add(_ relationship: ManagedObjectModel.Relationship, of entity: String, to layout: inout EntityLayout) {
    guard let table = layout.table else { return layout.add(relationship.name, .composite([])) }
    switch names.storage(of: relationship, in: entity) {
    case .toOne(let columns)?:
      guard let column = tables.column(columns.column, of: table) else { return }
      let entityColumn = tables.column(columns.entity, of: table)
      claim(column, entityColumn, of: table)
      layout.add(relationship.name, .toOne(layout.toOnes.count))
      layout.toOnes.append(
        ToOneLayout(
          name: relationship.name, destination: relationship.destination, column: column, entityColumn: entityColumn,
          destinationTable: tables.entityTable(names.table(of: relationship.destination))))
    case .inColumn(let name, let order)?:
      guard let destination = tables.entityTable(names.table(of: relationship.destination)),
        let column = tables.column(name, of: destination)
      else { return }
      // An order's name is given apart from its column's: where that has a number, the order may have it too.
      let found = tables.column(order, of: destination) ?? tables.column("Z_FOK_" + name.dropFirst(), of: destination)
      claim(column, of: destination)
      add(relationship, .column(column, of: destination), relationship.isOrdered ? found : nil, to: &layout)
    case .joined(let join)?:
      guard let destination = tables.entityTable(names.table(of: relationship.destination)) else { return }
      for name in join.tables {
        guard let table = tables.table(name), let columns = join.columns(among: table.columns.map(\.name.exported)),
          let owners = tables.column(columns.owners, of: table), let members = tables.column(columns.members, of: table)
        else { continue }
        claimedTables.insert(table.name.folded)
        let order = relationship.isOrdered ? columns.order.flatMap { tables.column($0, of: table) } : nil
        return add(relationship, .joined(table, owners: owners, members: members, to: destination), order, to: &layout)
      }
    case nil: break
    }
  }

  private func add(
    _ relationship: ManagedObjectModel.Relationship, _ place: ToManyLayout.Place, _ order: SQLiteName?, to layout: inout EntityLayout
  ) {
    layout.add(relationship.name, .toMany(layout.toManys.count))
    layout.toManys.append(
      ToManyLayout(
        name: relationship.name, destination: relationship.destination, place: place, order: order,
        isOneWay: relationship.inverse.flatMap { model.entities[relationship.destination]?.relationship($0) } == nil,
        onlyEntity: sharing[names.table(of: relationship.destination)] == 1 ? numbers[relationship.destination] : nil))
  }
}
