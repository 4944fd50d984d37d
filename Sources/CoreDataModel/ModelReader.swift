/// Makes entities of an archived model.
struct ModelReader {
  private let archive: ModelArchive

  init(_ bytes: [UInt8]) throws(ModelError) { archive = try ModelArchive(bytes) }

  /// Every entity, as it stands in the archive.
  func entities() throws(ModelError) -> [ManagedObjectModel.Entity] {
    guard let root = try archive.object(archive.top["root"]), root["NSEntities"] != nil else { throw ModelError(.notAModel) }
    var entities: [ManagedObjectModel.Entity] = []
    for (name, value) in try archive.members(root["NSEntities"]) {
      guard let described = try archive.object(value) else { throw ModelError(.broken) }
      entities.append(try entity(name, described))
    }
    return entities
  }

  private func entity(_ name: String, _ described: [String: ArchivedValue]) throws(ModelError) -> ManagedObjectModel.Entity {
    var entity = ManagedObjectModel.Entity(name, isAbstract: try flag("NSIsAbstract", described))
    if let parent = try archive.object(described["NSSuperentity"]) {
      guard let name = try archive.text(parent["NSEntityName"]) else { throw ModelError(.broken) }
      entity.superentity = name
    }
    for (name, value) in try archive.members(described["NSProperties"]) {
      let property = try property(value)
      // Transient properties are computed by the app: the store has nothing of them.
      if try flag("NSIsTransient", property) { continue }
      let classes = try archive.classes(of: property)
      if classes.contains("NSAttributeDescription") {
        entity.attributes.append(try attribute(name, property))
      } else if classes.contains("NSDerivedAttributeDescription") || classes.contains("NSCompositeAttributeDescription") {
        entity.attributes.append(try attribute(name, property))
      } else if classes.contains("NSRelationshipDescription") {
        entity.relationships.append(try relationship(name, property))
      }
    }
    return entity
  }

  /// A property's description: one that an entity inherits may stand behind a proxy.
  private func property(_ value: ArchivedValue) throws(ModelError) -> [String: ArchivedValue] {
    var described = try archive.object(value)
    for _ in 0..<16 {
      guard let found = described else { break }
      guard try archive.classes(of: found).first == "_NSPropertyDescriptionProxy" else { return found }
      described = try archive.object(found["NSUnderlyingProperty"])
    }
    throw ModelError(.broken)
  }

  private func attribute(_ name: String, _ described: [String: ArchivedValue], depth: Int = 0) throws(ModelError)
    -> ManagedObjectModel.Attribute
  {
    if depth > 32 { throw ModelError(.broken) }
    let type = ManagedObjectModel.AttributeType(rawValue: try archive.value(described["NSAttributeType"])?.integer ?? 0)
    let flags = try archive.value(described["NSFlagsKey"])?.integer ?? 0
    var attribute = ManagedObjectModel.Attribute(name, type, allowsExternalStorage: flags & Self.externalStorage != 0)
    for element in try archive.elements(described["NSCompositeElements"]) {
      let part = try property(element)
      guard let name = try archive.text(part["NSPropertyName"]) else { throw ModelError(.broken) }
      if try flag("NSIsTransient", part) { continue }
      attribute.elements.append(try self.attribute(name, part, depth: depth + 1))
    }
    if !attribute.elements.isEmpty { attribute.type = .composite }
    return attribute
  }

  /// The bit of `NSFlagsKey` for values that may lie in files of their own.
  private static let externalStorage: Int64 = 4

  private func relationship(_ name: String, _ described: [String: ArchivedValue]) throws(ModelError) -> ManagedObjectModel.Relationship {
    var destination = try archive.text(described["_NSDestinationEntityName"])
    if destination == nil { destination = try archive.text(archive.object(described["NSDestinationEntity"])?["NSEntityName"]) }
    var inverse = try archive.text(described["_NSInverseRelationshipName"])
    if inverse == nil { inverse = try archive.text(archive.object(described["NSInverseRelationship"])?["NSPropertyName"]) }
    guard let destination else { throw ModelError(.broken) }
    return ManagedObjectModel.Relationship(
      name, to: destination, inverse: inverse, isToMany: try archive.value(described["NSMaxCount"])?.integer != 1,
      isOrdered: try flag("NSIsOrdered", described))
  }

  private func flag(_ name: String, _ described: [String: ArchivedValue]) throws(ModelError) -> Bool {
    try archive.value(described[name])?.integer ?? 0 != 0
  }
}
