import Testing

@testable import Ownership

@Suite("A frozen walk")
struct FrozenWalkTests {
  static let starts = [StartingRow(place: "users.id", value: "1")]

  private func frozen(_ database: WrittenDatabase) throws -> FrozenWalk {
    var store = WrittenStore(database)
    return try OwnershipPlan(schema: database.schema, starts: Self.starts).walk(from: Self.starts, in: &store).frozen(in: &store)
  }

  private func again(_ frozen: FrozenWalk, in database: WrittenDatabase) throws -> String {
    var store = WrittenStore(database, batchSize: 2)
    return try OwnershipPlan(schema: database.schema, starts: Self.starts).walk(again: frozen, in: &store).summary(of: database)
  }

  @Test("keeps the keys of the rows that are the subject's own, and no other's")
  func contents() throws {
    let frozen = try frozen(WrittenDatabase(WalkCase.forum))
    #expect(frozen.tables.map(\.name) == ["users", "posts", "hearts", "letters", "pictures", "bans"])
    #expect(frozen.tables[1] == FrozenWalk.Table(name: "posts", columns: ["id"], primaryKeyCount: 1, values: [.text("1"), .text("3")]))
    #expect(frozen.tables[2].values == [.text("1"), .text("1"), .text("2"), .text("1")])
  }

  @Test("finds the same as long as all is there")
  func unchanged() throws {
    let database = WrittenDatabase(WalkCase.forum)
    #expect(try again(frozen(database), in: database) == WalkCase.nearest[0].expected)
  }

  @Test("finds what is left without the starting row, and what came since")
  func left() throws {
    var database = WrittenDatabase(WalkCase.forum)
    let frozen = try frozen(database)
    database.remove("users") { $0[0] == "1" }
    database.remove("posts") { $0[1] == "1" }
    database.remove("hearts") { $0[1] == "1" }
    // A picture of a post that is gone, letters, an answer of nobody's to it, a ban.
    #expect(try again(frozen, in: database) == "letters 1 | pictures 1 | stamps 1 | bans 2 | ~letters 2 4 | ?posts 1")
    database.remove("pictures") { $0[0] == "1" }
    database.remove("letters") { $0[1] == "1" }
    database.remove("stamps") { _ in true }
    database.remove("bans") { $0[1] == "1" }
    #expect(try again(frozen, in: database) == "~letters 2 4 | ?posts 1")
    database.remove("letters") { $0[2] == "1" }
    database.remove("posts") { $0[0] == "4" }
    #expect(try again(frozen, in: database) == "")
    database.add(["9", "1", "1", "-"], to: "posts")
    database.add(["8", "9"], to: "pictures")
    #expect(try again(frozen, in: database) == "posts 9 | pictures 8 | ^boards 1")
  }

  @Test("a table that is gone has nothing left; a reference that is new can't be followed by what was kept")
  func changed() throws {
    let frozen = try frozen(WrittenDatabase(WalkCase.forum))
    #expect(try again(frozen, in: WrittenDatabase("users: id* email")) == "")
    var database = WrittenDatabase("users: id* email nick!\nrows: id* user_nick")
    try database.configure(ConfiguredReference(from: ["rows.user_nick"], to: ["users.nick"]))
    let changed = database
    let error = #expect(throws: OwnershipError.self) { try again(frozen, in: changed) }
    #expect(error?.message == "the walk was frozen before rows.user_nick → users.nick was a reference")
  }

  @Test("rows with equal parents are decided again")
  func ties() throws {
    var database = WrittenDatabase(WalkCase.equals[0].database)
    let frozen = try frozen(database)
    database.remove("users") { $0[0] == "1" }
    database.remove("posts") { $0[1] == "1" }
    database.remove("mails") { $0[1] == "1" }
    #expect(try again(frozen, in: database) == "files 1 2 | ?files 2")
  }
}
