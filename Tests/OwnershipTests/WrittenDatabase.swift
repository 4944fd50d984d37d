import Ownership

/// A database written down for a test:
///
///     users: id* name email
///     = 1 Ann ann@example.org
///     messages: id* sender_id>users room_id>rooms~
///     = 1 1 -
///
/// `*` is a column of the primary key, `**` its first, `!` unique, `>` refers to a table's primary key, `~` cascades; `-` is null. A key of several columns stands in a
/// line of its own: `(order_id,line)>items`, or
/// `(item,kind)>items.id,kind` where it isn't the primary key that it refers to.
struct WrittenDatabase {
  private(set) var schema = RelationalSchema(tables: [])
  private(set) var rows: [[[String?]]] = []

  init(_ text: String) {
    var tables: [TableShape] = []
    var references: [(child: Int, columns: [String], parent: String, cascades: Bool)] = []
    for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) where !line.isEmpty {
      if line.first == "=" {
        rows[rows.count - 1].append(line.dropFirst().split(separator: " ").map { $0 == "-" ? nil : String($0) })
      } else if line.first == "(" {
        let parts = line.dropFirst().split(separator: ")>")
        let cascades = parts[1].hasSuffix("~")
        references.append(
          (tables.count - 1, parts[0].split(separator: ",").map(String.init), String(parts[1].filter { $0 != "~" }), cascades))
      } else {
        tables.append(Self.table(line, index: tables.count, &references))
        rows.append([])
      }
    }
    schema = RelationalSchema(tables: tables)
    for reference in references {
      let target = reference.parent.split(separator: ".").map(String.init)
      let parent = tables.firstIndex { $0.qualifiedName == reference.parent } ?? tables.firstIndex { $0.name == target[0] }!
      let columns =
        tables[parent].qualifiedName == reference.parent ? tables[parent].primaryKey : target[1].split(separator: ",").map(String.init)
      schema.declare(
        child: reference.child, columns: reference.columns, parent: parent, parentColumns: columns,
        cascades: reference.cascades)
    }
  }

  private static func table(
    _ line: Substring, index: Int, _ references: inout [(child: Int, columns: [String], parent: String, cascades: Bool)]
  ) -> TableShape {
    let parts = line.split(separator: ":")
    let names = parts[0].split(separator: ".").map(String.init)
    var table = TableShape(schema: names.count > 1 ? names[0] : nil, name: names[names.count - 1], columns: [], indexes: [])
    for word in parts[1].split(separator: " ") {
      let column = String(word.prefix { !"*!>~".contains($0) })
      table.columns.append(TableShape.Column(column))
      if word.contains("*") { table.primaryKey.insert(column, at: word.contains("**") ? 0 : table.primaryKey.count) }
      if word.contains("!") { table.uniqueKeys.append([column]) }
      if let arrow = word.firstIndex(of: ">") {
        references.append((index, [column], String(word[arrow...].filter { !">~!*".contains($0) }), word.contains("~")))
      }
    }
    return table
  }

  mutating func configure(_ reference: ConfiguredReference) throws { try schema.configure(reference) }
  mutating func set(role: Role, ofKey column: String) throws { try schema.set(role: role, ofKey: [column]) }
  mutating func remove(_ table: String, where matches: ([String?]) -> Bool) { rows[index(of: table)].removeAll(where: matches) }
  mutating func add(_ row: [String?], to table: String) { rows[index(of: table)].append(row) }

  func index(of table: String) -> Int { schema.tables.firstIndex { $0.qualifiedName == table }! }
  func column(_ name: String, of table: Int) -> Int { schema.tables[table].columns.firstIndex { $0.name == name }! }
}

/// A written database as a store. A row's handle is its place. It reads every row for every question; that it is asked in few is counted.
struct WrittenStore: RelationalStore {
  let database: WrittenDatabase
  var batchSize = 3
  private(set) var questions = 0

  init(_ database: WrittenDatabase, batchSize: Int = 3) {
    self.database = database
    self.batchSize = batchSize
  }

  mutating func rows(of table: Int, where column: String, is value: String, limit: Int) -> [RowHandle] {
    let place = database.column(column, of: table)
    return Array(handles(of: table) { $0[place] == value }.prefix(limit))
  }

  mutating func rows(referringBy question: ReferringRows, to parents: [RowHandle], _ body: (RowHandle, [Bool]) throws -> Void) throws {
    let key = database.schema.keys[question.key]
    let values = parents.map { parent in
      key.parentColumns.map { database.rows[key.parent][Int(parent)][database.column($0, of: key.parent)] }
    }
    try rows(referring: question, to: values.filter { !$0.contains(nil) }.map { $0.map { $0! } }, body)
  }

  mutating func rows(referringBy question: ReferringRows, toValues values: [[KeyValue]], _ body: (RowHandle, [Bool]) throws -> Void) throws
  {
    try rows(referring: question, to: values.map(Self.texts), body)
  }

  mutating func rows(referredToBy key: Int, from children: [RowHandle], _ body: (RowHandle) throws -> Void) throws {
    ask(children.count)
    let key = database.schema.keys[key]
    let referred = Set(children.flatMap { references(of: database.rows[key.child][Int($0)], by: key) })
    let places = key.parentColumns.map { database.column($0, of: key.parent) }
    try handles(of: key.parent) { row in referred.contains(places.map { row[$0] ?? "∅" }) }.forEach(body)
  }

  mutating func values(of columns: [String], in table: Int, rows: [RowHandle], _ body: ([KeyValue]) throws -> Void) throws {
    ask(rows.count)
    for row in rows {
      try body(columns.map { database.rows[table][Int(row)][database.column($0, of: table)].map(KeyValue.text) ?? .null })
    }
  }

  mutating func rows(of table: Int, where columns: [String], are values: [[KeyValue]], _ body: (RowHandle) throws -> Void) throws {
    ask(values.count)
    let places = columns.map { database.column($0, of: table) }
    let wanted = Set(values.map(Self.texts))
    try handles(of: table) { row in wanted.contains(places.map { row[$0] ?? "∅" }) }.forEach(body)
  }

  private mutating func rows(referring question: ReferringRows, to values: [[String]], _ body: (RowHandle, [Bool]) throws -> Void) throws {
    ask(values.count)
    let keys = database.schema.keys
    let wanted = Set(values)
    for (place, row) in database.rows[keys[question.key].child].enumerated() {
      let refers = references(of: row, by: keys[question.key]).contains(where: wanted.contains)
      let has: (Int) -> Bool = { !references(of: row, by: keys[$0]).isEmpty }
      if refers, !question.lacking.contains(where: has) { try body(RowHandle(place), question.noting.map(has)) }
    }
  }

  /// What a row refers to by a key: the values of the key's columns.
  private func references(of row: [String?], by key: ForeignKey) -> [[String]] {
    if let condition = key.condition, row[database.column(condition.column, of: key.child)] != condition.value { return [] }
    let values = key.columns.map { row[database.column($0, of: key.child)] }
    if values.contains(nil) { return [] }
    if key.access == .arrayElements { return values[0]!.split(separator: ",").map { [String($0)] } }
    return [values.map { $0! }]
  }

  private func handles(of table: Int, _ matches: ([String?]) -> Bool) -> [RowHandle] {
    database.rows[table].indices.filter { matches(database.rows[table][$0]) }.map(RowHandle.init)
  }

  private mutating func ask(_ count: Int) {
    precondition(count <= batchSize, "a question about \(count) rows")
    questions += 1
  }

  private static func texts(_ values: [KeyValue]) -> [String] {
    values.map { if case .text(let text) = $0 { text } else { preconditionFailure("null is nowhere to be looked for") } }
  }
}

extension Walk {
  /// The walk in a line: own rows by their first column; `~` parties, `^` lookups, `?` the count of undecided rows, `!` unclaimed tables.
  func summary(of database: WrittenDatabase) -> String {
    let schema = database.schema
    let list: (String, [RowSet]) -> [String] = { mark, sets in
      schema.tables.indices.filter { !sets[$0].isEmpty }.map { table in
        let names = sets[table].sorted().map { database.rows[table][Int($0)][0] ?? "-" }
        return "\(mark)\(schema.tables[table].qualifiedName) \(names.joined(separator: " "))"
      }
    }
    let open = schema.tables.indices.filter { undecided[$0] > 0 }.map { "?\(schema.tables[$0].qualifiedName) \(undecided[$0])" }
    let unclaimed = plan.unclaimed.map { "!\(schema.tables[$0.table].qualifiedName)" }
    return (list("", own) + list("~", party) + list("^", lookups) + open + unclaimed).joined(separator: " | ")
  }
}
