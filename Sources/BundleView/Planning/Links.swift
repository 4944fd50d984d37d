internal import AccountExport

/// Which rows refer to which, found in one reading of the rows that are shown.
struct Links {
  /// A declared key.
  struct Key {
    /// The collections that refer and that are referred to, among the plans; the columns there.
    let from: Int, columns: [Int], to: Int, referenced: [Int]
    fileprivate let index: Int
  }

  /// The rows of one collection that refer to rows of another, by one key or by ids.
  struct Back {
    let from: Int, to: Int
    /// The row that is referred to and the one that refers, in this order.
    let pairs: [(target: UInt32, row: UInt32)]
  }

  private(set) var keys: [Key] = []
  private(set) var back: [Back] = []
  private var indexes: [(collection: Int, columns: [Int], index: KeyIndex)] = []
  /// Each collection that is referred to by ids (`Entity/12`), with its index.
  private var identifiers: [(collection: Int, index: Int)] = []
  /// The places in that list by the collections' names.
  private var named: [UInt64: Int] = [:]
  private var names: [Int: RowNames] = [:]

  /// All pairs of a bundle at most: what is beyond has no links back.
  private static let maximumPairs = 1_000_000

  init(_ plans: inout [CollectionPlan]) throws {
    for from in plans.indices { declareKeys(from, &plans) }
    for from in plans.indices { declareIdentifiers(from, &plans) }
    for place in plans.indices { try read(place, &plans) }
    for index in indexes.indices { indexes[index].index.sort() }
    for key in keys.indices {
      resolve(hashes.removeValue(forKey: key) ?? [], index: keys[key].index, from: keys[key].from, to: keys[key].to)
    }
    for (way, hashes) in identifierHashes.sorted(by: { $0.key < $1.key }) {
      guard let index = identifiers.first(where: { $0.collection == way.to })?.index else { continue }
      resolve(hashes, index: index, from: way.from, to: way.to)
    }
    (hashes, identifierHashes) = ([:], [:])
  }

  // MARK: What there is to find

  private mutating func declareKeys(_ from: Int, _ plans: inout [CollectionPlan]) {
    for key in plans[from].collection.description.foreignKeys where key.columns.count == key.referenced.count {
      guard let to = Self.target(key.collection, of: plans[from].source, plans) else { continue }
      let columns = key.columns.compactMap { plans[from].column($0) }
      let referenced = key.referenced.compactMap { plans[to].column($0) }
      guard columns.count == key.columns.count, referenced.count == columns.count, let first = columns.first else { continue }
      if columns.contains(where: { plans[from].columns[$0].isHidden }) { continue }
      if plans[from].columns[first].reference == .none { plans[from].columns[first].reference = .key(keys.count) }
      keys.append(Key(from: from, columns: columns, to: to, referenced: referenced, index: index(of: to, referenced)))
    }
  }

  /// A collection by its name in the account: SQL ignores case.
  private static func target(_ name: String, of source: Int, _ plans: [CollectionPlan]) -> Int? {
    let same = plans.indices.filter { plans[$0].source == source && !plans[$0].isHidden }
    return same.first { plans[$0].name.utf8.elementsEqual(name.utf8) } ?? same.first { plans[$0].name.lowercased() == name.lowercased() }
  }

  private mutating func index(of collection: Int, _ columns: [Int]) -> Int {
    if names[collection] == nil { names[collection] = RowNames() }
    if let known = indexes.firstIndex(where: { $0.collection == collection && $0.columns == columns }) { return known }
    indexes.append((collection, columns, KeyIndex()))
    return indexes.count - 1
  }

  /// Collections whose rows have ids such as `Note/12`, and the columns of keys that no reference was declared for.
  private mutating func declareIdentifiers(_ place: Int, _ plans: inout [CollectionPlan]) {
    let description = plans[place].collection.description
    guard description.primaryKey == ["id"], let id = plans[place].column("id"), plans[place].columns[id].kinds == .text else { return }
    guard description.columns[id].isKey, description.foreignKeys.isEmpty else { return }
    identifiers.append((place, index(of: place, [id])))
    named[Self.hash(name: plans[place].name.utf8, of: plans[place].source)] = identifiers.count - 1
    for column in description.columns.indices where column != id && description.columns[column].isKey {
      plans[place].columns[column].reference = .identifiers
    }
  }

  // MARK: Reading

  /// Reads the rows of a collection that are shown: where its pages begin, which keys its rows have, what they are called, and what they refer to.
  private mutating func read(_ place: Int, _ plans: inout [CollectionPlan]) throws {
    let plan = plans[place]
    let ownIndexes = indexes.indices.filter { indexes[$0].collection == place }
    let ownKeys = keys.indices.filter { keys[$0].from == place }
    let ownIdentifiers = plan.columns.indices.filter { plan.columns[$0].reference == .identifiers && !plan.columns[$0].isHidden }
    let naming = names[place] == nil ? nil : RowNames.column(in: plan.columns) ?? -1
    var cuts = PageCuts()
    var reader = RowReader(plan.collection.content)
    var fields = RowFields()
    var row = 0
    while row < plan.shown {
      let offset = reader.place
      guard let line = try reader.next() else { break }
      cuts.add(row: row, offset: offset, bytes: line.count)
      if !(ownIndexes.isEmpty && ownKeys.isEmpty && ownIdentifiers.isEmpty && naming == nil) {
        fields.split(line)
        for index in ownIndexes {
          if let hash = KeyHash.of(indexes[index].columns, fields.values) { indexes[index].index.add(hash, row: row) }
        }
        for key in ownKeys where (hashes[key]?.count ?? 0) < Self.maximumPairs / max(1, keys.count) { note(key, row, fields) }
        for column in ownIdentifiers where column < fields.values.count { note(identifiers: fields.values[column], place, row, plans) }
        if let naming { names[place]?.add(fields.values.indices.contains(naming) ? fields.values[naming] : nil) }
      }
      row += 1
    }
    plans[place].shown = row
    plans[place].pages = cuts.pages
  }

  private var hashes: [Int: [(hash: UInt64, row: UInt32)]] = [:]

  private mutating func note(_ key: Int, _ row: Int, _ fields: RowFields) {
    guard let hash = KeyHash.of(keys[key].columns, fields.values) else { return }
    hashes[key, default: []].append((hash, UInt32(row)))
  }

  /// Hashes of ids, by the collection that has them and the one that they name.
  private var identifierHashes: [Way: [(hash: UInt64, row: UInt32)]] = [:]
  private var identifierPairs = 0

  private struct Way: Hashable, Comparable {
    let from: Int, to: Int

    static func < (a: Way, b: Way) -> Bool { (a.from, a.to) < (b.from, b.to) }
  }

  /// Notes an id, or a list of ids.
  private mutating func note(identifiers value: UnsafeRawBufferPointer, _ place: Int, _ row: Int, _ plans: [CollectionPlan]) {
    let item = JSONItem(bytes: value)
    if item.isText { return note(identifier: item.text, place, row, plans) }
    if item.isArray {
      item.forEach { _, inner in
        if inner.isText { note(identifier: inner.text, place, row, plans) }
        return true
      }
    }
  }

  private mutating func note(identifier text: UnsafeRawBufferPointer, _ place: Int, _ row: Int, _ plans: [CollectionPlan]) {
    guard identifierPairs < Self.maximumPairs, let target = collection(of: text, plans[place].source, plans) else { return }
    identifierPairs += 1
    identifierHashes[Way(from: place, to: target.collection), default: []].append((KeyHash.add(text: text, to: KeyHash.seed), UInt32(row)))
  }

  /// Finds the rows that are meant. A row that means another one several times is one link there.
  private mutating func resolve(_ hashes: [(hash: UInt64, row: UInt32)], index: Int, from: Int, to: Int) {
    let index = indexes[index].index
    var pairs: [(target: UInt32, row: UInt32)] = []
    for (hash, row) in hashes {
      if let target = index.row(hash) { pairs.append((UInt32(target), row)) }
    }
    pairs.sort { $0 < $1 }
    var last: (target: UInt32, row: UInt32)?
    pairs.removeAll { pair in
      defer { last = pair }
      return last.map { $0 == pair } ?? false
    }
    if !pairs.isEmpty { back.append(Back(from: from, to: to, pairs: pairs)) }
  }

  // MARK: Asking

  /// The row that a row refers to by a key.
  func target(_ key: Int, _ values: [UnsafeRawBufferPointer]) -> (collection: Int, row: Int)? {
    guard let hash = KeyHash.of(keys[key].columns, values), let row = indexes[keys[key].index].index.row(hash) else { return nil }
    return (keys[key].to, row)
  }

  /// The row that an id `Entity/12` names, of the same source.
  func target(identifier text: UnsafeRawBufferPointer, of source: Int, _ plans: [CollectionPlan]) -> (collection: Int, row: Int)? {
    guard let (place, index) = collection(of: text, source, plans) else { return nil }
    return indexes[index].index.row(KeyHash.add(text: text, to: KeyHash.seed)).map { (place, $0) }
  }

  /// The collection whose name an id begins with.
  private func collection(of text: UnsafeRawBufferPointer, _ source: Int, _ plans: [CollectionPlan]) -> (collection: Int, index: Int)? {
    guard let slash = text.lastIndex(of: UInt8(ascii: "/")), let found = named[Self.hash(name: text[..<slash], of: source)] else {
      return nil
    }
    return plans[identifiers[found].collection].name.utf8.elementsEqual(text[..<slash]) ? identifiers[found] : nil
  }

  private static func hash(name: some Sequence<UInt8>, of source: Int) -> UInt64 {
    name.reduce(FNV1a.basis ^ UInt64(source)) { FNV1a.add($1, to: $0) }
  }

  /// What a row is called.
  func withName(of row: Int, in collection: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    names[collection]?.withName(of: row, body) ?? false
  }

  /// Whether pages may have links to rows of a collection.
  func lead(to collection: Int) -> Bool {
    keys.contains { $0.from == collection || $0.to == collection } || identifiers.contains { $0.collection == collection }
  }

  /// What refers to a collection, among the links back.
  func back(to collection: Int) -> [Int] { back.indices.filter { back[$0].to == collection } }
}

/// Where the pages of a collection begin: after 200 rows, or where rows are large, after fewer.
struct PageCuts {
  static let rows = 200, bytes = 128 << 10

  private(set) var pages: [(row: Int, offset: Int)] = []
  private var rowsOfPage = 0, bytesOfPage = 0

  mutating func add(row: Int, offset: Int, bytes: Int) {
    if pages.isEmpty || rowsOfPage == Self.rows || bytesOfPage + bytes > Self.bytes {
      pages.append((row, offset))
      (rowsOfPage, bytesOfPage) = (0, 0)
    }
    rowsOfPage += 1
    bytesOfPage += bytes
  }
}
