/// Finds rows by the references between them, many at a time and through the indexes. A row is known by a number: the table's own where its rows have
/// one, else the place of its primary key among those met.
///
/// Used by one task at a time, with one snapshot.
public final class SQLiteRowFinder {
  /// The tables that can be walked, and the references between them.
  public let tables: [SQLiteTable], references: [SQLiteReference]
  let queries: RowQueries
  private var statements: [Question: PreparedStatement] = [:]

  /// Which rows are asked for that refer to others.
  public struct Referring: Hashable, Sendable {
    /// The index of the reference.
    public var reference: Int
    /// Only rows that have none of these references of the same table.
    public var lacking: [Int]
    /// Which of these references of the same table each row has is asked as well.
    public var noting: [Int]

    /// Rows that refer to others.
    public init(_ reference: Int, lacking: [Int] = [], noting: [Int] = []) {
      (self.reference, self.lacking, self.noting) = (reference, lacking, noting)
    }
  }

  private struct Question: Hashable {
    enum Kind: Hashable {
      case referring(Referring), referringToValues(Referring), referred(Int), targets(Int), values(Int, [SQLiteName]), rows(
        Int, [SQLiteName])
    }
    let kind: Kind
    let count: Int
  }

  private final class PreparedStatement {
    let statement: SQLiteStatement
    init(_ statement: consuming SQLiteStatement) { self.statement = statement }
  }

  /// Whether the rows of a table can be told apart from outside, as a finder must.
  public static func canTellRows(of table: SQLiteTable) -> Bool {
    table.problem == nil && (table.kind == .ordinary || table.kind == .withoutRowid) && RowIdentity(table, .utf8) != nil
  }

  /// A finder for tables whose rows can be told apart.
  public init(tables: [SQLiteTable], references: [SQLiteReference], encoding: SQLiteEncoding) {
    self.tables = tables
    self.references = references
    queries = RowQueries(
      tables: tables,
      identities: tables.map {
        guard let identity = RowIdentity($0, encoding) else { preconditionFailure("the rows of \($0.name) can't be told apart") }
        return identity
      })
  }

  // MARK: Questions

  /// At most `limit` rows in which the text of a column's value is this one.
  public func rows(
    of table: Int, where column: SQLiteName, isText text: String, limit: Int, in snapshot: borrowing SQLiteSnapshot
  ) throws(SQLiteError) -> [UInt64] {
    let identity = queries.identities[table]
    let select = SQLText("SELECT ") + SQLText.columns(identity.columns) + " FROM main." + tables[table].name + " AS t WHERE "
    // A cast keeps its column's collation, unless told otherwise.
    let isText = SQLText("CAST(t.") + column + " AS TEXT) COLLATE BINARY = ?1"
    let end = " LIMIT \(limit)"
    // By an index where one helps; what has another storage class than the column would give the text is found by looking everywhere.
    let isSeekable = !tables[table].strangelyOrdered.contains(column.folded)
    let seek = select + "t." + column + " = ?1 AND " + isText + end
    for sql in isSeekable ? [seek, select + isText + end] : [select + isText + end] {
      let statement = try snapshot.connection.prepare(sql)
      try statement.bind(text, at: 1)
      var found: [UInt64] = []
      snapshot.connection.noteProgress()
      while try statement.step() { found.append(try identity.handle(in: statement)) }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The rows that refer to some rows of the other table; for each, whether it has the references asked for. A row may come more than once.
  public func rows(
    referringBy question: Referring, to parents: [UInt64], in snapshot: borrowing SQLiteSnapshot, _ body: (UInt64, [Bool]) throws -> Void
  ) throws {
    let reference = references[question.reference]
    let parent = queries.identities[reference.parent]
    var has = question.noting.map { _ in false }
    try ask(.referring(question), rows: parents, by: parent, in: snapshot) { statement in
      try answer(reference, statement, &has, body)
    }
  }

  /// As above, the rows of the other table given by the values that are referred to; they need not be there.
  public func rows(
    referringBy question: Referring, toValues values: [[SQLiteKeyValue]], in snapshot: borrowing SQLiteSnapshot,
    _ body: (UInt64, [Bool]) throws -> Void
  ) throws {
    let reference = references[question.reference]
    var has = question.noting.map { _ in false }
    try ask(.referringToValues(question), values: values, in: snapshot) { statement in try answer(reference, statement, &has, body) }
  }

  private func answer(
    _ reference: SQLiteReference, _ statement: borrowing SQLiteStatement, _ has: inout [Bool], _ body: (UInt64, [Bool]) throws -> Void
  ) throws {
    let identity = queries.identities[reference.child]
    for index in has.indices { has[index] = statement.integer(at: identity.columns.count + index) != 0 }
    try body(try identity.handle(in: statement), has)
  }

  /// The rows that some rows refer to. One may come more than once.
  public func rows(
    referredToBy reference: Int, from children: [UInt64], in snapshot: borrowing SQLiteSnapshot, _ body: (UInt64) throws -> Void
  ) throws {
    let identities = (queries.identities[references[reference].child], queries.identities[references[reference].parent])
    try ask(.referred(reference), rows: children, by: identities.0, in: snapshot) { statement in
      try body(try identities.1.handle(in: statement))
    }
  }

  /// Whether each of some rows that refers at all refers to a row of the same storage classes that `isInside` accepts.
  public func areSatisfied(
    _ reference: Int, from children: [UInt64], in snapshot: borrowing SQLiteSnapshot, isInside: (UInt64) -> Bool
  ) throws -> Bool {
    let (child, parent) = (queries.identities[references[reference].child], queries.identities[references[reference].parent])
    var areSatisfied = true
    try ask(.targets(reference), rows: children, by: child, in: snapshot) { statement in
      let next = parent.columns.count
      guard areSatisfied, statement.integer(at: next) != 0 else { return }
      areSatisfied = try statement.integer(at: next + 1) != 0 && isInside(parent.handle(in: statement))
    }
    return areSatisfied
  }

  /// Some columns of some rows.
  public func values(
    of columns: [SQLiteName], in table: Int, rows: [UInt64], in snapshot: borrowing SQLiteSnapshot,
    _ body: ([SQLiteKeyValue]) throws -> Void
  ) throws {
    try ask(.values(table, columns), rows: rows, by: queries.identities[table], in: snapshot) { statement in
      try body(columns.indices.map { statement.keyValue(at: $0) })
    }
  }

  /// The rows that have one of some sets of values in these columns.
  public func rows(
    of table: Int, where columns: [SQLiteName], are values: [[SQLiteKeyValue]], in snapshot: borrowing SQLiteSnapshot,
    _ body: (UInt64) throws -> Void
  ) throws {
    let identity = queries.identities[table]
    try ask(.rows(table, columns), values: values, in: snapshot) { statement in try body(try identity.handle(in: statement)) }
  }

  // MARK: Asking

  /// Asks about rows, in pieces of a few sizes, so that few statements are made. The last piece is filled up with nulls.
  private func ask(
    _ kind: Question.Kind, rows: [UInt64], by identity: RowIdentity, in snapshot: borrowing SQLiteSnapshot,
    _ body: (borrowing SQLiteStatement) throws -> Void
  ) throws {
    let width = identity.columns.count
    try ask(kind, count: rows.count, width: width, in: snapshot) { statement, index, parameter in
      try identity.bind(rows[index], to: statement, from: parameter)
    } _: {
      try body($0)
    }
  }

  private func ask(
    _ kind: Question.Kind, values: [[SQLiteKeyValue]], in snapshot: borrowing SQLiteSnapshot,
    _ body: (borrowing SQLiteStatement) throws -> Void
  ) throws {
    try ask(kind, count: values.count, width: values.first?.count ?? 1, in: snapshot) { statement, index, parameter in
      for (offset, value) in values[index].enumerated() { try statement.bind(value, at: parameter + offset) }
    } _: {
      try body($0)
    }
  }

  private func ask(
    _ kind: Question.Kind, count: Int, width: Int, in snapshot: borrowing SQLiteSnapshot,
    bind: (_ statement: borrowing SQLiteStatement, _ index: Int, _ parameter: Int) throws -> Void,
    _ body: (borrowing SQLiteStatement) throws -> Void
  ) throws {
    let most = max(1, 8_192 / width)
    var done = 0
    while done < count {
      let size = [1, 16, 256].first { $0 >= count - done } ?? most
      let prepared = try statement(for: Question(kind: kind, count: size), in: snapshot)
      defer { prepared.statement.reset() }
      let given = min(size, count - done)
      for place in 0..<given { try bind(prepared.statement, done + place, 1 + place * width) }
      // Nothing equals null.
      for parameter in given * width..<size * width { try prepared.statement.bindNull(at: 1 + parameter) }
      snapshot.connection.noteProgress()
      while try prepared.statement.step() {
        snapshot.connection.noteProgress()
        try body(prepared.statement)
      }
      done += size
    }
  }

  private func statement(for question: Question, in snapshot: borrowing SQLiteSnapshot) throws(SQLiteError) -> PreparedStatement {
    if let known = statements[question] { return known }
    let made = PreparedStatement(try snapshot.connection.prepare(text(of: question)))
    statements[question] = made
    return made
  }

  private func text(of question: Question) -> SQLText {
    let refer = { [references] (indexes: [Int]) in indexes.map { references[$0] } }
    switch question.kind {
    case .referring(let rows):
      return queries.referring(
        references[rows.reference], lacking: refer(rows.lacking), noting: refer(rows.noting), parents: question.count)
    case .referringToValues(let rows):
      return queries.referringToValues(
        references[rows.reference], lacking: refer(rows.lacking), noting: refer(rows.noting), values: question.count)
    case .referred(let reference): return queries.referred(references[reference], children: question.count)
    case .targets(let reference): return queries.targets(references[reference], children: question.count)
    case .values(let table, let columns): return queries.values(of: columns, in: table, rows: question.count)
    case .rows(let table, let columns): return queries.rows(of: table, where: columns, values: question.count)
    }
  }
}

extension SQLiteRowFinder {
  /// How SQLite would answer each question about a reference (`EXPLAIN QUERY PLAN`), a line a step: for making sure that it uses the indexes.
  func steps(of reference: Int, in snapshot: borrowing SQLiteSnapshot) throws(SQLiteError) -> [String] {
    let about = references[reference]
    let questions = [
      queries.referring(about, lacking: [], noting: [about], parents: 16), queries.referred(about, children: 16),
      queries.referringToValues(about, lacking: [about], noting: [], values: 16), queries.targets(about, children: 16),
      queries.values(of: about.columns, in: about.child, rows: 16), queries.rows(of: about.child, where: about.columns, values: 16),
      RowQuery(tables[about.child], [], tables[about.child].order).some(16, queries.identities[about.child].columns),
    ]
    var lines: [String] = []
    for question in questions {
      let statement = try snapshot.connection.prepare(SQLText("EXPLAIN QUERY PLAN ") + question)
      while try statement.step() { lines.append(statement.text(at: 3)) }
    }
    return lines
  }
}
