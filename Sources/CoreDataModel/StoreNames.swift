/// The names that Core Data gives a model's parts in SQLite.
///
/// An inheritance tree has one table, `Z` and the name of its root in capitals. A property's column is `Z` and its name in capitals; where several
/// entities of a tree declare the same name, the later ones (by the entities' numbers) get a digit after it: `ZNAME`, `ZNAME1`. All names
/// are given once a tree, so that a name that is taken, as the column of a property `name1`, is passed over.
public struct StoreNames: Sendable {
  private let model: ManagedObjectModel
  private let numbers: [String: Int64]
  private var attributes: [Declared: [[String]: String]] = [:]
  private var toOnes: [Declared: ToOne] = [:]

  private struct Declared: Hashable {
    let entity: String
    let property: String
  }

  /// The columns of a to-one relationship.
  public struct ToOne: Sendable, Hashable {
    /// The destination's `Z_PK`.
    public var column: String
    /// The place among the destination's related records, where they have an order.
    public var order: String
    /// The destination's `Z_ENT`, where there is such a column.
    public var entity: String
  }

  /// Where a relationship is stored.
  public enum Storage: Sendable, Hashable {
    /// In the row itself.
    case toOne(ToOne)
    /// In the rows that it leads to: the column with the owner's `Z_PK`, and the one with the order.
    case inColumn(String, order: String)
    /// In a table of its own.
    case joined(JoinNames)
  }

  /// - Parameter numbers: The store's number of each entity (`Z_ENT`); entities without one are not in the store.
  public init(_ model: ManagedObjectModel, numbers: [String: Int64]) {
    (self.model, self.numbers) = (model, numbers)
    var trees: [String: [String]] = [:]
    for name in model.entities.keys where numbers[name] != nil { trees[model.root(of: name), default: []].append(name) }
    for tree in trees.values {
      var names = UniqueNames()
      for entity in tree.sorted(by: { (numbers[$0] ?? 0) < (numbers[$1] ?? 0) }) { nameProperties(of: entity, &names) }
    }
  }

  private mutating func nameProperties(of name: String, _ names: inout UniqueNames) {
    guard let entity = model.entities[name] else { return }
    var properties = entity.attributes.map(\.name) + entity.relationships.filter { !$0.isToMany }.map(\.name)
    properties.sort { $0.precedes($1) }
    for property in properties where model.declarer(of: property, in: name) == name {
      let place = Declared(entity: name, property: property)
      if let relationship = entity.relationship(property) {
        let upper = property.uppercased()
        // Only where the way back has an order is there a column for it.
        let isOrdered = relationship.inverse.flatMap { model.entities[relationship.destination]?.relationship($0) }?.isOrdered ?? false
        toOnes[place] = ToOne(
          column: names.unique("Z" + upper), order: isOrdered ? names.unique("Z_FOK_" + upper) : "Z_FOK_" + upper,
          entity: names.unique("Z\(numbers[relationship.destination] ?? 0)_" + upper))
      } else if let attribute = entity.attributes.first(where: { $0.name == property }) {
        var columns: [[String]: String] = [:]
        nameColumns(of: attribute, at: [], &columns, &names)
        attributes[place] = columns
      }
    }
  }

  /// A composite attribute has no column of its own, but one for each part.
  private func nameColumns(
    of attribute: ManagedObjectModel.Attribute, at path: [String], _ columns: inout [[String]: String], _ names: inout UniqueNames
  ) {
    if attribute.elements.isEmpty {
      columns[path] = names.unique("Z" + attribute.name.uppercased())
      return
    }
    for element in attribute.elements { nameColumns(of: element, at: path + [element.name], &columns, &names) }
  }

  /// The table of an entity.
  public func table(of entity: String) -> String { "Z" + model.root(of: entity).uppercased() }

  /// The column of an attribute; of a part of a composite one, by the names of the parts that lead to it.
  public func column(of attribute: String, part path: [String] = [], in entity: String) -> String? {
    attributes[Declared(entity: model.declarer(of: attribute, in: entity), property: attribute)]?[path]
  }

  /// Where a relationship of an entity is stored; nil where the store can't hold it.
  public func storage(of relationship: ManagedObjectModel.Relationship, in entity: String) -> Storage? {
    let declarer = model.declarer(of: relationship.name, in: entity)
    if !relationship.isToMany { return toOnes[Declared(entity: declarer, property: relationship.name)].map(Storage.toOne) }
    guard let destination = model.entities[relationship.destination], let number = numbers[declarer] else { return nil }
    guard let inverse = relationship.inverse.flatMap(destination.relationship) else {
      // Without an inverse, Core Data makes one that has no name, only the number of the entity that needs it.
      let name = "\(number)" + relationship.name.uppercased()
      return .inColumn("Z" + name, order: "Z_FOK_" + name)
    }
    let inverseDeclarer = model.declarer(of: inverse.name, in: destination.name)
    if !inverse.isToMany {
      return toOnes[Declared(entity: inverseDeclarer, property: inverse.name)].map { .inColumn($0.column, order: $0.order) }
    }
    guard let other = numbers[inverseDeclarer] else { return nil }
    let isReflexive = inverse.name == relationship.name && inverseDeclarer == declarer
    return .joined(JoinNames(relationship.name, of: number, inverse: inverse.name, of: other, isReflexive: isReflexive))
  }
}

/// Names, each given once: a name that is taken gets the next number after it.
struct UniqueNames {
  private var given: [String: Int] = [:]

  mutating func unique(_ base: String) -> String {
    guard var number = given[base] else {
      given[base] = 0
      return base
    }
    repeat { number += 1 } while given[base + String(number)] != nil
    given[base] = number
    return base + String(number)
  }
}
