/// The tables that hold people: the subject's own, and those that look like it.
struct PeopleTables {
  /// Why a table is one of people.
  enum Reason: Sendable, Hashable {
    /// The walk starts here.
    case subject
    /// The key of this index joins it one-to-one with the subject's table or another companion.
    case companion(key: Int)
    /// It has such columns.
    case looksLikePeople(contact: String, name: String)
    /// The configuration says so.
    case configured
  }

  /// The subject tables and their companions.
  private(set) var group: Set<Int> = []
  /// The tables of people, and why each is one.
  private(set) var reasons: [Int: Reason] = [:]
  private let lookalikes: Set<Int>

  init(schema: RelationalSchema, names: [KeyNames], subjects: [Int], choices: OwnershipChoices, rules: OwnershipRules) {
    for table in schema.tables.indices {
      switch choices.people[table] {
      case true?: reasons[table] = .configured
      case false?: break
      case nil: reasons[table] = Self.likeness(of: schema.tables[table], rules: rules)
      }
    }
    lookalikes = Set(reasons.keys)
    for subject in subjects { admit(subject, because: .subject) }
    gather(from: schema, names: names)
  }

  func contains(_ table: Int) -> Bool { reasons[table] != nil }

  private mutating func admit(_ table: Int, because reason: Reason) {
    guard group.insert(table).inserted else { return }
    reasons[table] = reason
  }

  /// Companions, and companions of companions. Round by round, so that the order of the keys doesn't matter.
  private mutating func gather(from schema: RelationalSchema, names: [KeyNames]) {
    let identities = schema.keys.indices.filter { schema.keys[$0].isIdentity(names[$0]) }
    while true {
      let before = group
      var found: [(table: Int, key: Int)] = []
      for index in identities {
        let key = schema.keys[index]
        if before.contains(key.parent), !before.contains(key.child) { found.append((key.child, index)) }
        let isOpen = before.contains(key.child) && !before.contains(key.parent)
        if isOpen, !saysWhose(key.parent, group: before, schema, names) { found.append((key.parent, index)) }
      }
      if found.isEmpty { return }
      for (table, key) in found { admit(table, because: .companion(key: key)) }
    }
  }

  /// Whether a table's own key says whose its rows are: one into another table of people, neither an actor's nor identity.
  private func saysWhose(_ table: Int, group: Set<Int>, _ schema: RelationalSchema, _ names: [KeyNames]) -> Bool {
    let own = schema.keysFrom[table].filter {
      let parent = schema.keys[$0].parent
      return parent != table && (group.contains(parent) || lookalikes.contains(parent))
    }
    return own.contains { !schema.keys[$0].isIdentity(names[$0]) && !schema.keys[$0].isActor(names[$0], isAlone: own.count == 1) }
  }

  /// A mail, phone or birth column, and a name column; nil where it has not both.
  private static func likeness(of table: TableShape, rules: OwnershipRules) -> Reason? {
    let allowed = rules[.qualifier].union(rules.words(of: table.name))
    let first: (OwnershipRules.List) -> String? = { list in
      table.columns.first { column in
        let words = rules.words(of: column.name)
        return words.contains(where: rules[list].contains) && words.allSatisfy { rules[list].contains($0) || allowed.contains($0) }
      }?.name
    }
    guard let contact = first(.mail) ?? first(.phone) ?? first(.birth), let name = first(.name) else { return nil }
    return .looksLikePeople(contact: contact, name: name)
  }
}

extension ForeignKey {
  /// Whether the rows at both ends are one person: unique, and no actor by its own words (as a store's `manager_staff_id` is).
  func isIdentity(_ names: KeyNames) -> Bool {
    if let role { return role == .identity }
    return isUnique && names.ownWord(in: .actor) == nil
  }

  /// Whether the key names who did something: an actor word anywhere, unless it is the only one and named as its table (`employee_areas.employee_id`).
  func isActor(_ names: KeyNames, isAlone: Bool) -> Bool {
    if let role { return role == .actor }
    return names.word(in: .actor) != nil && !(isAlone && names.isNamedAsTable)
  }
}
