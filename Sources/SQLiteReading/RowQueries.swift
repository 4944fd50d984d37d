/// What a table's rows are known by: their number, or where they have none, the place of their primary key among those met.
struct RowIdentity {
  let columns: [SQLiteName]
  let keys: RowKeys?

  /// Nil where rows can't be told apart from outside: columns hide every name of the row's number.
  init?(_ table: SQLiteTable, _ encoding: SQLiteEncoding) {
    if table.kind == .withoutRowid {
      columns = table.primaryKey
      keys = RowKeys(encoding)
    } else if let rowid = table.rowid {
      columns = [rowid]
      keys = nil
    } else {
      return nil
    }
  }

  /// The row in a statement's first columns.
  func handle(in statement: borrowing SQLiteStatement) throws(SQLiteError) -> UInt64 {
    guard let keys else { return UInt64(bitPattern: statement.integer(at: 0)) }
    return try keys.place(of: statement, columns: 0..<columns.count)
  }

  /// The row in a statement's first columns, where it has been met.
  func knownHandle(in statement: borrowing SQLiteStatement) -> UInt64? {
    guard let keys else { return UInt64(bitPattern: statement.integer(at: 0)) }
    return keys.knownPlace(of: statement, columns: 0..<columns.count)
  }

  /// Binds a row to the parameters from an index on.
  func bind(_ handle: UInt64, to statement: borrowing SQLiteStatement, from index: Int) throws(SQLiteError) {
    guard let keys else { return try statement.bind(Int64(bitPattern: handle), at: index) }
    try keys.bind(handle, to: statement, from: index)
  }
}

/// The texts of the walk's statements. In each, the referring table is called `c`, the one that is referred to `p`.
struct RowQueries {
  let tables: [SQLiteTable]
  let identities: [RowIdentity]

  /// The rows that refer to some of the parent's, with a number for each key of `noting`: whether the row has it.
  func referring(_ reference: SQLiteReference, lacking: [SQLiteReference], noting: [SQLiteReference], parents count: Int) -> SQLText {
    let given = given(count, "p", identities[reference.parent].columns, reference.parent)
    let from = reference.isPlain ? parent(reference) + " CROSS JOIN " + child(reference) + matching(reference) : elements(reference)
    return selecting(reference, noting) + " FROM " + given.from + from + " WHERE " + given.condition + besides(reference, lacking)
  }

  /// As `referring`, the parent's rows given by the values that are referred to.
  func referringToValues(_ reference: SQLiteReference, lacking: [SQLiteReference], noting: [SQLiteReference], values count: Int) -> SQLText
  {
    let begin = selecting(reference, noting) + " FROM "
    if reference.isPlain {
      let given = given(count, "c", reference.columns, reference.child)
      return begin + given.from + child(reference) + " WHERE " + given.condition + besides(reference, lacking)
    }
    return begin + child(reference) + " CROSS JOIN " + each(reference) + " WHERE e.value IN (" + marks(count, of: 1) + ")"
      + besides(reference, lacking)
  }

  /// The rows of the parent that some rows refer to.
  func referred(_ reference: SQLiteReference, children count: Int) -> SQLText {
    let given = given(count, "c", identities[reference.child].columns, reference.child)
    let from = reference.isPlain ? child(reference) + " CROSS JOIN " + parent(reference) + matching(reference) : elements(reference)
    return SQLText("SELECT ") + names(identities[reference.parent].columns, "p") + " FROM " + given.from + from + " WHERE "
      + given.condition
      + besides(reference, [])
  }

  /// For each of some rows: does it refer, is there a row that it refers to, of the same storage classes, and which.
  func targets(_ reference: SQLiteReference, children count: Int) -> SQLText {
    var some = SQLText()
    var alike = SQLText()
    for (index, (column, parent)) in zip(reference.columns, reference.parentColumns).enumerated() {
      some = some + (index == 0 ? "c." : " OR c.") + column + " IS NOT NULL"
      let types = SQLText(index == 0 ? "typeof(p." : " AND typeof(p.") + parent + ") = typeof(c." + column
      alike = alike + types + ") AND typeof(c." + column + ") <> 'blob'"
    }
    let given = given(count, "c", identities[reference.child].columns, reference.child)
    let from = given.from + child(reference) + " LEFT JOIN " + parent(reference) + matching(reference)
    return SQLText("SELECT ") + names(identities[reference.parent].columns, "p") + ", " + some + ", " + alike + " FROM " + from + " WHERE "
      + given.condition
  }

  /// Some columns of some rows.
  func values(of columns: [SQLiteName], in table: Int, rows count: Int) -> SQLText {
    let given = given(count, "t", identities[table].columns, table)
    return SQLText("SELECT ") + names(columns, "t") + " FROM " + given.from + "main." + tables[table].name + " AS t WHERE "
      + given.condition
  }

  /// The rows that have one of some sets of values in these columns.
  func rows(of table: Int, where columns: [SQLiteName], values count: Int) -> SQLText {
    let given = given(count, "t", columns, table)
    return SQLText("SELECT ") + names(identities[table].columns, "t") + " FROM " + given.from + "main." + tables[table].name
      + " AS t WHERE "
      + given.condition
  }

  // MARK: Parts

  private func selecting(_ reference: SQLiteReference, _ noting: [SQLiteReference]) -> SQLText {
    noting.reduce(SQLText("SELECT ") + names(identities[reference.child].columns, "c")) { $0 + ", " + has($1) }
  }

  private func child(_ reference: SQLiteReference) -> SQLText { SQLText("main.") + tables[reference.child].name + " AS c" }
  private func parent(_ reference: SQLiteReference) -> SQLText { SQLText("main.") + tables[reference.parent].name + " AS p" }

  /// The other table's column stands first: its collation counts, as where SQLite enforces a key.
  private func matching(_ reference: SQLiteReference) -> SQLText {
    var text = SQLText()
    for (index, (column, other)) in zip(reference.columns, reference.parentColumns).enumerated() {
      text = text + (index == 0 ? " ON " : " AND ") + place("p", other, reference.parent) + " = " + place("c", column, reference.child)
    }
    return text
  }

  private func elements(_ reference: SQLiteReference) -> SQLText {
    child(reference) + " CROSS JOIN " + each(reference) + " CROSS JOIN " + parent(reference) + " ON "
      + place("p", reference.parentColumns[0], reference.parent) + " = e.value"
  }

  /// The elements at a path of a JSON value, none where it is no JSON, or an object lies there.
  private func each(_ reference: SQLiteReference) -> SQLText {
    guard case .elements(let path) = reference.access else { return SQLText() }
    let column = SQLText("c.") + reference.columns[0]
    let json =
      SQLText("CASE WHEN json_valid(") + column + ") AND json_type(" + column + ", " + literal(path) + ") <> 'object' THEN " + column
      + " ELSE 'null' END"
    return SQLText("json_each(") + json + ", " + literal(path) + ") AS e"
  }

  private func has(_ reference: SQLiteReference) -> SQLText {
    var text = SQLText("(")
    if reference.isPlain {
      for (index, column) in reference.columns.enumerated() { text = text + (index == 0 ? "c." : " AND c.") + column + " IS NOT NULL" }
    } else {
      text = text + "EXISTS (SELECT 1 FROM " + each(reference) + " WHERE e.value IS NOT NULL)"
    }
    return text + condition(reference) + ")"
  }

  private func besides(_ reference: SQLiteReference, _ lacking: [SQLiteReference]) -> SQLText {
    lacking.reduce(condition(reference)) { $0 + " AND NOT " + has($1) }
  }

  private func condition(_ reference: SQLiteReference) -> SQLText {
    guard let condition = reference.condition else { return SQLText() }
    // A text that isn't there must not make the whole unknown.
    return SQLText(" AND ifnull(CAST(c.") + condition.column + " AS TEXT) COLLATE BINARY = " + literal(condition.text) + ", 0)"
  }

  /// Rows with given values in some columns: what stands before their table, and the condition. Of several columns the values are a table of their own, by
  /// which the rows are sought; in a list of pairs SQLite would look up every row there is.
  private func given(_ count: Int, _ alias: String, _ columns: [SQLiteName], _ table: Int) -> (from: SQLText, condition: SQLText) {
    if columns.count == 1 { return (SQLText(), place(alias, columns[0], table) + " IN (" + marks(count, of: 1) + ")") }
    var condition = SQLText()
    for (index, column) in columns.enumerated() {
      condition = condition + (index == 0 ? "" : " AND ") + place(alias, column, table) + " = k.column\(index + 1)"
    }
    return (SQLText("(VALUES ") + marks(count, of: columns.count) + ") AS k CROSS JOIN ", condition)
  }

  private func marks(_ count: Int, of width: Int) -> SQLText {
    let one = width == 1 ? "?" : "(" + Array(repeating: "?", count: width).joined(separator: ", ") + ")"
    return SQLText(Array(repeating: one, count: count).joined(separator: ", "))
  }

  /// A column to be compared. The plus keeps SQLite from looking into an index whose order only the app knows.
  private func place(_ alias: String, _ column: SQLiteName, _ table: Int) -> SQLText {
    SQLText((tables[table].strangelyOrdered.contains(column.folded) ? "+" : "") + alias + ".") + column
  }

  private func names(_ columns: [SQLiteName], _ alias: String) -> SQLText {
    var text = SQLText()
    for (index, column) in columns.enumerated() { text = text + (index == 0 ? "" : ", ") + (alias + ".") + column }
    return text
  }

  /// A text of the configuration's inside a statement. A NUL would end the statement; nothing that is text holds one.
  private func literal(_ text: String) -> String {
    "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? "''" : $1 == "\0" ? "" : String($1) } + "'"
  }
}

extension SQLiteReference {
  var isPlain: Bool {
    if case .value = access { return true }
    return false
  }
}
