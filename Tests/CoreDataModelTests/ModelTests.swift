import TestSupport
import Testing

@testable import CoreDataModel

private func model(_ fixture: ModelFixture) throws -> ManagedObjectModel {
  try fixture.cache.withUnsafeBytes { try ManagedObjectModel(cache: $0) }
}

private let shop = ModelFixture([
  .init("Item", abstract: true, [.init("title", 700), .init("added", 900)], [.init("shelf", to: "Shelf", inverse: "items")]),
  .init("Book", parent: "Item", [.init("pages", 100), .init("draft", 700, transient: true)]),
  .init("Shelf", [.init("cover", 1000, external: true)], [.init("items", to: "Item", inverse: "shelf", many: true, ordered: true)]),
])

@Suite struct ModelTests {
  @Test(
    "a model is read from its archive, whatever its dictionaries are made of",
    arguments: [(false, false), (true, false), (false, true), (true, true)])
  func reading(_ forms: (proxies: Bool, knownKeys: Bool)) throws {
    var fixture = shop
    (fixture.usesProxies, fixture.usesKnownKeys) = forms
    let model = try model(fixture)
    #expect(model.entities.keys.sorted() == ["Book", "Item", "Shelf"])
    let book = try #require(model.entities["Book"])
    #expect(book.superentity == "Item" && !book.isAbstract)
    #expect(book.attributes == [.init("added", .date), .init("pages", .integer16), .init("title", .string)])
    #expect(book.relationships == [.init("shelf", to: "Shelf", inverse: "items")])
    #expect(model.entities["Item"]?.isAbstract == true)
    #expect(model.entities["Shelf"]?.attributes == [.init("cover", .binary, allowsExternalStorage: true)])
    #expect(model.entities["Shelf"]?.relationships == [.init("items", to: "Item", inverse: "shelf", isToMany: true, isOrdered: true)])
    #expect(model.root(of: "Book") == "Item")
    #expect(model.declarer(of: "title", in: "Book") == "Item")
    #expect(model.declarer(of: "pages", in: "Book") == "Book")
    #expect(model.isKind("Book", of: "Item") && !model.isKind("Item", of: "Book"))
  }

  @Test("derived and composite attributes are attributes")
  func special() throws {
    let address = ModelFixture.Attribute(
      "address", 2100, elements: [.init("street", 700), .init("place", 2100, elements: [.init("lat", 500)])])
    let model = try model(ModelFixture([.init("Person", [.init("count", 300, derived: true), address])]))
    #expect(
      model.entities["Person"]?.attributes == [
        .init("address", .composite, elements: [.init("street", .string), .init("place", .composite, elements: [.init("lat", .double)])]),
        .init("count", .integer64),
      ])
  }

  @Test("an entity that inherits gets what its archive leaves out")
  func inheritance() throws {
    let model = try ManagedObjectModel(entities: [
      .init("A", attributes: [.init("z", .string)], relationships: [.init("b", to: "B")]),
      .init("B", superentity: "A", attributes: [.init("a", .date)]),
    ])
    #expect(model.entities["B"]?.attributes.map(\.name) == ["a", "z"])
    #expect(model.entities["B"]?.relationships.map(\.name) == ["b"])
  }

  @Test("names are in the order of their code points, not of a language")
  func order() throws {
    let model = try ManagedObjectModel(entities: [.init("A", attributes: ["é", "z", "Z", "a"].map { .init($0, .string) })])
    #expect(model.entities["A"]?.attributes.map(\.name) == ["Z", "a", "z", "é"])
  }
}

@Suite struct BrokenModelTests {
  @Test("what is no model is told by its code")
  func garbage() throws {
    func code(_ cache: [UInt8]) -> ModelError.Code? {
      do {
        _ = try cache.withUnsafeBytes { try ManagedObjectModel(cache: $0) }
        return nil
      } catch { return (error as? ModelError)?.code }
    }
    #expect(code([]) == .notDeflated)
    #expect(code(Array("no deflate data".utf8)) == .notDeflated)
    #expect(code(Array(shop.cache.dropLast(3))) == .notDeflated)
    #expect(code(storedDeflate(Array("neither".utf8))) == .notAnArchive)
    #expect(code(storedDeflate(ListValue.array([]).binary)) == .notAnArchive)
    #expect(code(storedDeflate(ArchiveFixture().bytes(root: .uid(0)))) == .notAModel)
    #expect(code(storedDeflate(ArchiveFixture().bytes(root: .uid(7)))) == .broken)
  }

  @Test("a model that contradicts itself is none")
  func contradictions() {
    func code(_ entities: [ManagedObjectModel.Entity]) -> ModelError.Code? {
      do throws(ModelError) {
        _ = try ManagedObjectModel(entities: entities)
        return nil
      } catch { return error.code }
    }
    #expect(code([.init("A", superentity: "B"), .init("B", superentity: "A")]) == .inheritanceCycle)
    #expect(code([.init("A", superentity: "A")]) == .inheritanceCycle)
    #expect(code([.init("A", superentity: "B")]) == .unknownEntity)
    #expect(code([.init("A", relationships: [.init("b", to: "B")])]) == .unknownEntity)
    #expect(code([.init("A"), .init("A")]) == .duplicateName)
    #expect(code([.init("A", attributes: [.init("x", .string), .init("x", .date)])]) == .duplicateName)
    #expect(code([.init("A", attributes: [.init("x", .string)], relationships: [.init("x", to: "A")])]) == .duplicateName)
  }

  @Test("an archived cycle of inheritance ends")
  func archivedCycle() {
    let fixture = ModelFixture([.init("A", parent: "B"), .init("B", parent: "A")])
    #expect(throws: ModelError(.inheritanceCycle)) { try model(fixture) }
  }

  @Test("every bit flip of a small archive ends in a model or an error")
  func bitFlips() {
    let archive = shop.archive
    var outcomes = (models: 0, errors: 0)
    for place in stride(from: 0, to: archive.count, by: 7) {
      var broken = archive
      broken[place] ^= 1 << UInt8(place % 8)
      do throws(ModelError) {
        _ = try ManagedObjectModel(archive: broken)
        outcomes.models += 1
      } catch { outcomes.errors += 1 }
    }
    #expect(outcomes.models > 0 && outcomes.errors > 0)
  }
}
