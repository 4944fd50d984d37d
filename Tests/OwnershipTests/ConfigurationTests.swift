import Testing

@testable import Ownership

@Suite("What a configuration decides")
struct ConfigurationTests {
  static let notes = """
    users: id* email
    = 1 a@x
    = 2 b@x
    teams: id* owner_id>users
    = 1 1
    = 2 2
    notes: id* holder_type holder_id reader_ids
    = 1 User 1 1,2
    = 2 User 2 1
    = 3 Team 1 2
    = 4 Team 2 -
    invoices: id* user_id
    = 1 1
    = 2 2
    """

  private func summary(_ references: [ConfiguredReference], exclude: [String: String] = [:]) throws -> String {
    var database = WrittenDatabase(Self.notes)
    for reference in references { try database.configure(reference) }
    var choices = OwnershipChoices()
    for (table, reason) in exclude { choices.exclusions[database.index(of: table)] = reason }
    let starts = [StartingRow(place: "users.id", value: "1")]
    let plan = try OwnershipPlan(schema: database.schema, starts: starts, choices: choices)
    var store = WrittenStore(database)
    return try plan.walk(from: starts, in: &store).summary(of: database)
  }

  private static let ofUsers = ConfiguredReference(
    from: ["notes.holder_id"], to: ["users.id"], condition: .init(column: "notes.holder_type", value: "User"))
  private static let ofTeams = ConfiguredReference(
    from: ["notes.holder_id"], to: ["teams.id"], condition: .init(column: "notes.holder_type", value: "Team"))

  @Test("nothing configured")
  func nothing() throws {
    #expect(try summary([]) == "users 1 | teams 1 | !invoices")
  }

  @Test("a reference that the database doesn't declare")
  func reference() throws {
    let reference = ConfiguredReference(from: ["invoices.user_id"], to: ["users.id"])
    #expect(try summary([reference]) == "users 1 | teams 1 | invoices 1")
  }

  @Test("a table left out, with a reason")
  func exclusion() throws {
    #expect(try summary([], exclude: ["invoices": "kept by the bank"]) == "users 1 | teams 1")
  }

  @Test("a polymorphic reference is one only in the rows that say so")
  func polymorphic() throws {
    #expect(try summary([Self.ofTeams]) == "users 1 | teams 1 | notes 3 | !invoices")
    #expect(try summary([Self.ofUsers]) == "users 1 | teams 1 | notes 1 | !invoices")
    // With a key to people, the rows of a team name no person: undecided.
    #expect(try summary([Self.ofUsers, Self.ofTeams]) == "users 1 | teams 1 | notes 1 | ?notes 1 | !invoices")
  }

  @Test("an array's elements refer, each")
  func elements() throws {
    let readers = ConfiguredReference(from: ["notes.reader_ids"], to: ["users.id"], access: .arrayElements, role: .party)
    #expect(try summary([Self.ofUsers, readers]) == "users 1 | teams 1 | notes 1 | ~notes 2 | !invoices")
  }

  @Test("a role for a key to a parent: its rows decide, or don't")
  func parents() throws {
    let text = """
      users: id* email
      = 1 a@x
      = 2 b@x
      lists: id* user_id>users
      = 1 1
      = 2 2
      shops: id* user_id>users
      = 1 1
      = 2 2
      items: id* list_id>lists shop_id>shops
      = 1 1 2
      = 2 2 1
      """
    for (role, key, expected) in [(Role.owner, "items.list_id", "items 1"), (.actor, "items.list_id", "items 2")] {
      var database = WrittenDatabase(text)
      try database.set(role: role, ofKey: key)
      let starts = [StartingRow(place: "users.id", value: "1")]
      var store = WrittenStore(database)
      let walk = try OwnershipPlan(schema: database.schema, starts: starts).walk(from: starts, in: &store)
      #expect(walk.summary(of: database) == "users 1 | lists 1 | shops 1 | \(expected)")
    }
    var database = WrittenDatabase(text)
    try database.set(role: .party, ofKey: "items.list_id")
    let error = #expect(throws: OwnershipError.self) { try OwnershipPlan(schema: database.schema, subjects: [0]) }
    #expect(error?.message == "items.list_id → lists.id leads to no table of people, so it can't have the role party")
  }

  @Test("the same reference declared and configured is one; a key declared twice cascades if either does")
  func twice() throws {
    var schema = WrittenDatabase("users: id* email\nposts: id* user_id>users").schema
    try schema.configure(ConfiguredReference(from: ["posts.user_id"], to: ["users.id"], role: .party))
    schema.declare(child: 1, columns: ["user_id"], parent: 0, parentColumns: ["id"], cascades: true)
    #expect(schema.keys.count == 1)
    #expect(schema.keys[0].role == .party && schema.keys[0].cascades && schema.keys[0].origin == .declared)
  }

  @Test(
    "what doesn't fit the database is said",
    arguments: [
      (["rows.user_id"], ["users.id"], nil, "there is no table rows"),
      (["notes.owner"], ["users.id"], nil, "the table notes has no column owner"),
      (["notes.id", "users.id"], ["users.id"], nil, "notes.id and users.id aren't of one table"),
      (["notes.id"], ["users.id", "users.email"], nil, "the reference from notes.id has 1 columns and leads to 2"),
      ([], ["users.id"], nil, "a reference names no column"),
      (["id"], ["users.id"], nil, "there is no place id: it is written table.column"),
      (["notes.id"], ["users.id"], "teams.id", "the reference from notes.id has a condition on another table, teams.id"),
    ])
  func faults(from: [String], to: [String], condition: String?, message: String) {
    var schema = WrittenDatabase(Self.notes).schema
    let reference = ConfiguredReference(from: from, to: to, condition: condition.map { .init(column: $0, value: "x") })
    let error = #expect(throws: OwnershipError.self) { try schema.configure(reference) }
    #expect(error?.message == message)
    #expect(error?.code == .configuration)
  }
}

@Suite("Starting rows")
struct StartingRowTests {
  private let database = WrittenDatabase(
    """
    users: id* email name
    = 1 a@x Bob
    = 2 b@x Bob
    shop.users: id*
    = 7
    a.b: c.d*
    = 9
    Odd: ID*
    odd: id*
    """)

  @Test(arguments: [
    ("users.id=1", 0, "id"), ("USERS.Email=a@x", 0, "email"), ("shop.users.id=7", 1, "id"), ("a.b.c.d=9", 2, "c.d"), ("odd.id=1", 4, "id"),
    ("Odd.ID=", 3, "ID"),
  ])
  func places(text: String, table: Int, column: String) throws {
    let found = try StartingRow(parsing: text).resolved(in: database.schema)
    #expect(found.table == table && found.column == column)
  }

  @Test(arguments: [
    ("users", "a subject is written table.column=value"), ("id=1", "a subject is written table.column=value"),
    ("people.id=1", "there is no table people"), ("users.nr=1", "the table users has no column nr"),
    ("ODD.id=1", "several tables are called ODD"),
  ])
  func faults(text: String, message: String) {
    let error = #expect(throws: OwnershipError.self) { try StartingRow(parsing: text).resolved(in: database.schema) }
    #expect(error?.message == message)
    #expect(error?.code == .subject)
  }

  @Test(
    "exactly one row",
    arguments: [
      (["users.id=3"], OwnershipError.Code.noSubject), (["users.name=Bob"], .severalSubjects), (["users.id=1", "users.id=9"], .noSubject),
    ])
  func count(subjects: [String], code: OwnershipError.Code) throws {
    let starts = try subjects.map(StartingRow.init(parsing:))
    let plan = try OwnershipPlan(schema: database.schema, starts: starts)
    let error = #expect(throws: OwnershipError.self) {
      var store = WrittenStore(database)
      _ = try plan.walk(from: starts, in: &store)
    }
    #expect(error?.code == code)
    #expect(error?.message.contains("Bob") == false)
  }
}
