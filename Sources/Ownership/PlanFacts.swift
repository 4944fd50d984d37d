public import JSONReading

extension OwnershipPlan {
  /// The plan as a JSON value, for programs: tables with what the walk does with them, keys with role and reason. With a walk, the counts of rows.
  public func json(counts walk: Walk? = nil) -> JSONValue {
    object([
      ("subjects", .array(subjects.map { .string(schema.tables[$0].qualifiedName) })),
      ("tables", .array(schema.tables.indices.map { fact(ofTable: $0, walk) })),
      ("keys", .array(schema.keys.indices.map(fact(ofKey:)))),
    ])
  }

  /// What the walk does with a table, in one word.
  public func use(of table: Int) -> String {
    if choices.exclusions[table] != nil { return "excluded" }
    if people.group.contains(table) { return "own" }
    if reach.entered.contains(table) { return "entered" }
    if reach.collected.contains(table) { return "collected" }
    if reach.lookups.contains(table) { return "lookup" }
    if reach.lookedAt.contains(table) { return "looked at" }
    return unclaimed.contains { $0.table == table } ? "unclaimed" : "not reached"
  }

  private func fact(ofTable table: Int, _ walk: Walk?) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(schema.tables[table].qualifiedName)),
      ("use", .string(use(of: table))),
    ]
    if let reason = reasonForPeople(table) { members.append(("people", .string(reason))) }
    if let reason = choices.exclusions[table] { members.append(("reason", .string(reason))) }
    if let columns = unclaimed.first(where: { $0.table == table })?.columns { members.append(("columns", texts(columns))) }
    if let walk {
      let counts = [
        ("own", walk.own[table].count), ("party", walk.party[table].count), ("lookups", walk.lookups[table].count),
        ("undecided", walk.undecided[table]),
      ]
      members.append(("rows", object(counts.filter { $0.1 > 0 }.map { ($0.0, .number(String($0.1))) })))
    }
    return object(members)
  }

  private func fact(ofKey index: Int) -> JSONValue {
    let key = schema.keys[index]
    var members: [(String, JSONValue)] = [
      ("table", .string(schema.tables[key.child].qualifiedName)), ("columns", texts(key.columns)),
      ("references", .string(schema.tables[key.parent].qualifiedName)), ("referencedColumns", texts(key.parentColumns)),
      ("origin", .string(key.origin.rawValue)),
    ]
    switch key.access {
    case .value: break
    case .arrayElements: members.append(("elements", .bool(true)))
    case .jsonPath(let path): members.append(("path", .string(path)))
    }
    if let condition = key.condition {
      members.append(("when", object([(condition.column, .string(condition.value))])))
    }
    if let role = role(ofKey: index) { members.append(("role", .string(role.rawValue))) }
    members.append(("reason", .string(reason(ofKey: index))))
    members.append(("followed", .bool(walks(index) && reach.entered.contains(key.parent))))
    if let isIndexed = key.isIndexed { members.append(("indexed", .bool(isIndexed))) }
    return object(members)
  }
}

private func object(_ members: [(String, JSONValue)]) -> JSONValue {
  .object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
}

private func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
