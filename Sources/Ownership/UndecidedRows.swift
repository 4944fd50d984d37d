/// Which of the rows that refer to the subject's by a key stay open: neither exported nor certainly another's.
enum OpenRows {
  case none, all
  /// Those that have none of these keys.
  case lacking([Int])
  /// Those about which none of these equal keys decides, though the row has this one; and those that have none of them.
  case tied([Int])
}

extension OwnershipPlan {
  func openRows(ofKey index: Int) -> OpenRows {
    let key = schema.keys[index]
    let isTied = directions.isTied(index)
    if people.group.contains(key.child) || (directions.goesDown(index) && !isTied) { return .none }
    if people.contains(key.child) { return .all }
    let roles = schema.keysFrom[key.child].compactMap(role(ofKey:))
    if people.contains(key.parent) {
      return role(ofKey: index) == .undecided || roles.allSatisfy { $0 == .actor } ? .all : .none
    }
    let claims = claims(of: key.child)
    if !claims.isEmpty { return .lacking(claims) }
    if roles.contains(.undecided) { return .all }
    if key.role == .actor { return .none }
    return isTied ? .tied(deciders.keys[key.child]) : .lacking(deciders.keys[key.child])
  }

  func leavesOpen(_ index: Int) -> Bool {
    if case .none = openRows(ofKey: index) { return false }
    return true
  }
}

extension Walk {
  /// Counts the rows that refer to the subject's and are neither exported nor certainly another's, each once.
  mutating func countUndecided<Store: RelationalStore & ~Copyable>(known: KnownValues, in store: inout Store) throws {
    for table in plan.schema.tables.indices {
      var open = RowSet()
      for key in plan.schema.keysFrom[table] where hasParents(key, known) {
        var (equal, lacking): ([Int], [Int]) = ([], [])
        switch plan.openRows(ofKey: key) {
        case .none: continue
        case .all: break
        case .lacking(let keys): lacking = keys
        case .tied(let keys): equal = keys
        }
        try referring(by: ReferringRows(key: key, lacking: lacking, noting: equal), known, in: &store) { walk, row, has in
          if !equal.isEmpty, Deciders.deciding(of: equal, has: has, in: walk.plan.schema) != nil { return }
          if !walk.holds(row, of: table) { open.insert(row) }
        }
      }
      undecided[table] = open.count
    }
  }

  private func hasParents(_ key: Int, _ known: KnownValues) -> Bool {
    !own[plan.schema.keys[key].parent].isEmpty || known.knowsParent(ofKey: key)
  }

  private func holds(_ row: RowHandle, of table: Int) -> Bool {
    own[table].contains(row) || party[table].contains(row) || lookups[table].contains(row)
  }
}
