import CoreDataModel
import SQLiteReading

/// What a store of Core Data holds: its entities with their layouts, and how many rows each has.
struct StoreContents {
  let catalogue: EntityCatalogue
  /// The entities that become collections, by their numbers.
  let layouts: [EntityLayout]
  /// The tables that they, their links and nothing else lie in.
  let claimedTables: Set<SQLiteName>
  let claimedColumns: [SQLiteName: Set<SQLiteName>]
  /// Whether the store has no model that could be read.
  let isInferred: Bool
  /// Why its model can't be read.
  let modelProblem: String?
  /// The rows of each table by their entities' numbers; a damaged table can't be counted.
  private let census: [SQLiteName: [Int64?: Int]]

  init(_ model: ManagedObjectModel?, _ problem: String?, _ catalogue: EntityCatalogue, _ store: OpenStore) {
    self.catalogue = catalogue
    (isInferred, modelProblem) = (model == nil, problem)
    let tables = StoreTables(store.schema)
    let found: [EntityLayout]
    if let model {
      let layout = StoreLayout(model, catalogue, tables)
      (found, claimedTables, claimedColumns) = (layout.entities, layout.claimedTables, layout.claimedColumns)
    } else {
      found = InferredLayout.entities(catalogue, tables)
      claimedTables = Set(found.compactMap { $0.table?.name.folded })
      claimedColumns = [:]
    }
    let census = Self.census(of: found.compactMap(\.table), in: store)
    self.census = census
    layouts = found.filter { layout in
      // What others inherit from, and has no rows, is no kind of record. A model says so; numbers alone only let it be guessed.
      let isParent =
        model.map { $0.entities[layout.name]?.isAbstract ?? false } ?? catalogue.entries.contains { $0.superNumber == layout.number }
      return !isParent || Self.rows(of: layout, census) != 0
    }
  }

  private static func census(of tables: [SQLiteTable], in store: OpenStore) -> [SQLiteName: [Int64?: Int]] {
    var census: [SQLiteName: [Int64?: Int]] = [:]
    var seen: Set<SQLiteName> = []
    for table in tables where seen.insert(table.name.folded).inserted {
      do throws(SQLiteError) { census[table.name.folded] = try count(table, in: store) } catch {
        continue  // the damage shows again where the rows are read, and is named there
      }
    }
    return census
  }

  /// How many rows there are of each entity; those that name none are counted under nil.
  private static func count(_ table: SQLiteTable, in store: OpenStore) throws(SQLiteError) -> [Int64?: Int] {
    let statement = try store.snapshot.connection.prepare("SELECT Z_ENT FROM main.\(table.name.sql) NOT INDEXED")
    var counts: [Int64?: Int] = [:]
    store.snapshot.connection.noteProgress()
    var (current, run): (Int64?, Int) = (nil, 0)
    while try statement.step() {
      store.snapshot.connection.noteProgress()
      var number: Int64?
      if case .integer(let value) = statement.value(at: 0) { number = value }
      if number != current {
        counts[current, default: 0] += run
        (current, run) = (number, 0)
      }
      run += 1
    }
    counts[current, default: 0] += run
    return counts.filter { $0.value > 0 }
  }

  private static func rows(of layout: EntityLayout, _ census: [SQLiteName: [Int64?: Int]]) -> Int? {
    guard let table = layout.table else { return 0 }
    return census[table.name.folded].map { $0[layout.number] ?? 0 }
  }

  /// How many rows an entity has; nil where its table is damaged.
  func rows(of layout: EntityLayout) -> Int? { Self.rows(of: layout, census) }

  /// Tables with rows of no entity that becomes a collection, with the numbers of those that do.
  var leftovers: [(table: SQLiteTable, known: [Int64], count: Int)] {
    var tables: [SQLiteName: SQLiteTable] = [:]
    var known: [SQLiteName: [Int64]] = [:]
    for layout in layouts {
      guard let table = layout.table else { continue }
      tables[table.name.folded] = table
      known[table.name.folded, default: []].append(layout.number)
    }
    return tables.values.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }.compactMap { table in
      let numbers = known[table.name.folded] ?? []
      let count = (census[table.name.folded] ?? [:]).filter { entry in !numbers.contains { $0 == entry.key } }.values.reduce(0, +)
      return count == 0 ? nil : (table, numbers, count)
    }
  }
}

/// Entities without a model: what the numbers and the columns tell.
enum InferredLayout {
  static func entities(_ catalogue: EntityCatalogue, _ tables: StoreTables) -> [EntityLayout] {
    catalogue.entries.compactMap { entry in
      let root = catalogue.root(of: entry).name
      let table = tables.entityTable("Z" + root)
      // History and the like lie in tables of another name, and are written as they are.
      if table == nil, tables.table("Z" + root) != nil || tables.table("A" + root) != nil { return nil }
      return layout(of: entry, table)
    }
  }

  private static func layout(of entry: EntityCatalogue.Entry, _ table: SQLiteTable?) -> EntityLayout {
    var layout = EntityLayout(number: entry.number, name: entry.name, table: table)
    var used: Set<String> = ["id"]
    for column in table?.columns ?? [] where !bookkeeping.contains(column.name.folded) {
      let name = column.name.exported
      let base = name.uppercased().hasPrefix("Z") ? String(name.dropFirst()) : name
      var (key, number) = (base, 2)
      while !used.insert(key).inserted { (key, number) = ("\(base)-\(number)", number + 1) }
      let isDate = column.declaredType.uppercased() == "TIMESTAMP"
      let type: ManagedObjectModel.AttributeType = isDate ? .date : .init(rawValue: 0)
      layout.add(key, .attribute(ManagedObjectModel.Attribute(key, type), layout.place(of: column.name)))
    }
    return layout
  }

  private static let bookkeeping: Set<SQLiteName> = ["z_pk", "z_ent", "z_opt"]
}
