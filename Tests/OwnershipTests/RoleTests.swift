import Testing

@testable import Ownership

@Suite("Roles of keys")
struct RoleTests {
  /// Keys of the table `rows` with their roles, for the subject table `users`.
  @Test(arguments: [
    // The only key, whatever it is called.
    ("id* user_id>users", "owner"), ("id* whoever>users", "owner"), ("id* recipient_id>users", "owner"),
    // Actors, also where they are unique; not where the only key is named as its table.
    ("id* approved_by>users", "actor"), ("id* manager_id>users!", "actor"), ("id* assigned_user_id>users", "actor"),
    ("id* user_id>users approved_by>users", "owner actor"), ("id* staff_id>staff", "owner"),
    ("id* staff_id>staff user_id>users", "actor owner"),
    ("id* duty_staff_id>staff", "actor"), ("id* staff_id>staff!", "identity"),
    // Identity: unique, alone or by a part of it.
    ("user_id*>users", "identity"), ("id* user_id>users!", "identity"), ("user_id*>users day*", "owner"),
    // Among several: named as its table, else owner words.
    ("id* user_id>users recipient_id>users", "owner party"), ("id* author_id>users editor_x>users", "owner undecided"),
    ("id* user_id>users target_user_id>users", "owner undecided"), ("id* from_user_id>users to_user_id>users", "owner party"),
    ("id* doctor_id>users patient_id>users", "undecided undecided"), ("id* seller>users buyer>users", "undecided owner"),
    ("id* sender_id>users author_id>users", "owner owner"),
    ("id* original_author_id>users in_reply_to_user_id>users", "undecided undecided"),
    ("id* to_id>users cc_id>users", "undecided undecided"), ("id* user_id>users account_id>accounts", "owner owner"),
    ("id* user_id>users supplier_id>suppliers", "owner undecided"), ("id* buyer_user_id>users seller_user_id>users", "owner undecided"),
  ])
  func roles(columns: String, expected: String) throws {
    let database = WrittenDatabase(
      """
      users: id* name email
      accounts: id* login mail
      suppliers: id* name phone
      staff: id* name birthday
      rows: \(columns)
      """)
    let plan = try OwnershipPlan(schema: database.schema, subjects: [0])
    let keys = database.schema.keys.indices
    #expect(keys.map { plan.role(ofKey: $0)?.rawValue ?? "none" }.joined(separator: " ") == expected)
    #expect(keys.allSatisfy { !plan.reason(ofKey: $0).isEmpty })
  }

  @Test(
    "tables that look like people",
    arguments: [
      ("clients: id* name email", true), ("clients: id* first_name mobile", true), ("clients: id* last_name birth_date", true),
      ("clients: id* contact_name work_phone", true), ("clients: id* client_name client_email", true),
      ("people: id* person_name person_email", true),
      ("clients: id* name", false), ("clients: id* email", false), ("clients: id* title email", false),
      ("orders: id* customer_name customer_email", false), ("orders: id* name ship_phone", false),
      ("clients: id* user_name user_email", true),
    ])
  func likeness(table: String, isPeople: Bool) throws {
    let plan = try OwnershipPlan(schema: WrittenDatabase("members: id*\n\(table)").schema, subjects: [0])
    #expect(plan.peopleTables == (isPeople ? [0, 1] : [0]))
  }

  @Test(
    "companions, either way, and no further than somebody else's",
    arguments: [
      ("settings: user_id*>users", "users settings"),
      ("settings: user_id*>users\nthemes: id* setting_id>settings!", "users settings themes"),
      ("settings: id* admin_id>users!", "users"),
      ("logins: id* account_id>accounts!\naccounts: id*", "users"),
    ])
  func companions(tables: String, expected: String) throws {
    try expectCompanions("users: id* email\n" + tables, expected)
  }

  @Test(
    "a table above is a companion, unless its own key says whose its rows are",
    arguments: [
      ("accounts: id*", "accounts users"), ("accounts: id* owner_id>staff", "users"), ("accounts: id* approved_by>staff", "accounts users"),
      ("accounts: id* moved_to_id>accounts", "accounts users"), ("accounts: id* staff_id>staff!", "staff accounts users"),
    ])
  func above(table: String, expected: String) throws {
    try expectCompanions("staff: id* name email\n\(table)\nusers: id* account_id>accounts! email", expected)
  }

  private func expectCompanions(_ text: String, _ expected: String) throws {
    let database = WrittenDatabase(text)
    let plan = try OwnershipPlan(schema: database.schema, subjects: [database.index(of: "users")])
    #expect(plan.ownTables.map { database.schema.tables[$0].name }.joined(separator: " ") == expected)
  }

  @Test(
    "the configuration's roles go first, and the others are judged with them in view",
    arguments: [
      ([("rows.user_id", Role.actor)], "actor owner"), ([("rows.target_user_id", .owner)], "owner owner"),
      ([("rows.target_user_id", .party)], "owner party"), ([("rows.user_id", .undecided)], "undecided undecided"),
      ([("rows.user_id", .identity)], "identity undecided"),
    ])
  func configured(choices: [(String, Role)], expected: String) throws {
    var database = WrittenDatabase("users: id* name email\nrows: id* user_id>users target_user_id>users")
    for (key, role) in choices { try database.set(role: role, ofKey: key) }
    let plan = try OwnershipPlan(schema: database.schema, subjects: [0])
    #expect(database.schema.keys.indices.map { plan.role(ofKey: $0)?.rawValue ?? "none" }.joined(separator: " ") == expected)
  }

  @Test("people by configuration")
  func people() throws {
    let database = WrittenDatabase("users: id* email\nfirms: id* name email\nguests: id* title\nvisits: id* user_id>users guest_id>guests")
    var choices = OwnershipChoices()
    choices.people = [1: false, 2: true]
    let plan = try OwnershipPlan(schema: database.schema, subjects: [0], choices: choices)
    #expect(plan.peopleTables == [0, 2])
    #expect(plan.reasonForPeople(2) == "the configuration says that it holds people")
  }
}
