import Testing

@testable import Ownership

@Suite("Words of names")
struct WordTests {
  @Test(arguments: [
    ("user_id", ["user", "id"]), ("userId", ["user", "id"]), ("UserID", ["user", "id"]), ("APIKey", ["api", "key"]),
    ("ship-to.address", ["ship", "to", "address"]), ("address2", ["address", "2"]), ("2nd name", ["2", "nd", "name"]), ("", []), ("__", []),
    ("straßeName", ["straße", "name"]), ("ÄrzteID", ["ärzte", "id"]), ("顧客_id", ["顧客", "id"]),
    ("HTTPServer2Go", ["http", "server", "2", "go"]),
  ])
  func splitting(name: String, words: [String]) {
    #expect(NameWords.all(of: name) == words)
  }

  @Test(arguments: [
    ("users", "user"), ("people", "person"), ("companies", "company"), ("ties", "tie"), ("addresses", "address"), ("address", "address"),
    ("boxes", "box"), ("churches", "church"), ("dishes", "dish"), ("user", "user"), ("s", ""),
  ])
  func singulars(word: String, singular: String) {
    #expect(NameWords.singular(word) == singular)
  }

  @Test("words that only say that something is referred to are none of a name's")
  func references() {
    #expect(OwnershipRules.standard.words(of: "fk_users_uuid") == ["user"])
    #expect(OwnershipRules.standard.words(of: "id") == [])
  }

  @Test(
    "rules are data",
    arguments: [
      ("{}", "the ownership rules have no list `referenceWords`"),
      ("{referenceWords: [1]}", "`referenceWords` of the ownership rules holds something that is no word"),
    ])
  func rules(text: String, message: String) throws {
    let error = #expect(throws: OwnershipError.self) { try OwnershipRules(data: Array(text.utf8)) }
    #expect(error?.message == message)
    #expect(error?.code == .rules)
  }
}

@Suite("Sets of rows")
struct RowSetTests {
  @Test("a set holds what was put into it, once")
  func contents() {
    var set = RowSet()
    var plain: Set<RowHandle> = []
    var state: UInt64 = 7
    for step in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let row = step % 5 == 0 ? state : (state >> 33) % 3_000
      #expect(set.insert(row) == plain.insert(row).inserted)
    }
    #expect(set.count == plain.count)
    #expect(set.sorted() == plain.sorted())
    for row in (0..<4_000 as Range<RowHandle>) where set.contains(row) != plain.contains(row) { Issue.record("row \(row)") }
  }

  @Test("the first and the last handle are handles too")
  func ends() {
    var set = RowSet()
    #expect(set.isEmpty && !set.contains(0) && !set.contains(.max))
    #expect(set.insert(0) && !set.insert(0) && set.insert(.max) && !set.insert(.max))
    #expect(set.sorted() == [0, .max] && set.count == 2)
  }
}
