import Testing

@testable import CoreDataModel

@Suite struct StoreNamesTests {
  private func names(_ entities: [ManagedObjectModel.Entity]) throws -> StoreNames {
    let numbers = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1.name, Int64($0 + 1)) })
    return StoreNames(try ManagedObjectModel(entities: entities), numbers: numbers)
  }

  @Test("all of a tree lies in the table of its root; names that clash get numbers, in the order of the entities")
  func suffixes() throws {
    let names = try names([
      .init("Item", attributes: [.init("title", .string)]),
      .init("Book", superentity: "Item", attributes: [.init("note", .string), .init("note1", .string)]),
      .init("Film", superentity: "Item", attributes: [.init("note", .string)]),
      .init("Song", superentity: "Item", attributes: [.init("note", .string)], relationships: [.init("title2", to: "Item")]),
      .init("Other", attributes: [.init("note", .string)]),
    ])
    #expect(names.table(of: "Song") == "ZITEM")
    #expect(names.column(of: "title", in: "Film") == "ZTITLE")
    #expect(names.column(of: "note", in: "Book") == "ZNOTE")
    #expect(names.column(of: "note1", in: "Book") == "ZNOTE1")
    // ZNOTE1 is taken.
    #expect(names.column(of: "note", in: "Film") == "ZNOTE2")
    #expect(names.column(of: "note", in: "Song") == "ZNOTE3")
    #expect(names.column(of: "note", in: "Other") == "ZNOTE")
    #expect(names.column(of: "missing", in: "Book") == nil)
  }

  @Test("a composite attribute has a column for each part")
  func composites() throws {
    let place = ManagedObjectModel.Attribute("place", .composite, elements: [.init("lat", .double), .init("name", .string)])
    let names = try names([.init("Person", attributes: [place, .init("name", .string)])])
    #expect(names.column(of: "place", part: ["lat"], in: "Person") == "ZLAT")
    #expect(names.column(of: "name", in: "Person") == "ZNAME")
    #expect(names.column(of: "place", part: ["name"], in: "Person") == "ZNAME1")
    #expect(names.column(of: "place", in: "Person") == nil)
  }

  @Test("an order's name has a number of its own")
  func orders() throws {
    let shelf = ManagedObjectModel.Entity(
      "Shelf",
      relationships: [
        .init("books", to: "Book", inverse: "shelf", isToMany: true),
        .init("films", to: "Film", inverse: "shelf", isToMany: true, isOrdered: true),
      ])
    let names = try names([
      shelf, .init("Item"), .init("Book", superentity: "Item", relationships: [.init("shelf", to: "Shelf", inverse: "books")]),
      .init("Film", superentity: "Item", relationships: [.init("shelf", to: "Shelf", inverse: "films")]),
    ])
    #expect(names.storage(of: shelf.relationships[0], in: "Shelf") == .inColumn("ZSHELF", order: "Z_FOK_SHELF"))
    #expect(names.storage(of: shelf.relationships[1], in: "Shelf") == .inColumn("ZSHELF1", order: "Z_FOK_SHELF"))
    #expect(
      names.storage(of: .init("shelf", to: "Shelf", inverse: "films"), in: "Film")
        == .toOne(.init(column: "ZSHELF1", order: "Z_FOK_SHELF", entity: "Z1_SHELF1")))
  }

  @Test("without an inverse, the column is numbered by the entity that declares the relationship")
  func oneWay() throws {
    let marks = ManagedObjectModel.Relationship("marks", to: "Mark", isToMany: true, isOrdered: true)
    let names = try names([.init("Base", relationships: [marks]), .init("Shelf", superentity: "Base"), .init("Mark")])
    #expect(names.storage(of: marks, in: "Shelf") == .inColumn("Z1MARKS", order: "Z_FOK_1MARKS"))
  }

  @Test(
    "a join table is found under either side's name, its columns with or without numbers",
    arguments: [
      ("Z_1AUTHORS", ["Z_1BOOKS", "Z_2AUTHORS"], "Z_1BOOKS", "Z_2AUTHORS", nil),
      ("Z_2BOOKS", ["Z_2AUTHORS", "Z_1BOOKS", "Z_FOK_2AUTHORS"], "Z_1BOOKS", "Z_2AUTHORS", "Z_FOK_2AUTHORS"),
      ("Z_2BOOKS", ["Z_2AUTHORS3", "Z_1BOOKS1", "Z_FOK_2AUTHORS1"], "Z_1BOOKS1", "Z_2AUTHORS3", "Z_FOK_2AUTHORS1"),
    ] as [(String, [String], String, String, String?)])
  func joins(_ table: String, _ columns: [String], _ owners: String, _ members: String, _ order: String?) throws {
    let authors = ManagedObjectModel.Relationship("authors", to: "Person", inverse: "books", isToMany: true, isOrdered: true)
    let books = ManagedObjectModel.Relationship("books", to: "Book", inverse: "authors", isToMany: true)
    let names = try names([.init("Book", relationships: [authors]), .init("Person", relationships: [books])])
    guard case .joined(let join)? = names.storage(of: authors, in: "Book") else {
      Issue.record("no join")
      return
    }
    #expect(join.tables.contains(table))
    #expect(join.columns(among: columns) == .init(owners: owners, members: members, order: order))
    #expect(join.columns(among: ["Z_9OTHER", "Z_1BOOKS"]) == nil)
  }

  @Test("a relationship that is its own inverse leads to the column REFLEXIVE")
  func reflexive() throws {
    let friends = ManagedObjectModel.Relationship("friends", to: "Person", inverse: "friends", isToMany: true, isOrdered: true)
    let names = try names([.init("Person", relationships: [friends])])
    guard case .joined(let join)? = names.storage(of: friends, in: "Person") else {
      Issue.record("no join")
      return
    }
    #expect(join.tables == ["Z_1FRIENDS"])
    #expect(
      join.columns(among: ["Z_1FRIENDS", "REFLEXIVE", "FOK_REFLEXIVE"])
        == .init(owners: "Z_1FRIENDS", members: "REFLEXIVE", order: "FOK_REFLEXIVE"))
  }

  @Test("names that only a number tells apart are not mixed up")
  func numberedNames() throws {
    let one = ManagedObjectModel.Relationship("tag2", to: "A", inverse: "tag", isToMany: true)
    let two = ManagedObjectModel.Relationship("tag", to: "A", inverse: "tag2", isToMany: true)
    let names = try names([.init("A", relationships: [one, two])])
    guard case .joined(let join)? = names.storage(of: one, in: "A") else {
      Issue.record("no join")
      return
    }
    #expect(join.columns(among: ["Z_1TAG2", "Z_1TAG"]) == .init(owners: "Z_1TAG", members: "Z_1TAG2", order: nil))
  }
}
