/// A managed object model of a test's own, and its archive as Core Data writes it: inherited properties are in every entity.
public struct ModelFixture: Sendable {
  /// An attribute: its number in `NSAttributeType`, and what is special about it.
  public struct Attribute: Sendable {
    var name: String
    var type: Int64
    var isExternal = false
    var isTransient = false
    var isDerived = false
    var elements: [Attribute] = []

    /// An attribute.
    public init(
      _ name: String, _ type: Int64, external: Bool = false, transient: Bool = false, derived: Bool = false, elements: [Attribute] = []
    ) {
      (self.name, self.type, isExternal, isTransient, isDerived) = (name, type, external, transient, derived)
      self.elements = elements
    }
  }

  /// A relationship.
  public struct Link: Sendable {
    /// Its name.
    public var name: String
    var destination: String
    var inverse: String?
    var isToMany = false
    var isOrdered = false

    /// A relationship.
    public init(_ name: String, to destination: String, inverse: String? = nil, many: Bool = false, ordered: Bool = false) {
      (self.name, self.destination, self.inverse, isToMany, isOrdered) = (name, destination, inverse, many, ordered)
    }
  }

  /// An entity; its number is its place among the model's, from 1.
  public struct Entity: Sendable {
    /// Its name.
    public var name: String
    /// The entity that it inherits from.
    public var parent: String?
    /// Whether it has no records of its own.
    public var isAbstract = false
    var attributes: [Attribute]
    var links: [Link]

    /// An entity.
    public init(_ name: String, parent: String? = nil, abstract: Bool = false, _ attributes: [Attribute] = [], _ links: [Link] = []) {
      (self.name, self.parent, isAbstract, self.attributes, self.links) = (name, parent, abstract, attributes, links)
    }
  }

  /// Its entities; the place of each, from 1, is its number.
  public var entities: [Entity]
  /// Whether inherited properties stand behind proxies, as in models that the store optimized.
  public var usesProxies = false
  /// Whether dictionaries are Core Data's own, with known keys.
  public var usesKnownKeys = false

  /// A model.
  public init(_ entities: [Entity]) { self.entities = entities }

  /// What `Z_MODELCACHE` holds.
  public var cache: [UInt8] { storedDeflate(archive) }

  /// The archive.
  public var archive: [UInt8] {
    var archive = ArchiveFixture()
    let places = entities.map { _ in archive.reserve() }
    for (entity, place) in zip(entities, places) { archive.fill(place, described(entity, places, &archive)) }
    let all = dictionary(zip(entities, places).map { ($0.name, .uid($1)) }, &archive)
    let root = archive.object("NSManagedObjectModel", [("NSEntities", all), ("NSFetchRequestTemplates", .uid(0))])
    return archive.bytes(root: root)
  }

  private func dictionary(_ members: [(key: String, value: ListValue)], _ archive: inout ArchiveFixture) -> ListValue {
    guard usesKnownKeys else { return archive.dictionary(members) }
    let keys = members.map { archive.text($0.key) }
    let list = archive.object("NSArray", [("NS.objects", .array(keys))])
    let mapping = archive.object("NSKnownKeysMappingStrategy1", [("keys", list), ("length", .integer(Int64(members.count)))])
    let values = archive.object("NSArray", [("NS.objects", .array(members.map(\.value)))])
    return archive.object("NSKnownKeysDictionary1", [("searchMapping", mapping), ("values", values), ("version", .integer(1))])
  }

  private func described(_ entity: Entity, _ places: [Int], _ archive: inout ArchiveFixture) -> ListValue {
    var properties: [(key: String, value: ListValue)] = []
    for owner in lineage(entity) {
      let isInherited = owner.name != entity.name
      for attribute in owner.attributes where !properties.contains(where: { $0.key == attribute.name }) {
        properties.append((attribute.name, proxied(described(attribute, &archive), isInherited, &archive)))
      }
      for link in owner.links where !properties.contains(where: { $0.key == link.name }) {
        properties.append((link.name, proxied(described(link, places, &archive), isInherited, &archive)))
      }
    }
    let parent = entity.parent.flatMap { name in entities.firstIndex { $0.name == name } }.map { ListValue.uid(places[$0]) }
    let all = archive.dictionary(properties)
    var fields: [(key: String, value: ListValue)] = [
      ("NSEntityName", archive.text(entity.name)), ("NSProperties", all), ("NSSuperentity", parent ?? .uid(0)),
      ("$class", archive.described("NSEntityDescription")),
    ]
    if entity.isAbstract { fields.append(("NSIsAbstract", .boolean(true))) }
    return .dictionary(fields)
  }

  private func lineage(_ entity: Entity) -> [Entity] {
    var (found, next): ([Entity], String?) = ([entity], entity.parent)
    while let name = next, let parent = entities.first(where: { $0.name == name }), found.count <= entities.count {
      found.append(parent)
      next = parent.parent
    }
    return found
  }

  private func proxied(_ property: ListValue, _ isInherited: Bool, _ archive: inout ArchiveFixture) -> ListValue {
    guard usesProxies, isInherited else { return property }
    return archive.object("_NSPropertyDescriptionProxy", [("NSUnderlyingProperty", property)])
  }

  private func described(_ attribute: Attribute, _ archive: inout ArchiveFixture) -> ListValue {
    var fields: [(key: String, value: ListValue)] = [
      ("NSPropertyName", archive.text(attribute.name)), ("NSAttributeType", .integer(attribute.type)),
      ("NSFlagsKey", .integer(attribute.isExternal ? 4 : 0)), ("NSIsOptional", .boolean(true)), ("NSDefaultValue", .uid(0)),
    ]
    if attribute.isTransient { fields.append(("NSIsTransient", .boolean(true))) }
    if !attribute.elements.isEmpty {
      let elements = attribute.elements.map { described($0, &archive) }
      fields.append(("NSCompositeElements", archive.object("NSArray", [("NS.objects", .array(elements))])))
    }
    let name =
      attribute.isDerived
      ? "NSDerivedAttributeDescription" : attribute.elements.isEmpty ? "NSAttributeDescription" : "NSCompositeAttributeDescription"
    return archive.object(name, above: name == "NSAttributeDescription" ? "NSPropertyDescription" : "NSAttributeDescription", fields)
  }

  private func described(_ link: Link, _ places: [Int], _ archive: inout ArchiveFixture) -> ListValue {
    let place = entities.firstIndex { $0.name == link.destination }.map { places[$0] } ?? 0
    var fields: [(key: String, value: ListValue)] = [
      ("NSPropertyName", archive.text(link.name)), ("NSMaxCount", .integer(link.isToMany ? 0 : 1)), ("NSDestinationEntity", .uid(place)),
      ("_NSDestinationEntityName", archive.text(link.destination)), ("_NSInverseRelationshipName", archive.text(link.inverse)),
    ]
    if link.isOrdered { fields.append(("NSIsOrdered", .boolean(true))) }
    return archive.object("NSRelationshipDescription", above: "NSPropertyDescription", fields)
  }
}
