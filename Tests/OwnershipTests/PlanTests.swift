import JSONReading
import Testing

@testable import Ownership

@Suite("Plans for people and programs")
struct PlanTests {
  private let database = WrittenDatabase(
    """
    users: id* email team_id>teams
    = 1 a@x 1
    teams: id* title
    = 1 x
    settings: user_id*>users
    posts: id* user_id>users
    = 1 1
    files: id* post_id>posts
    letters: id* sender_id>users recipient_id>users
    = 1 2 1
    follows: id* user_id>users other_user_id>users
    = 1 2 1
    checks: id* user_id>users checked_by>users
    invoices: id* user_id
    drafts: id* user_email
    """)

  private func planned() throws -> (OwnershipPlan, Walk) {
    let starts = [StartingRow(place: "users.id", value: "1")]
    var choices = OwnershipChoices()
    choices.exclusions[database.index(of: "drafts")] = "never sent"
    let plan = try OwnershipPlan(schema: database.schema, starts: starts, choices: choices)
    var store = WrittenStore(database)
    return (plan, try plan.walk(from: starts, in: &store))
  }

  @Test("as a tree")
  func text() throws {
    let (plan, walk) = try planned()
    #expect(
      plan.text(counts: walk) == """
        users [1]  the subject
        ├─ settings [0]  identity by settings.user_id → users.id: unique: one row for each of users
        ├─ posts [1]  owner by posts.user_id → users.id: the table's only key to people that is no actor's
        │  └─ files [0]  parent by files.post_id → posts.id: the nearest person is found this way
        ├─ letters [0]  owner by letters.sender_id → users.id: begins with the owner word `sender`
        ├─ letters [1]  party by letters.recipient_id → users.id: beside an owner, begins with the word `recipient`
        ├─ follows [0]  owner by follows.user_id → users.id: named as the table that it refers to
        └─ checks [0]  owner by checks.user_id → users.id: the table's only key to people that is no actor's

        looked up, because rows refer to them
          users.team_id → teams.id [1]  a lookup: what rows refer to, and nobody's

        undecided: such rows are left out and counted
          follows.other_user_id → users.id [1]  undecided, beside an owner, no word says what it is

        not followed
          checks.checked_by → users.id  actor, the word `by` names who did something

        unclaimed: they look as if they named the subject, and no reference leads there
          invoices: user_id

        left out by the configuration
          drafts: never sent

        without an index: the whole table is read
          posts.user_id → users.id
          files.post_id → posts.id
          letters.sender_id → users.id
          letters.recipient_id → users.id
          follows.user_id → users.id
          follows.other_user_id → users.id
          checks.user_id → users.id

        """)
    #expect(!plan.text().contains("["))
  }

  @Test("as a graph")
  func mermaid() throws {
    let (plan, walk) = try planned()
    let lines = plan.mermaid(counts: walk).split(separator: "\n").map(String.init)
    #expect(lines.first == "flowchart LR")
    for line in [
      "  t0([\"users (1 row)\"])", "  t1[/\"teams (1 row)\"/]", "  t0 <-->|\"identity: user_id\"| t2", "  t3 -->|\"post_id\"| t4",
      "  t0 -.->|\"party: recipient_id\"| t5", "  t0 -.-x|\"undecided: other_user_id\"| t6", "  t0 -.->|\"lookup: team_id\"| t1",
      "  style t8 stroke-dasharray: 5 5",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test("names can't leave their place in a graph")
  func hostileNames() throws {
    var schema = RelationalSchema(tables: [
      TableShape(name: "users\"]\n;x", columns: [.init("id")], primaryKey: ["id"]), TableShape(name: "a", columns: [.init("<b>|")]),
    ])
    schema.declare(child: 1, columns: ["<b>|"], parent: 0, parentColumns: ["id"])
    let text = try OwnershipPlan(schema: schema, subjects: [0]).mermaid()
    #expect(text == "flowchart LR\n  t0([\"users#34;] #59;x\"])\n  t1[\"a\"]\n  t0 -->|\"owner: #60;b#62;#124;\"| t1\n")
  }

  @Test("as JSON")
  func json() throws {
    let (plan, walk) = try planned()
    let json = plan.json(counts: walk)
    let uses = json["tables"]?.elements?.compactMap { $0["use"]?.text }
    #expect(
      uses == ["own", "lookup", "own", "entered", "entered", "entered", "entered", "entered", "unclaimed", "excluded"])
    #expect(json["tables"]?.elements?[5]["rows"]?["party"]?.integer == 1)
    #expect(json["tables"]?.elements?[6]["rows"]?["undecided"]?.integer == 1)
    let keys = try #require(json["keys"]?.elements)
    #expect(keys.count == database.schema.keys.count)
    #expect(keys.allSatisfy { $0["reason"]?.text?.isEmpty == false })
    #expect(keys[1]["role"]?.text == "identity" && keys[1]["followed"]?.boolean == true && keys[1]["indexed"]?.boolean == true)
  }

  @Test("a question is asked for many rows, not for each")
  func questions() throws {
    var text = "users: id* email\n= 1 a@x\nposts: id* user_id>users\nmarks: id* post_id>posts\n"
    let posts = (1...1_000).map { "= \($0) 1" }.joined(separator: "\n")
    text = text.replacing("posts: id* user_id>users\n", with: "posts: id* user_id>users\n\(posts)\n")
    text += (1...1_000).map { "= \($0) \($0)" }.joined(separator: "\n")
    let database = WrittenDatabase(text)
    let starts = [StartingRow(place: "users.id", value: "1")]
    var store = WrittenStore(database, batchSize: 500)
    let walk = try OwnershipPlan(schema: database.schema, starts: starts).walk(from: starts, in: &store)
    #expect(walk.own.map(\.count) == [1, 1_000, 1_000])
    #expect(store.questions == 3)
  }
}

@Suite("The subject's own tables, joined in many ways")
struct JoiningTests {
  /// Every table has a unique key to every one before: ways without number, one row in each.
  @Test("that all agree")
  func agreeing() throws {
    let count = 24
    let text = (0..<count).map { table in
      let keys = (0..<table).map { "t\($0)_id>t\($0)!" }
      return
        "t\(table): id* \(keys.joined(separator: " "))\n= 1\(String(repeating: " 1", count: table))\n= 2\(String(repeating: " 2", count: table))"
    }
    let database = WrittenDatabase(text.joined(separator: "\n"))
    let starts = [StartingRow(place: "t7.id", value: "2")]
    var store = WrittenStore(database)
    let walk = try OwnershipPlan(schema: database.schema, starts: starts).walk(from: starts, in: &store)
    #expect(walk.own.allSatisfy { $0.sorted() == [1] })
  }

  @Test("that lead everywhere end in an error, not in ages")
  func disagreeing() throws {
    let (count, rows) = (12, 20)
    var chance = Chance(state: 3)
    let text = (0..<count).map { table in
      let keys = (0..<table).map { "t\($0)_id>t\($0)!" }
      var columns = (0..<table).map { _ in Array(1...rows) }
      for column in columns.indices { for row in 0..<rows { columns[column].swapAt(row, chance.below(rows)) } }
      let lines = (0..<rows).map { row in "= \(row + 1) \(columns.map { "\($0[row])" }.joined(separator: " "))" }
      return "t\(table): id* \(keys.joined(separator: " "))\n\(lines.joined(separator: "\n"))"
    }
    let database = WrittenDatabase(text.joined(separator: "\n"))
    let starts = [StartingRow(place: "t0.id", value: "1")]
    let plan = try OwnershipPlan(schema: database.schema, starts: starts)
    let error = #expect(throws: OwnershipError.self) {
      var store = WrittenStore(database, batchSize: 500)
      _ = try plan.walk(from: starts, in: &store)
    }
    #expect(error?.code == .limit)
  }
}
