import SQLiteReading

/// The entities that a store numbers in `Z_PRIMARYKEY`.
struct EntityCatalogue {
  struct Entry {
    /// `Z_ENT`, which each row of the entity has.
    let number: Int64
    let name: String
    /// The number of the entity that it inherits from; 0 where it has none.
    let superNumber: Int64
  }

  /// By their numbers.
  let entries: [Entry]
  /// The numbers by name.
  let numbers: [String: Int64]
  private let byNumber: [Int64: Entry]

  /// Why the numbers say nothing that can be relied on.
  struct Unclear: Error, CustomStringConvertible {
    let description: String
  }

  init(_ table: SQLiteTable, in store: OpenStore) throws {
    let columns: [SQLiteName] = ["Z_ENT", "Z_NAME", "Z_SUPER"]
    var reader = try SQLiteTableReader(table, of: store.schema, in: store.snapshot, columns: columns)
    guard reader.columns.count == 3 else { throw Unclear(description: "Z_PRIMARYKEY lacks a column") }
    var found: [Entry] = []
    while try reader.next(in: store.snapshot) {
      guard case .integer(let number) = try reader.cell(at: 0), case .text(let bytes) = try reader.cell(at: 1),
        let name = String(validating: bytes, as: UTF8.self), !name.isEmpty
      else { throw Unclear(description: "an entity in Z_PRIMARYKEY has no number, or no name") }
      var superNumber: Int64 = 0
      if case .integer(let number) = try reader.cell(at: 2) { superNumber = number }
      found.append(Entry(number: number, name: name, superNumber: superNumber))
      if found.count > Self.most { throw Unclear(description: "more entities than a model can have") }
    }
    guard Set(found.map(\.number)).count == found.count, Set(found.map(\.name)).count == found.count else {
      throw Unclear(description: "two entities in Z_PRIMARYKEY have one number or one name")
    }
    entries = found.sorted { $0.number < $1.number }
    numbers = Dictionary(found.map { ($0.name, $0.number) }) { first, _ in first }
    byNumber = Dictionary(found.map { ($0.number, $0) }) { first, _ in first }
  }

  private static let most = 65_536

  /// The topmost entity that an entity inherits from, by the numbers alone; itself where they lead nowhere or round in circles.
  func root(of entry: Entry) -> Entry {
    var (top, steps) = (entry, 0)
    while let next = byNumber[top.superNumber], steps < entries.count {
      (top, steps) = (next, steps + 1)
    }
    return steps < entries.count ? top : entry
  }
}
