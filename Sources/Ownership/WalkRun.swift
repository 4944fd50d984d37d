extension OwnershipPlan {
  /// Walks from the starting rows, each of which must be exactly one, over all that is the subject's. Memory is a few bytes for each row found.
  public func walk<Store: RelationalStore & ~Copyable>(from starts: [StartingRow], in store: inout Store) throws -> Walk {
    var walk = Walk(plan: self)
    for start in starts {
      let (table, column) = try start.resolved(in: schema)
      let found = try store.rows(of: table, where: column, is: start.value, limit: 2)
      switch found.count {
      case 0: throw OwnershipError(.noSubject, "the subject names no row of \(start.place)", hint: "check its value")
      case 1: walk.starts.append((table, found[0]))
      default:
        throw OwnershipError(.severalSubjects, "the subject names several rows of \(start.place)", hint: "name it by a unique column")
      }
    }
    var waiting = RowQueue(plan: self)
    for (table, row) in walk.starts {
      try walk.joined(to: row, of: table, in: &store) { table, row in walk.take(row, of: table, &waiting) }
    }
    try walk.run(&waiting, known: KnownValues(none: schema), in: &store)
    walk.leaveOutExcluded()
    return walk
  }

  /// Walks again from what was kept of a walk, over what is left of it, and what has come to it since. The starting rows need not be there.
  public func walk<Store: RelationalStore & ~Copyable>(again frozen: FrozenWalk, in store: inout Store) throws -> Walk {
    var walk = Walk(plan: self)
    let known = KnownValues(frozen, in: schema)
    var waiting = RowQueue(plan: self)
    for table in known.tableIndexes {
      try known.forEachPrimaryKey(of: table, size: store.batchSize) { columns, values in
        try store.rows(of: table, where: columns, are: values) { walk.take($0, of: table, &waiting) }
      }
    }
    for key in schema.keys.indices where known.knowsParent(ofKey: key) && (directions.goesDown(key) || directions.joins(key)) {
      let equal = equals(of: key)
      try known.forEachParent(ofKey: key, size: store.batchSize) { values in
        try store.rows(referringBy: ReferringRows(key: key, noting: equal), toValues: values) { row, has in
          if equal.isEmpty || decides(key, of: equal, has) { walk.take(row, of: schema.keys[key].child, &waiting) }
        }
      }
    }
    try walk.run(&waiting, known: known, in: &store)
    walk.leaveOutExcluded()
    return walk
  }

  /// The equal keys among which each row says if this one decides; none where it decides alone.
  func equals(of key: Int) -> [Int] { directions.isTied(key) ? deciders.keys[schema.keys[key].child] : [] }

  /// Whether of equal keys, of which a row has some, this one decides about it.
  func decides(_ key: Int, of equal: [Int], _ has: [Bool]) -> Bool { Deciders.deciding(of: equal, has: has, in: schema) == key }
}

extension Walk {
  /// Makes a row the subject's own.
  mutating func take(_ row: RowHandle, of table: Int, _ waiting: inout RowQueue) {
    if own[table].insert(row) { waiting.append(row, of: table) }
  }

  mutating func run<Store: RelationalStore & ~Copyable>(
    _ waiting: inout RowQueue, known: KnownValues, in store: inout Store
  ) throws {
    try goDown(&waiting, in: &store)
    for key in plan.schema.keys.indices where plan.directions.isParty(key) {
      let child = plan.schema.keys[key].child
      try referring(by: ReferringRows(key: key), known, in: &store) { walk, row, _ in
        if !walk.own[child].contains(row) { walk.party[child].insert(row) }
      }
    }
    try lookUp(in: &store)
    try countUndecided(known: known, in: &store)
  }

  /// The rows that refer by a key to the subject's own, those here and those known by their values.
  mutating func referring<Store: RelationalStore & ~Copyable>(
    by question: ReferringRows, _ known: KnownValues, in store: inout Store, _ body: (inout Walk, RowHandle, [Bool]) -> Void
  ) throws {
    try own[plan.schema.keys[question.key].parent].sorted().forEachBatch(of: store.batchSize) { batch in
      try store.rows(referringBy: question, to: batch) { body(&self, $0, $1) }
    }
    try known.forEachParent(ofKey: question.key, size: store.batchSize) { values in
      try store.rows(referringBy: question, toValues: values) { body(&self, $0, $1) }
    }
  }

  /// All that belongs to the subject by what already does.
  private mutating func goDown<Store: RelationalStore & ~Copyable>(_ waiting: inout RowQueue, in store: inout Store) throws {
    while let (table, rows) = waiting.next() {
      for key in waiting.keys[table] {
        let equal = plan.equals(of: key)
        let child = plan.schema.keys[key].child
        let question = ReferringRows(key: key, noting: equal)
        try rows.forEachBatch(of: store.batchSize) { batch in
          try store.rows(referringBy: question, to: batch) { row, has in
            if equal.isEmpty || plan.decides(key, of: equal, has) { take(row, of: child, &waiting) }
          }
        }
      }
    }
  }

  /// What exported rows refer to, and what that refers to, as far as it is nobody's.
  private mutating func lookUp<Store: RelationalStore & ~Copyable>(in store: inout Store) throws {
    var waiting = RowQueue(keys: plan.schema.keysFrom.map { $0.filter { plan.reach.lookups.contains(plan.schema.keys[$0].parent) } })
    for table in plan.exported where !waiting.keys[table].isEmpty { try follow(rows(of: table), of: table, &waiting, in: &store) }
    while let (table, rows) = waiting.next() { try follow(rows, of: table, &waiting, in: &store) }
  }

  private mutating func follow<Store: RelationalStore & ~Copyable>(
    _ rows: [RowHandle], of table: Int, _ waiting: inout RowQueue, in store: inout Store
  ) throws {
    for key in waiting.keys[table] {
      let parent = plan.schema.keys[key].parent
      try rows.forEachBatch(of: store.batchSize) { batch in
        try store.rows(referredToBy: key, from: batch) { row in
          if lookups[parent].insert(row) { waiting.append(row, of: parent) }
        }
      }
    }
  }
}
