/// Whose data it is, worked out from the tables and keys alone: which tables hold people, what each key says, which tables the walk enters, and
/// which it can't know about. It is made before any row is read.
public struct OwnershipPlan: Sendable {
  /// The tables and keys.
  public let schema: RelationalSchema
  /// The indexes of the tables in which the subject's starting rows lie.
  public let subjects: [Int]
  /// What the configuration left out.
  public let choices: OwnershipChoices

  let people: PeopleTables
  let roles: KeyRoles
  let deciders: Deciders
  let directions: KeyDirections
  let reach: TableReach

  /// The plan for a subject whose rows lie in these tables.
  public init(
    schema: RelationalSchema, subjects: [Int], choices: OwnershipChoices = OwnershipChoices(), rules: OwnershipRules = .standard
  ) throws(OwnershipError) {
    let names = schema.keys.map { KeyNames(columns: $0.columns, parent: schema.tables[$0.parent].name, rules: rules) }
    let people = PeopleTables(schema: schema, names: names, subjects: subjects, choices: choices, rules: rules)
    let roles = KeyRoles(schema: schema, names: names, people: people)
    let deciders = Deciders(schema: schema, people: people, roles: roles)
    self.schema = schema
    self.subjects = subjects
    self.choices = choices
    self.people = people
    self.roles = roles
    self.deciders = deciders
    directions = KeyDirections(schema: schema, people: people, roles: roles, deciders: deciders)
    reach = TableReach(schema: schema, people: people, roles: roles, deciders: deciders)
    for table in subjects where choices.exclusions[table] != nil {
      throw OwnershipError(.configuration, "\(schema.tables[table].qualifiedName) is the subject's own table, so it can't be excluded")
    }
    unclaimedColumns = Self.unclaimed(schema: schema, group: people.group, reach: reach, rules: rules)
    for (index, key) in schema.keys.enumerated() {
      guard let role = key.role, role != .owner, role != .actor, !people.contains(key.parent) else { continue }
      throw OwnershipError(
        .configuration, "\(schema.description(ofKey: index)) leads to no table of people, so it can't have the role \(role.rawValue)",
        hint: "owner (its rows go with what they refer to) and actor (they don't) are possible")
    }
  }

  // MARK: Tables

  /// Tables of people, by index.
  public var peopleTables: [Int] { people.reasons.keys.sorted() }
  /// The subject's own tables: those of its starting rows and their companions, by index.
  public var ownTables: [Int] { people.group.sorted() }
  /// Tables in which rows can be the subject's own.
  public var entered: [Int] { reach.entered.sorted() }
  /// Tables in which rows can be exported, because they are the subject's own or name the subject beside their owner.
  public var exported: [Int] { reach.entered.union(reach.collected).sorted() }
  /// Tables whose rows are exported where others refer to them.
  public var lookups: [Int] { reach.lookups.sorted() }
  /// Tables that the walk looks at without exporting anything of them.
  public var lookedAt: [Int] { reach.lookedAt.subtracting(reach.entered).subtracting(reach.collected).subtracting(reach.lookups).sorted() }

  /// Tables that the walk doesn't reach and that look as if they named the subject, with the columns that do. Those that the configuration leaves out are not
  /// among them.
  public var unclaimed: [(table: Int, columns: [String])] {
    unclaimedColumns.keys.sorted().filter { choices.exclusions[$0] == nil }.map { ($0, unclaimedColumns[$0] ?? []) }
  }

  /// Tables that the configuration leaves out, with its reason.
  public var excluded: [(table: Int, reason: String)] { choices.exclusions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  /// Tables of which a collection is written even if it has no row: those that the walk enters in any case, and those that it collects from.
  public func isWrittenEmpty(_ table: Int) -> Bool { reach.certain.contains(table) || reach.collected.contains(table) }

  /// Why a table is one of people, in words; nil where it isn't.
  public func reasonForPeople(_ table: Int) -> String? {
    switch people.reasons[table] {
    case nil: nil
    case .subject?: "the subject"
    case .companion(let key)?: "one-to-one with the subject by \(schema.description(ofKey: key))"
    case .looksLikePeople(let contact, let name)?: "looks like people: \(contact), \(name)"
    case .configured?: "the configuration says that it holds people"
    }
  }

  // MARK: Keys

  /// The role of a key; nil where it leads to no table of people.
  public func role(ofKey index: Int) -> Role? { roles.decisions[index]?.role }

  /// What a key means for its row, in words.
  public func reason(ofKey index: Int) -> String {
    if let decision = roles.decisions[index] { return decision.reason }
    let key = schema.keys[index]
    if directions.goesDown(index) {
      if !directions.isTied(index) { return "the nearest person is found this way" }
      return "as near to a person as other keys: each row decides"
    }
    if reach.lookups.contains(key.parent) { return "a lookup: what rows refer to, and nobody's" }
    if people.contains(key.child) { return "\(schema.tables[key.child].qualifiedName) holds people" }
    if !claims(of: key.child).isEmpty { return "rows are somebody's by their keys to people only" }
    return "says nothing about whose the row is"
  }

  /// Whether the walk goes from a row of the parent to those that refer to it.
  public func goesDown(key index: Int) -> Bool { directions.goesDown(index) }

  /// The keys by which the walk finds rows of entered tables and that no index helps with: it then reads the whole table.
  public var keysWithoutIndex: [Int] {
    schema.keys.indices.filter {
      let key = schema.keys[$0]
      return key.isIndexed == false && reach.entered.contains(key.parent) && (walks($0) || leavesOpen($0))
    }
  }

  /// The keys by which alone a table's rows are somebody's.
  func claims(of table: Int) -> [Int] { schema.keysFrom[table].filter { roles.decisions[$0]?.role.isClaim ?? false } }

  /// Whether rows of the child are looked for by this key.
  func walks(_ index: Int) -> Bool { directions.goesDown(index) || directions.isParty(index) || directions.joins(index) }

  private static func unclaimed(schema: RelationalSchema, group: Set<Int>, reach: TableReach, rules: OwnershipRules) -> [Int: [String]] {
    let words = group.reduce(into: Set<String>()) { $0.formUnion(rules.words(of: schema.tables[$1].name)) }
    let references = rules[.reference]
    let joined = Set(words.flatMap { word in references.map { word + $0 } })
    let namesSubject: (String) -> Bool = { column in
      let parts = NameWords.all(of: column)
      let isNamed = parts.contains { words.contains(NameWords.singular($0)) } && parts.contains(where: references.contains)
      let isContact = rules.words(of: column).contains { rules[.mail].contains($0) || rules[.phone].contains($0) }
      return isNamed || isContact || parts.contains(where: joined.contains)
    }
    let reached = reach.entered.union(reach.collected).union(reach.lookups).union(reach.lookedAt)
    var found: [Int: [String]] = [:]
    for table in schema.tables.indices where !reached.contains(table) {
      let columns = schema.tables[table].columns.map(\.name).filter(namesSubject)
      if !columns.isEmpty { found[table] = columns }
    }
    return found
  }

  private let unclaimedColumns: [Int: [String]]
}
