extension Walk {
  /// The rows of the subject's own tables that are one with a row: joined by identity keys, each way passing a table once.
  ///
  /// Ways are followed in the order of their length. A way to a row is given up where a shorter one has passed none but the same tables, since
  /// it can lead nowhere that the shorter doesn't; without that, tables that are joined in many ways would take ages.
  func joined<Store: RelationalStore & ~Copyable>(
    to start: RowHandle, of table: Int, in store: inout Store, _ body: (Int, RowHandle) -> Void
  ) throws {
    let joins = plan.schema.keys.indices.filter { plan.directions.joins($0) }
    var seen: [[RowHandle: [Set<Int>]]] = plan.schema.tables.map { _ in [:] }
    var ways = [Way(table: table, passed: [table], rows: [start])]
    seen[table][start] = [[table]]
    body(table, start)
    var steps = 0
    while !ways.isEmpty {
      var longer: [Way] = []
      for way in ways {
        for (key, next) in joins.flatMap({ ends(of: $0, at: way.table) }) where !way.passed.contains(next) {
          steps += 1
          guard steps <= Self.stepLimit else {
            throw OwnershipError(
              .limit, "the subject's own tables are joined in too many ways", hint: "give the role of some of the keys between them")
          }
          let passed = way.passed.union([next])
          let found = try follow(key, to: next, from: way.rows, in: &store)
            .filter { Self.isNew(passed, among: &seen[next][$0, default: []]) }
          for row in found { body(next, row) }
          if !found.isEmpty { longer.append(Way(table: next, passed: passed, rows: found)) }
        }
      }
      ways = longer
    }
  }

  private struct Way {
    let table: Int
    let passed: Set<Int>
    let rows: [RowHandle]
  }

  private static let stepLimit = 5_000

  /// A key with the table at its other end.
  private func ends(of key: Int, at table: Int) -> [(key: Int, next: Int)] {
    let ends = plan.schema.keys[key]
    return ends.parent == table ? [(key, ends.child)] : ends.child == table ? [(key, ends.parent)] : []
  }

  private func follow<Store: RelationalStore & ~Copyable>(
    _ key: Int, to table: Int, from rows: [RowHandle], in store: inout Store
  ) throws -> [RowHandle] {
    var found = RowSet()
    try rows.forEachBatch(of: store.batchSize) { batch in
      if plan.schema.keys[key].child == table {
        try store.rows(referringBy: ReferringRows(key: key), to: batch) { row, _ in found.insert(row) }
      } else {
        try store.rows(referredToBy: key, from: batch) { found.insert($0) }
      }
    }
    return found.sorted()
  }

  /// Whether no way before has reached the row over a part of these tables; notes this one if so.
  private static func isNew(_ passed: Set<Int>, among ways: inout [Set<Int>]) -> Bool {
    if ways.contains(where: passed.isSuperset(of:)) { return false }
    ways.append(passed)
    return true
  }
}
