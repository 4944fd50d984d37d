internal import ZipArchive

/// A managed object model: the entities of a Core Data or SwiftData store as their developer named them.
///
/// Core Data keeps the model that a store was last opened with in the store itself, as an archive of `NSManagedObjectModel`.
public struct ManagedObjectModel: Sendable {
  /// The entities by name. In each, what it inherits is among its properties.
  public let entities: [String: Entity]

  /// A model of these entities: inheritance without cycles, and every name that is used must be there.
  public init(entities: [Entity]) throws(ModelError) {
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    guard byName.count == entities.count else { throw ModelError(.duplicateName) }
    var complete: [String: Entity] = [:]
    for entity in entities { complete[entity.name] = try Self.inheriting(entity, byName) }
    self.entities = complete
    for entity in complete.values {
      for relationship in entity.relationships where complete[relationship.destination] == nil { throw ModelError(.unknownEntity) }
    }
  }

  /// Reads an archive of a model (`NSManagedObjectModel`, a keyed archive).
  public init(archive: [UInt8]) throws(ModelError) {
    try self.init(entities: try ModelReader(archive).entities())
  }

  /// Reads a store's model as it caches it: an archive in raw deflate data (RFC 1951).
  public init(cache: UnsafeRawBufferPointer) throws(ModelError) {
    let archive: [UInt8]
    do throws(ZipError) { archive = try RawDeflate.inflated(cache, limit: Self.largestArchive) } catch { throw ModelError(.notDeflated) }
    try self.init(archive: archive)
  }

  /// Bytes of an archive at most; the largest known have a few megabytes.
  static let largestArchive = 64 << 20

  /// The entity with all that it inherits.
  private static func inheriting(_ entity: Entity, _ entities: [String: Entity]) throws(ModelError) -> Entity {
    var complete = entity
    var (attributes, relationships) = (Set(entity.attributes.map(\.name)), Set(entity.relationships.map(\.name)))
    guard attributes.count == entity.attributes.count, relationships.count == entity.relationships.count,
      attributes.isDisjoint(with: relationships)
    else { throw ModelError(.duplicateName) }
    var seen: Set<String> = [entity.name]
    var next = entity.superentity
    while let name = next {
      guard let parent = entities[name] else { throw ModelError(.unknownEntity) }
      guard seen.insert(name).inserted else { throw ModelError(.inheritanceCycle) }
      for attribute in parent.attributes where !relationships.contains(attribute.name) {
        if attributes.insert(attribute.name).inserted { complete.attributes.append(attribute) }
      }
      for relationship in parent.relationships where !attributes.contains(relationship.name) {
        if relationships.insert(relationship.name).inserted { complete.relationships.append(relationship) }
      }
      next = parent.superentity
    }
    complete.attributes.sort { $0.name.precedes($1.name) }
    complete.relationships.sort { $0.name.precedes($1.name) }
    return complete
  }

  /// The entity and those that it inherits from, from the bottom up.
  public func lineage(of entity: String) -> [Entity] {
    var found: [Entity] = []
    var next: String? = entity
    while let name = next, let entity = entities[name] {
      found.append(entity)
      next = entity.superentity
    }
    return found
  }

  /// The topmost entity of an entity's inheritance: its table holds them all.
  public func root(of entity: String) -> String { lineage(of: entity).last?.name ?? entity }

  /// The topmost entity that has a property: the one that declares it.
  public func declarer(of property: String, in entity: String) -> String {
    lineage(of: entity).prefix { $0.has(property) }.last?.name ?? entity
  }

  /// Whether an entity is another one, or inherits from it.
  public func isKind(_ entity: String, of ancestor: String) -> Bool { lineage(of: entity).contains { $0.name == ancestor } }
}

extension ManagedObjectModel {
  /// An entity: a kind of record.
  public struct Entity: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The entity that it inherits from.
    public var superentity: String?
    /// Whether it has no records of its own.
    public var isAbstract: Bool
    /// Its attributes that are stored, by the code points of their names.
    public var attributes: [Attribute]
    /// Its relationships, likewise.
    public var relationships: [Relationship]

    /// An entity.
    public init(
      _ name: String, superentity: String? = nil, isAbstract: Bool = false, attributes: [Attribute] = [], relationships: [Relationship] = []
    ) {
      (self.name, self.superentity, self.isAbstract) = (name, superentity, isAbstract)
      (self.attributes, self.relationships) = (attributes, relationships)
    }

    /// Whether it has a property of a name.
    public func has(_ property: String) -> Bool {
      attributes.contains { $0.name == property } || relationships.contains { $0.name == property }
    }

    /// Its relationship of a name.
    public func relationship(_ name: String) -> Relationship? { relationships.first { $0.name == name } }
  }

  /// A stored attribute.
  public struct Attribute: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its type.
    public var type: AttributeType
    /// Whether its values may lie in files of their own.
    public var allowsExternalStorage: Bool
    /// The attributes that a composite one is made of.
    public var elements: [Attribute]

    /// An attribute.
    public init(_ name: String, _ type: AttributeType, allowsExternalStorage: Bool = false, elements: [Attribute] = []) {
      (self.name, self.type, self.allowsExternalStorage, self.elements) = (name, type, allowsExternalStorage, elements)
    }
  }

  /// The type of an attribute, as `NSAttributeType` numbers it.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int64
    /// A type of a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// An integer of 16 bits.
    public static let integer16 = AttributeType(rawValue: 100)
    /// An integer of 32 bits.
    public static let integer32 = AttributeType(rawValue: 200)
    /// An integer of 64 bits.
    public static let integer64 = AttributeType(rawValue: 300)
    /// A decimal number.
    public static let decimal = AttributeType(rawValue: 400)
    /// A floating-point number of 64 bits.
    public static let double = AttributeType(rawValue: 500)
    /// A floating-point number of 32 bits.
    public static let float = AttributeType(rawValue: 600)
    /// Text.
    public static let string = AttributeType(rawValue: 700)
    /// True or false.
    public static let boolean = AttributeType(rawValue: 800)
    /// A date, in seconds since 2001.
    public static let date = AttributeType(rawValue: 900)
    /// Bytes.
    public static let binary = AttributeType(rawValue: 1000)
    /// A UUID.
    public static let uuid = AttributeType(rawValue: 1100)
    /// A URI.
    public static let uri = AttributeType(rawValue: 1200)
    /// An object that the app transforms into bytes.
    public static let transformable = AttributeType(rawValue: 1800)
    /// Attributes under one name.
    public static let composite = AttributeType(rawValue: 2100)
  }

  /// A relationship.
  public struct Relationship: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The entity that it leads to, or whose descendants it leads to.
    public var destination: String
    /// The name of the destination's relationship that leads back.
    public var inverse: String?
    /// Whether it leads to many.
    public var isToMany: Bool
    /// Whether these have an order.
    public var isOrdered: Bool

    /// A relationship.
    public init(_ name: String, to destination: String, inverse: String? = nil, isToMany: Bool = false, isOrdered: Bool = false) {
      (self.name, self.destination, self.inverse, self.isToMany, self.isOrdered) = (name, destination, inverse, isToMany, isOrdered)
    }
  }
}

extension String {
  /// Whether it stands before another by code points, whatever language and normal form they are in.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
