/// Which references decide whose a row is, in tables without keys to people: those to the nearest parents.
struct Deciders {
  /// The length of each table's shortest chain of claims to a table of people; nil where there is none.
  private(set) var distances: [Int?]
  /// The indexes of the keys to nearest parents, by table: one decides alone, of several each row says which.
  private(set) var keys: [[Int]]

  init(schema: RelationalSchema, people: PeopleTables, roles: KeyRoles) {
    let tables = schema.tables.indices
    let hasRole = { (table: Int, matches: (Role) -> Bool) in
      schema.keysFrom[table].contains { roles.decisions[$0].map { matches($0.role) } ?? false }
    }
    distances = tables.map { people.contains($0) ? 0 : hasRole($0, \.isClaim) ? 1 : nil }
    keys = tables.map { _ in [] }
    // An undecided key leaves a table undecided, whatever its parents are.
    let inheriting = tables.filter { distances[$0] == nil && !hasRole($0) { $0 == .undecided } }
    let parents = inheriting.map { Self.parents(of: $0, schema, people) }
    measure(inheriting, parents, schema)
    for (table, candidates) in zip(inheriting, parents) {
      let nearest = candidates.compactMap { distances[schema.keys[$0].parent] }.min()
      keys[table] = candidates.filter { nearest != nil && distances[schema.keys[$0].parent] == nearest }
    }
  }

  /// A table's keys to other tables that hold no people. Where the configuration says by role which of them own the rows, it is those alone.
  private static func parents(of table: Int, _ schema: RelationalSchema, _ people: PeopleTables) -> [Int] {
    let all = schema.keysFrom[table].filter {
      let key = schema.keys[$0]
      return key.parent != table && !people.contains(key.parent) && key.role != .actor
    }
    let owners = all.filter { schema.keys[$0].role == .owner }
    return owners.isEmpty ? all : owners
  }

  /// Round by round, nearer tables first, so that every table is measured once.
  private mutating func measure(_ tables: [Int], _ parents: [[Int]], _ schema: RelationalSchema) {
    var waiting: [Int: [Int]] = [:]  // by parent, the tables below it
    for (table, keys) in zip(tables, parents) {
      for key in keys { waiting[schema.keys[key].parent, default: []].append(table) }
    }
    var round = schema.tables.indices.filter { distances[$0] == 1 }
    var distance = 1
    while !round.isEmpty {
      distance += 1
      var next: [Int] = []
      for table in round.flatMap({ waiting[$0] ?? [] }) where distances[table] == nil {
        distances[table] = distance
        next.append(table)
      }
      round = next
    }
  }

  /// Of equal keys, of which a row has some, the one that decides about it: the only one, else the only one that cascades, else the only one that
  /// leads the primary key; nil where none does.
  static func deciding(of equal: [Int], has: [Bool], in schema: RelationalSchema) -> Int? {
    let ranks: [(ForeignKey) -> Bool] = [{ _ in true }, { $0.cascades }, { $0.leads }]
    for counts in ranks {
      var only: Int?
      var count = 0
      for (key, has) in zip(equal, has) where has && counts(schema.keys[key]) {
        only = key
        count += 1
      }
      if count == 1 { return only }
    }
    return nil
  }
}
