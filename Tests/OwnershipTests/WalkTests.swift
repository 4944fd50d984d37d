import Testing

@testable import Ownership

@Suite("The walk, rule by rule")
struct WalkTests {
  @Test("rows are the nearest person's", arguments: WalkCase.nearest)
  func nearest(example: WalkCase) throws { try example.check() }

  @Test("people and companions", arguments: WalkCase.people)
  func people(example: WalkCase) throws { try example.check() }

  @Test("equal parents", arguments: WalkCase.equals)
  func equals(example: WalkCase) throws { try example.check() }

  @Test("up", arguments: WalkCase.up)
  func up(example: WalkCase) throws { try example.check() }

  @Test("what is not reached", arguments: WalkCase.unreached)
  func unreached(example: WalkCase) throws { try example.check() }
}

/// A database, a subject, and what is theirs.
struct WalkCase: Sendable, CustomTestStringConvertible {
  let name: String, database: String, subjects: [String], expected: String

  init(_ name: String, _ database: String, _ subjects: String..., expect expected: String) {
    self.name = name
    self.database = database
    self.subjects = subjects
    self.expected = expected
  }

  var testDescription: String { "\(name), \(subjects.joined(separator: " and "))" }

  func check() throws {
    let database = WrittenDatabase(database)
    let starts = try subjects.map(StartingRow.init(parsing:))
    let plan = try OwnershipPlan(schema: database.schema, starts: starts)
    for batchSize in [1, 2, 500] {
      var store = WrittenStore(database, batchSize: batchSize)
      let walk = try plan.walk(from: starts, in: &store)
      #expect(walk.summary(of: database) == expected)
      #expect(walk.isComplete == !expected.contains { "?!".contains($0) })
    }
  }

  static let forum = """
    users: id* nick name email
    = 1 ann Ann a@x
    = 2 bob Bob b@x
    = 3 cy Cy c@x
    boards: id* title
    = 1 talk
    = 2 news
    posts: id* author_id>users board_id>boards answers_post_id>posts
    = 1 1 1 -
    = 2 2 1 1
    = 3 1 2 2
    = 4 - 1 1
    = 5 - 1 2
    hearts: post_id*>posts~ user_id*>users
    = 1 1
    = 1 2
    = 2 1
    letters: id* from_user>users to_user>users
    = 1 1 2
    = 2 2 1
    = 3 2 3
    = 4 - 1
    pictures: id* post_id>posts
    = 1 1
    = 2 2
    = 3 4
    = 4 -
    stamps: letter_id>letters
    = 1
    = 2
    bans: id* user_id>users by_user_id>users
    = 1 2 1
    = 2 1 3
    """

  static let nearest = [
    WalkCase(
      "forum", forum, "users.id=1",
      expect: "users 1 | posts 1 3 | hearts 1 2 | letters 1 | pictures 1 | stamps 1 | bans 2 | ~letters 2 4 | ^boards 1 2 | ?posts 1"),
    WalkCase("forum", forum, "users.nick=cy", expect: "users 3 | ~letters 3"),
    WalkCase(
      "two starting rows of one person", forum, "users.id=1", "users.email=c@x",
      expect: "users 1 3 | posts 1 3 | hearts 1 2 | letters 1 | pictures 1 | stamps 1 | bans 2 | ~letters 2 3 4 | ^boards 1 2 | ?posts 1"),
    WalkCase(
      "my workspace holds others' work",
      """
      users: id* name email
      = 1 Ann a@x
      = 2 Bob b@x
      spaces: id* owner_id>users
      = 1 1
      members: id* user_id>users space_id>spaces
      = 1 1 1
      = 2 2 1
      rooms: id* space_id>spaces
      = 1 1
      notes: id* room_id>rooms member_id>members
      = 1 1 1
      = 2 1 2
      = 3 1 -
      """, "users.id=1", expect: "users 1 | spaces 1 | members 1 | rooms 1 | notes 1 | ?notes 1"),
    WalkCase(
      "a row whose owner is null and that my row reaches is undecided, and what hangs on it is nobody's",
      """
      users: id* email
      = 1 a@x
      files: id* user_id>users folder_id>folders
      = 1 - 1
      = 2 2 1
      folders: id* user_id>users
      = 1 1
      versions: id* file_id>files
      = 1 1
      """, "users.id=1", expect: "users 1 | folders 1 | ?files 1"),
    WalkCase(
      "only actors name people: undecided by the actor, entered from a parent all the same",
      """
      users: id* email
      = 1 a@x
      = 2 b@x
      orders: id* user_id>users
      = 1 1
      = 2 2
      checks: id* checked_by>users order_id>orders
      = 1 2 1
      = 2 1 2
      = 3 1 1
      """, "users.id=1", expect: "users 1 | orders 1 | checks 1 3 | ?checks 1"),
    WalkCase(
      "undecided keys without a claim: not entered from a parent either",
      """
      users: id* email
      = 1 a@x
      = 2 b@x
      cases: id* user_id>users
      = 1 1
      visits: id* doctor>users patient>users case_id>cases
      = 1 1 2 -
      = 2 2 2 1
      = 3 2 2 -
      bills: id* visit_id>visits
      = 1 1
      """, "users.id=1", expect: "users 1 | cases 1 | ?visits 2"),
    WalkCase(
      "cycles of owners end",
      """
      users: id* best_id>posts email
      = 1 2 a@x
      = 2 1 b@x
      posts: id* user_id>users thread_id>threads
      = 1 1 1
      = 2 2 2
      threads: id* first_id>posts last_id>posts
      = 1 1 -
      = 2 2 1
      """, "users.id=1", expect: "users 1 | posts 1 | threads 1 | ?threads 1"),
    WalkCase(
      "composite keys refer only when whole",
      """
      users: id* email
      = 1 a@x
      orders: nr* user_id>users
      = 7 1
      lines: nr*>orders line*
      = 7 1
      = 7 2
      = 8 1
      returns: id* nr line
      (nr,line)>lines
      = 1 7 2
      = 2 7 -
      = 3 8 1
      """, "users.id=1", expect: "users 1 | orders 7 | lines 7 7 | returns 1"),
  ]

  static let gallery = """
    accounts: id* handle moved_to_account_id>accounts!
    = 1 ann -
    = 2 bob 1
    = 3 cy -
    = 5 guest -
    users: id* account_id>accounts! guest_account_id>accounts! email invited_by>users
    = 11 1 - a@x -
    = 12 2 5 b@x 11
    = 13 3 - c@x -
    settings: user_id*>users
    = 11
    = 12
    posts: id* account_id>accounts
    = 1 1
    = 2 2
    = 3 5
    """

  static let people = [
    WalkCase("companions", gallery, "users.id=11", expect: "accounts 1 | users 11 | settings 11 | posts 1"),
    WalkCase("from the other end", gallery, "accounts.id=1", expect: "accounts 1 | users 11 | settings 11 | posts 1"),
    WalkCase("two accounts of one user", gallery, "settings.user_id=12", expect: "accounts 2 5 | users 12 | settings 12 | posts 2 3"),
    WalkCase("each way passes a table once", gallery, "accounts.handle=guest", expect: "accounts 5 | users 12 | settings 12 | posts 3"),
    WalkCase(
      "the customers I look after are people",
      """
      staff: id* name email
      = 1 Sam s@x
      customers: id* name phone rep_id>staff
      = 1 Ann 1 1
      = 2 Bob 2 1
      orders: id* customer_id>customers staff_id>staff
      = 1 1 1
      """, "staff.id=1", expect: "staff 1 | ?customers 2"),
    WalkCase(
      "identity into a table that only looks like people doesn't make it mine",
      """
      users: id* name email
      = 1 Ann a@x
      contacts: id* user_id>users name phone
      = 1 1 Bob 1
      badges: contact_id*>contacts
      = 1
      """, "users.id=1", expect: "users 1 | ?contacts 1"),
  ]

  static let messenger = """
    users: id* email
    = 1 a@x
    = 2 b@x
    posts: id* user_id>users
    = 1 1
    = 2 2
    mails: id* user_id>users
    = 1 1
    = 2 2

    """

  static let equals = [
    WalkCase(
      "those that are not null", messenger + "files: id* post_id>posts mail_id>mails\n= 1 1 -\n= 2 - 1\n= 3 2 -\n= 4 1 1\n= 5 1 2\n= 6 - -",
      "users.id=1", expect: "users 1 | posts 1 | mails 1 | files 1 2 | ?files 2"),
    WalkCase(
      "the one that cascades", messenger + "files: id* post_id>posts mail_id>mails~\n= 1 1 2\n= 2 2 1\n= 3 1 -", "users.id=1",
      expect: "users 1 | posts 1 | mails 1 | files 2 3"),
    WalkCase(
      "the one that leads the primary key", messenger + "files: post_id*>posts mail_id*>mails\n= 1 2\n= 2 1\n= 1 1", "users.id=1",
      expect: "users 1 | posts 1 | mails 1 | files 1 1"),
    WalkCase(
      "both cascade, none leads", messenger + "files: id* post_id>posts~ mail_id>mails~\n= 1 1 1\n= 2 1 2\n= 3 1 -", "users.id=1",
      expect: "users 1 | posts 1 | mails 1 | files 3 | ?files 2"),
    WalkCase(
      "the nearer one decides, also where it is null",
      messenger + "files: id* post_id>posts\n= 1 1\nmarks: id* file_id>files mail_id>mails\n= 1 1 2\n= 2 1 1\n= 3 1 -\n= 4 - 1",
      "users.id=1",
      expect: "users 1 | posts 1 | mails 1 | files 1 | marks 2 4 | ?marks 1"),
  ]

  static let up = [
    WalkCase(
      "what isn't people's, and doesn't lead to any; transitively, and from parties too",
      """
      lands: id* title
      = 1 fi
      = 2 se
      towns: id* land_id>lands
      = 1 1
      = 2 2
      users: id* name email town_id>towns
      = 1 Ann a@x 1
      = 2 Bob b@x 2
      kinds: id* parent_id>kinds
      = 1 -
      = 2 1
      = 3 1
      makers: id* name phone
      = 1 M 1
      cups: id* maker_id>makers
      = 1 1
      bowls: id* kind_id>kinds approved_by>users
      = 1 2 2
      = 2 3 2
      gifts: id* from_id>users to_id>users bowl_id>bowls cup_id>cups
      = 1 1 2 1 1
      = 2 2 1 2 1
      """, "users.id=1",
      expect: "users 1 | gifts 1 | ~gifts 2 | ^lands 1 | ^towns 1 | ^kinds 1 2 3 | ^bowls 1 2 | !makers"),
    WalkCase(
      "a lookup is nobody's, so it isn't undecided",
      """
      users: id* email pet_id>pets
      = 1 a@x 1
      pets: id* approved_by>users
      = 1 1
      = 2 1
      """, "users.id=1", expect: "users 1 | ^pets 1 | ?pets 1"),
  ]

  static let unreached = [
    WalkCase(
      "columns that look like the subject",
      """
      members: id* email
      = 1 a@x
      profiles: member_id*>members
      invoices: id* member_id total
      letters: id* mail
      calls: id* mobile
      logs: id* memberuuid
      views: id* profile_key
      weather: id* mailing remember_at
      trips: id* member_name
      notes: id* member_id>members phone
      tags: note_id>notes mail
      """, "members.id=1", expect: "members 1 | !invoices | !letters | !calls | !logs | !views")
  ]
}
