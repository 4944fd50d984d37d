import Testing

@testable import Ownership

@Suite("Proposed references")
struct ProposalTests {
  private static func table(_ name: String, _ columns: String, key: [String] = ["id"], schema: String? = nil) -> TableShape {
    let columns = columns.split(separator: " ").map { column in
      let parts = column.split(separator: ":", maxSplits: 1)
      return TableShape.Column(String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }
    return TableShape(schema: schema, name: name, columns: columns, primaryKey: key)
  }

  private static func proposals(of tables: [TableShape], declaring keys: [(Int, String, Int)] = []) throws -> [String] {
    var schema = RelationalSchema(tables: tables)
    for (child, column, parent) in keys { schema.declare(child: child, columns: [column], parent: parent, parentColumns: ["id"]) }
    return try OwnershipPlan(schema: schema, subjects: [0]).proposedReferences().map { proposal in
      let when = proposal.reference.condition.map { " when \($0.column)=\($0.value)" } ?? ""
      return "\(proposal.reference.from[0]) → \(proposal.reference.to[0])\(when): \(proposal.role?.rawValue ?? "-")"
    }
  }

  private static let users = table("users", "id:bigint email:text name:text")

  @Test(arguments: [
    // A column that ends with a table's name and says that it refers.
    (table("notes", "id user_id:integer"), ["notes.user_id → users.id: owner"]),
    (table("notes", "id author_user_id:int8"), ["notes.author_user_id → users.id: owner"]),
    (table("notes", "id approvedByUserID:int"), ["notes.approvedByUserID → users.id: actor"]),
    (table("notes", "id user_uuid"), ["notes.user_uuid → users.id: owner"]),
    // Beside a column of types.
    (
      table("notes", "id owner_type:text owner_id:int"), ["notes.owner_id → users.id when notes.owner_type=User: owner"]
    ),
    // Mail columns of tables that nothing reaches.
    (table("newsletter", "id customer_email:varchar"), ["newsletter.customer_email → users.email: owner"]),
    // Of another type, without a word that refers, its own key, nobody's name.
    (table("notes", "id user_id:text"), []), (table("notes", "id user:int"), []), (table("user_notes", "user_id", key: ["user_id"]), []),
    (table("notes", "id owner_id:int"), []), (table("notes", "id team_id:int"), []), (table("notes", "id title:text"), []),
  ])
  func ofATable(_ table: TableShape, _ expected: [String]) throws {
    #expect(try Self.proposals(of: [Self.users, table]) == expected)
  }

  @Test func tablesOfOtherThings() throws {
    let tables = [
      Self.users, Self.table("posts", "id:int user_id:int"), Self.table("post_files", "id:int post_id:int reply_post_file_id:int"),
      Self.table("logs", "id key_id", key: []), Self.table("keys", "part one", key: ["part", "one"]),
    ]
    #expect(
      try Self.proposals(of: tables, declaring: [(1, "user_id", 0)]) == [
        "post_files.post_id → posts.id: -", "post_files.reply_post_file_id → post_files.id: -",
      ])
  }

  /// Where two tables have a name, the reference can't be told.
  @Test func namesThatAreNotUnique() throws {
    let tables = [Self.users, Self.table("users", "id:int name:text", schema: "old"), Self.table("notes", "id user_id:int")]
    #expect(try Self.proposals(of: tables) == [])
  }

  @Test func whatIsDeclaredIsNotProposed() throws {
    #expect(try Self.proposals(of: [Self.users, Self.table("notes", "id user_id:int")], declaring: [(1, "user_id", 0)]) == [])
  }
}
