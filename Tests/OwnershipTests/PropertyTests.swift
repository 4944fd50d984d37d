import Testing

@testable import Ownership

@Suite("The walk against a plain one, over databases made by chance")
struct PropertyTests {
  /// 50 databases of up to 30 tables, 20 people each.
  @Test("a thousand people", arguments: 1...50 as ClosedRange<UInt64>)
  func people(seed: UInt64) throws {
    let made = MadeDatabase(seed: seed &* 7919)
    let plain = PlainOwnership(made)
    let plan = try OwnershipPlan(schema: made.written.schema, subjects: [0])
    #expect(Set(plan.ownTables) == plain.group)
    var store = WrittenStore(made.written, batchSize: 5)
    var everybodys: Set<Int> = []
    for person in 0..<20 {
      let walk = try plan.walk(from: [StartingRow(place: "t0.id", value: "\(person + 1)")], in: &store)
      let found = PlainOwnership.Answer(walk, first: plain.first)
      let expected = plain.answer(for: person)
      #expect(found.own == expected.own, "person \(person)")
      #expect(found.party == expected.party, "person \(person)")
      #expect(found.lookups == expected.lookups, "person \(person)")
      let counts = plain.first.indices.map { table in expected.undecided.count { plain.tableOf[$0] == table } }
      #expect(walk.undecided == counts, "person \(person)")
      expectNobodyElses(found, plain)
      everybodys.formUnion(found.own)
    }
    // What belongs to something that is somebody's is somebody's; every person's own row is.
    #expect(everybodys.isSuperset(of: 0..<20))
    for row in plain.tableOf.indices where plain.makesMine[row].contains(where: everybodys.contains) {
      #expect(everybodys.contains(row), "row \(row) is missed")
    }
  }

  /// No row is inside that names only others: each is of the subject's own tables, belongs to an own row, or names one.
  private func expectNobodyElses(_ found: PlainOwnership.Answer, _ plain: PlainOwnership) {
    for row in found.own where !plain.group.contains(plain.tableOf[row]) {
      #expect(plain.makesMine[row].contains(where: found.own.contains), "row \(row) belongs to others only")
    }
    for row in found.party {
      #expect(plain.makesParty[row].contains(where: found.own.contains), "row \(row) names others only")
    }
  }

  @Test("the databases have what they are to test: parties, ties, lookups, companions, undecided rows")
  func variety() throws {
    var sums = [0, 0, 0, 0, 0]
    for seed in 1...50 as ClosedRange<UInt64> {
      let made = MadeDatabase(seed: seed &* 7919)
      let plan = try OwnershipPlan(schema: made.written.schema, subjects: [0])
      var store = WrittenStore(made.written)
      let walk = try plan.walk(from: [StartingRow(place: "t0.id", value: "1")], in: &store)
      let schema = plan.schema
      sums[0] += walk.party.count { !$0.isEmpty }
      sums[1] += schema.keys.indices.count { plan.directions.isTied($0) && plan.reach.entered.contains(schema.keys[$0].child) }
      sums[2] += walk.lookups.count { !$0.isEmpty }
      sums[3] += plan.ownTables.count - 1
      sums[4] += walk.undecided.count { $0 > 0 }
    }
    #expect(sums.allSatisfy { $0 >= 10 }, "\(sums)")
  }
}

extension PlainOwnership.Answer {
  init(_ walk: Walk, first: [Int]) {
    let flat: ([RowSet]) -> Set<Int> = { sets in
      Set(sets.indices.flatMap { table in sets[table].sorted().map { first[table] + Int($0) } })
    }
    self.init(own: flat(walk.own), party: flat(walk.party), lookups: flat(walk.lookups), undecided: [])
  }
}
