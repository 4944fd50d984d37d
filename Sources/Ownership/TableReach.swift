/// How far the walk goes, worked out from the tables alone.
struct TableReach {
  /// Tables in which rows can be the subject's own; of those, the ones that are entered in any case, not only where an equal key is null.
  private(set) var entered: Set<Int> = [], certain: Set<Int> = []
  /// Tables in which rows can name the subject beside their owner.
  private(set) var collected: Set<Int> = []
  /// Tables whose rows are exported because others refer to them.
  private(set) var lookups: Set<Int> = []
  /// Tables at the other end of a key of those above, whatever was decided about them.
  private(set) var lookedAt: Set<Int> = []

  private let schema: RelationalSchema

  init(schema: RelationalSchema, people: PeopleTables, roles: KeyRoles, deciders: Deciders) {
    self.schema = schema
    let directions = KeyDirections(schema: schema, people: people, roles: roles, deciders: deciders)
    enter(people.group, directions)
    let leading = Self.leading(schema, people, roles)
    lookUp(entered.union(collected)) { !people.contains($0) && !leading.contains($0) }
  }

  private mutating func enter(_ group: Set<Int>, _ directions: KeyDirections) {
    var waiting = group.map { (table: $0, isCertain: true) }
    while let (table, isCertain) = waiting.popLast() {
      if isCertain ? certain.contains(table) : entered.contains(table) { continue }
      entered.insert(table)
      if isCertain { certain.insert(table) }
      for index in schema.keysTo[table] {
        let child = schema.keys[index].child
        lookedAt.insert(child)
        if directions.goesDown(index) {
          waiting.append((child, isCertain && directions.alwaysDecides(index)))
        } else if directions.isParty(index) {
          collected.insert(child)
        }
      }
    }
  }

  private mutating func lookUp(_ tables: Set<Int>, isLookup: (Int) -> Bool) {
    var waiting = Array(tables)
    while let table = waiting.popLast() {
      for index in schema.keysFrom[table] {
        let parent = schema.keys[index].parent
        lookedAt.insert(parent)
        if isLookup(parent), lookups.insert(parent).inserted { waiting.append(parent) }
      }
    }
  }

  /// The tables from which a chain of keys other than actors' leads to people: their rows may be somebody's, so none is a lookup.
  private static func leading(_ schema: RelationalSchema, _ people: PeopleTables, _ roles: KeyRoles) -> Set<Int> {
    var waiting = schema.keys.indices.filter { roles.decisions[$0].map { $0.role != .actor } ?? false }.map { schema.keys[$0].child }
    var leading: Set<Int> = []
    while let table = waiting.popLast() {
      guard leading.insert(table).inserted, !people.contains(table) else { continue }
      waiting += schema.keysTo[table].filter { schema.keys[$0].role != .actor }.map { schema.keys[$0].child }
    }
    return leading
  }
}

/// Which way the walk may go along a key.
struct KeyDirections {
  private let schema: RelationalSchema
  private let people: PeopleTables
  private let roles: KeyRoles
  private let deciders: Deciders

  init(schema: RelationalSchema, people: PeopleTables, roles: KeyRoles, deciders: Deciders) {
    self.schema = schema
    self.people = people
    self.roles = roles
    self.deciders = deciders
  }

  /// Whether a row that refers by this key to a row of the subject's is the subject's too.
  func goesDown(_ index: Int) -> Bool {
    let key = schema.keys[index]
    if people.group.contains(key.child) { return false }
    if people.contains(key.parent) || people.contains(key.child) {
      let role = roles.decisions[index]?.role
      return role == .identity || role == .owner
    }
    return deciders.keys[key.child].contains(index)
  }

  /// Whether each row says anew if this key decides about it.
  func isTied(_ index: Int) -> Bool {
    let equal = deciders.keys[schema.keys[index].child]
    return equal.count > 1 && equal.contains(index)
  }

  /// Whether no equal key need be null for this one to decide.
  func alwaysDecides(_ index: Int) -> Bool {
    let equal = deciders.keys[schema.keys[index].child]
    return equal.isEmpty || Deciders.deciding(of: equal, has: equal.map { _ in true }, in: schema) == index
  }

  /// Whether rows that refer by this key name the subject beside their owner.
  func isParty(_ index: Int) -> Bool { roles.decisions[index]?.role == .party }

  /// Whether the key joins two of the subject's own tables, one row with one.
  func joins(_ index: Int) -> Bool {
    let key = schema.keys[index]
    if key.child == key.parent { return false }  // a way passes a table once
    return roles.decisions[index]?.role == .identity && people.group.contains(key.child) && people.group.contains(key.parent)
  }
}
