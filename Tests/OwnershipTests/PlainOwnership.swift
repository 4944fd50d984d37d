/// The rules once more, as plain as they can be written: for every row, whose it is, asked from the row upwards. Only for tests: slow, and all in memory.
struct PlainOwnership {
  typealias Row = Int
  enum Said { case identity, actor, owner, party, undecided }

  struct Answer: Equatable {
    var own: Set<Row> = [], party: Set<Row> = [], lookups: Set<Row> = [], undecided: Set<Row> = []
  }

  let made: MadeDatabase
  let first: [Row]  // each table's first row
  let tableOf: [Int]
  private(set) var group: Set<Int> = [0]
  private(set) var said: [Said?] = []
  private var refers: [[Row: [Row]]] = []  // by key, from a row of the child
  private(set) var makesMine: [[Row]] = []  // by row: it is mine if one of these is
  private(set) var makesParty: [[Row]] = [], makesOpen: [[Row]] = [], looksUp: [[Row]] = []

  init(_ made: MadeDatabase) {
    self.made = made
    let rows = made.written.rows
    first = rows.indices.map { table in rows[..<table].reduce(0) { $0 + $1.count } }
    tableOf = rows.indices.flatMap { table in rows[table].map { _ in table } }
    refers = made.keys.map { [first] key in
      var found: [Row: [Row]] = [:]
      for (child, row) in rows[key.child].enumerated() {
        let values = key.columns.map { row[$0] }
        for (parent, other) in rows[key.parent].enumerated() where !values.contains(nil) && key.parentColumns.map({ other[$0] }) == values {
          found[first[key.child] + child, default: []].append(first[key.parent] + parent)
        }
      }
      return found
    }
    findPeople()
    says()
    linkRows()
  }

  // MARK: Tables and keys

  private var people: Set<Int> { group.union(made.looksLikePeople.indices.filter { made.looksLikePeople[$0] }) }
  private func isIdentity(_ key: MadeDatabase.Meaning) -> Bool { key.isUnique && !key.ownActor }

  private mutating func findPeople() {
    while true {
      var new: Set<Int> = []
      for key in made.keys where isIdentity(key) {
        if group.contains(key.parent) { new.insert(key.child) }
        let said = made.keys.filter { $0.child == key.parent && $0.parent != key.parent && people.contains($0.parent) }
        let isSomebodys = said.contains { !isIdentity($0) && !($0.anyActor && !(said.count == 1 && $0.isNamed)) }
        if group.contains(key.child) && !isSomebodys { new.insert(key.parent) }
      }
      if new.isSubset(of: group) { return }
      group.formUnion(new)
    }
  }

  private mutating func says() {
    said = made.keys.map { _ in nil }
    for table in made.looksLikePeople.indices {
      let mine = made.keys.indices.filter { made.keys[$0].child == table && people.contains(made.keys[$0].parent) }
      for index in mine {
        let key = made.keys[index]
        if isIdentity(key) {
          said[index] = .identity
        } else if people.contains(table) {
          said[index] = .undecided
        } else if key.anyActor && !(mine.count == 1 && key.isNamed) {
          said[index] = .actor
        }
      }
      let rest = mine.filter { said[$0] == nil }
      let named = rest.filter { made.keys[$0].isNamed }
      let owners =
        rest.count == 1
        ? rest : named.count == 1 ? named : rest.filter { made.keys[$0].isNamed ? made.keys[$0].anyOwner : made.keys[$0].leadingOwner }
      for index in rest {
        said[index] = owners.contains(index) ? .owner : !owners.isEmpty && made.keys[index].leadingParty ? .party : .undecided
      }
    }
  }

  private func keys(of table: Int, _ matches: (Said) -> Bool) -> [Int] {
    made.keys.indices.filter { made.keys[$0].child == table && (said[$0].map(matches) ?? false) }
  }
  private func claims(_ table: Int) -> [Int] { keys(of: table) { $0 == .identity || $0 == .owner || $0 == .party } }
  private func hasUndecided(_ table: Int) -> Bool { !keys(of: table) { $0 == .undecided }.isEmpty }

  /// How many keys up a person is; nil where none is. No way is longer than there are tables.
  private func distance(_ table: Int, atMost limit: Int) -> Int? {
    if people.contains(table) { return 0 }
    if !claims(table).isEmpty { return 1 }
    if hasUndecided(table) || limit == 0 { return nil }
    return parents(table).compactMap { distances[made.keys[$0].parent].map { $0 + 1 } }.min()
  }
  private func parents(_ table: Int) -> [Int] {
    made.keys.indices.filter { made.keys[$0].child == table && made.keys[$0].parent != table && !people.contains(made.keys[$0].parent) }
  }
  private var distances: [Int?] = []

  private func leadsToPeople(_ table: Int, past seen: Set<Int> = []) -> Bool {
    if seen.contains(table) { return false }
    if !keys(of: table, { $0 != .actor }).isEmpty { return true }
    return made.keys.contains { $0.child == table && !people.contains($0.parent) && leadsToPeople($0.parent, past: seen.union([table])) }
  }

  // MARK: Rows

  private mutating func linkRows() {
    let tables = made.looksLikePeople.indices
    distances = tables.map { _ in nil }
    for _ in tables { distances = tables.map { distance($0, atMost: 1) } }
    let nearest = tables.map { table -> [Int] in
      if people.contains(table) || !claims(table).isEmpty || hasUndecided(table) { return [] }
      let near = parents(table).filter { distances[made.keys[$0].parent] != nil }
      let shortest = near.compactMap { distances[made.keys[$0].parent] }.min()
      return near.filter { distances[made.keys[$0].parent] == shortest }
    }
    let lookup = tables.map { !people.contains($0) && !leadsToPeople($0) }
    for (row, table) in tableOf.enumerated() {
      var (mine, party, open, up): ([Row], [Row], [Row], [Row]) = ([], [], [], [])
      let present = nearest[table].filter { has(row, $0) }
      let decider = present.isEmpty ? nil : deciding(present)
      for index in made.keys.indices where made.keys[index].child == table {
        let key = made.keys[index]
        let found = refers[index][row] ?? []
        if lookup[key.parent] { up += found }
        if said[index] == .party { party += found }
        if group.contains(table) { continue }
        if people.contains(table) || people.contains(key.parent) {
          let goesDown = said[index] == .owner || said[index] == .identity
          if goesDown { mine += found }
          let isOnlyActors = keys(of: table) { $0 != .actor }.isEmpty
          if !goesDown && (people.contains(table) || said[index] == .undecided || isOnlyActors) { open += found }
        } else if !claims(table).isEmpty {
          if claims(table).allSatisfy({ !has(row, $0) }) { open += found }
        } else if hasUndecided(table) {
          open += found
        } else if decider == index {
          mine += found
        } else if present.isEmpty || (present.contains(index) && decider == nil) {
          open += found
        }
      }
      makesMine.append(mine)
      makesParty.append(party)
      makesOpen.append(open)
      looksUp.append(up)
    }
  }

  private func has(_ row: Row, _ key: Int) -> Bool {
    let values = made.written.rows[tableOf[row]][row - first[tableOf[row]]]
    return made.keys[key].columns.allSatisfy { values[$0] != nil }
  }

  private func deciding(_ present: [Int]) -> Int? {
    if present.count == 1 { return present[0] }
    let cascading = present.filter { made.keys[$0].cascades }
    if cascading.count == 1 { return cascading[0] }
    let leading = present.filter { made.keys[$0].leads }
    return leading.count == 1 ? leading[0] : nil
  }

  /// The rows of the subject's own tables that are joined to one, over every way there is.
  private func joined(_ row: Row, past: Set<Int>) -> Set<Row> {
    var found: Set<Row> = [row]
    let table = tableOf[row]
    for (index, key) in made.keys.enumerated() where said[index] == .identity && group.contains(key.child) && group.contains(key.parent) {
      var next: [Row] = []
      if key.child == table { next += refers[index][row] ?? [] }
      if key.parent == table { next += refers[index].filter { $0.value.contains(row) }.map(\.key) }
      for other in next where tableOf[other] != table && !past.contains(tableOf[other]) {
        found.formUnion(joined(other, past: past.union([table])))
      }
    }
    return found
  }

  func answer(for start: Row) -> Answer {
    var answer = Answer(own: joined(start, past: []))
    var grows = true
    while grows {
      grows = false
      for row in tableOf.indices where !answer.own.contains(row) && makesMine[row].contains(where: answer.own.contains) {
        answer.own.insert(row)
        grows = true
      }
    }
    for row in tableOf.indices where makesParty[row].contains(where: answer.own.contains) && !answer.own.contains(row) {
      answer.party.insert(row)
    }
    var exported = answer.own.union(answer.party)
    while true {
      let found = Set(exported.flatMap { looksUp[$0] }).subtracting(answer.lookups)
      if found.isEmpty { break }
      answer.lookups.formUnion(found)
      exported = found
    }
    let left = tableOf.indices.filter { makesOpen[$0].contains(where: answer.own.contains) }
    answer.undecided = Set(left).subtracting(answer.own).subtracting(answer.party).subtracting(answer.lookups)
    return answer
  }
}
