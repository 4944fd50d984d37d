/// The role of every key into a table of people, and why.
struct KeyRoles {
  /// A role, and the reason for it in words.
  struct Decision {
    let role: Role
    let reason: String
  }

  /// By the index of the key; nil where it leads to no table of people.
  private(set) var decisions: [Decision?]

  init(schema: RelationalSchema, names: [KeyNames], people: PeopleTables) {
    decisions = schema.keys.map { _ in nil }
    for table in schema.tables.indices {
      let keys = schema.keysFrom[table].filter { people.contains(schema.keys[$0].parent) }
      if !keys.isEmpty { decide(keys, of: table, schema, names, isOfPeople: people.contains(table)) }
    }
  }

  private mutating func decide(_ keys: [Int], of table: Int, _ schema: RelationalSchema, _ names: [KeyNames], isOfPeople: Bool) {
    var candidates: [Int] = []
    for index in keys {
      let key = schema.keys[index]
      let name = names[index]
      if let role = key.role {
        decisions[index] = Decision(role: role, reason: "the configuration says so")
        // What else belongs to its owner is judged with that owner in view.
        if role == .owner || role == .undecided { candidates.append(index) }
      } else if key.isIdentity(name) {
        decisions[index] = Decision(role: .identity, reason: "unique: one row for each of \(schema.tables[key.parent].qualifiedName)")
      } else if isOfPeople {
        decisions[index] = Decision(role: .undecided, reason: "\(schema.tables[table].qualifiedName) holds people itself")
      } else if key.isActor(name, isAlone: keys.count == 1) {
        decisions[index] = Decision(role: .actor, reason: "the word \(quote(name.word(in: .actor))) names who did something")
      } else {
        candidates.append(index)
      }
    }
    decideOwners(among: candidates, schema, names)
  }

  /// The only key; else the one named as its table; else those with an owner word. The others are parties, where there is an owner and a word says so.
  private mutating func decideOwners(among candidates: [Int], _ schema: RelationalSchema, _ names: [KeyNames]) {
    let named = candidates.filter { names[$0].isNamedAsTable }
    var owners: [Int: String] = [:]
    if candidates.count == 1 {
      owners[candidates[0]] = "the table's only key to people that is no actor's"
    } else if named.count == 1 {
      owners[named[0]] = "named as the table that it refers to"
    } else {
      for index in candidates {
        if let word = ownerWord(names[index]) { owners[index] = "begins with the owner word \(quote(word))" }
      }
    }
    let hasOwner = candidates.contains { index in schema.keys[index].role.map { $0 == .owner } ?? (owners[index] != nil) }
    for index in candidates where schema.keys[index].role == nil {
      if let reason = owners[index] {
        decisions[index] = Decision(role: .owner, reason: reason)
      } else if hasOwner, let word = names[index].leadingWord(in: .party) {
        decisions[index] = Decision(role: .party, reason: "beside an owner, begins with the word \(quote(word))")
      } else {
        let reason = hasOwner ? "beside an owner, no word says what it is" : "no word says whose the row is"
        decisions[index] = Decision(role: .undecided, reason: reason)
      }
    }
  }

  private func ownerWord(_ names: KeyNames) -> String? {
    names.isNamedAsTable ? names.word(in: .owner) : names.leadingWord(in: .owner)
  }
}

private func quote(_ word: String?) -> String { "`\(word ?? "")`" }
