/// The statements that read a table's rows in their order.
struct RowQuery {
  private let table: SQLiteTable
  private let columns: [SQLiteColumn]
  private let order: SQLiteTable.Order
  private let filter: SQLiteRowFilter?

  init(_ table: SQLiteTable, _ columns: [SQLiteColumn], _ order: SQLiteTable.Order, filter: SQLiteRowFilter? = nil) {
    self.table = table
    self.columns = columns
    self.order = order
    self.filter = filter
  }

  /// Every row, its number first where it has one; `from` skips a number of them.
  func all(from skipping: Bool = false) -> SQLText {
    SQLText("SELECT ") + selected + source + condition + ordering + (skipping ? " LIMIT -1 OFFSET ?" : "")
  }

  /// The numbers of the rows after a number of them.
  func numbers() -> SQLText {
    SQLText("SELECT ") + SQLText.columns([table.rowid!]) + source + condition + ordering + " LIMIT -1 OFFSET ?"
  }

  /// What every row is known by.
  func identities(_ columns: [SQLiteName]) -> SQLText { SQLText("SELECT ") + SQLText.columns(columns) + source + ordering }

  /// The same of some rows, which are given by it; sorted, without a walk along the key.
  func some(_ count: Int, _ columns: [SQLiteName]) -> SQLText {
    let one = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
    let given = SQLText(" FROM (VALUES ") + Array(repeating: one, count: count).joined(separator: ", ") + ") AS k CROSS JOIN main."
    var condition = SQLText(table.kind == .withoutRowid ? " AS t" : " AS t NOT INDEXED")
    for (index, column) in columns.enumerated() {
      condition = condition + (index == 0 ? " WHERE " : " AND ") + place(column) + " = k.column\(index + 1)"
    }
    return SQLText("SELECT ") + SQLText.columns(columns) + given + table.name + condition + ordering
  }

  /// A column to be compared. The plus keeps SQLite from looking into an index whose order only the app knows.
  private func place(_ column: SQLiteName) -> SQLText {
    SQLText(table.strangelyOrdered.contains(column.folded) ? "+t." : "t.") + column
  }

  /// The row of a key.
  func one(by key: [SQLiteName]) -> SQLText {
    var text = SQLText("SELECT ") + selected + " FROM main." + table.name + " AS t WHERE "
    for (index, column) in key.enumerated() {
      text = text + (index == 0 ? "" : " AND ") + place(column) + " = ?"
    }
    return text
  }

  /// The row of a number.
  func one() -> SQLText {
    SQLText("SELECT ") + selected + " FROM main." + table.name + " AS t WHERE " + SQLText.columns([table.rowid!]) + " = ?"
  }

  private var selected: SQLText { SQLText.columns((table.rowid.map { [$0] } ?? []) + columns.map(\.name)) }

  private var source: SQLText {
    let from = SQLText(" FROM main.") + table.name + " AS t"
    switch order {
    // Without this, SQLite may prefer to walk an index that holds all columns.
    case .rowid: return from + " NOT INDEXED"
    // A WITHOUT ROWID table is its own index.
    case .index(let name, _): return table.kind == .withoutRowid ? from : from + " INDEXED BY " + name
    case .none: return from
    }
  }

  private var condition: SQLText { filter.map { SQLText(" WHERE ") + $0.condition } ?? SQLText() }

  private var ordering: SQLText {
    switch order {
    case .none: return SQLText()
    case .rowid: return table.rowid.map { SQLText(" ORDER BY ") + SQLText.columns([$0]) } ?? SQLText()
    case .index(_, let terms):
      var text = SQLText(" ORDER BY ")
      for (index, term) in terms.enumerated() {
        text = text + (index == 0 ? "t." : ", t.") + term.column + " COLLATE " + term.collation + (term.isDescending ? " DESC" : "")
      }
      // Rows that a key with nulls doesn't tell apart.
      return table.rowid.map { text + ", " + SQLText.columns([$0]) } ?? text
    }
  }
}

/// The order of rows that can be trusted.
enum RowOrder {
  /// The table's order; its rows' numbers where the key's index doesn't hold exactly its rows. An index can be damaged alone, and
  /// would then lose rows without an error, or give values of its own for theirs.
  static func sound(for table: SQLiteTable, in snapshot: borrowing SQLiteSnapshot) throws(SQLiteError) -> SQLiteTable.Order {
    guard case .index(let index, _) = table.order, table.kind != .withoutRowid else { return table.order }
    let name = SQLText("main.") + table.name
    do throws(SQLiteError) {
      let rows = try snapshot.count(name + " NOT INDEXED")
      if try snapshot.count(name + " INDEXED BY " + index) != rows { return .rowid }
      return try snapshot.damage(in: table) == nil ? table.order : .rowid
    } catch {
      // The damage shows again where the rows are read, if it is theirs.
      if error.code.primary == .damaged || error.code.primary == .error { return .rowid }
      throw error.naming(table.name)
    }
  }
}

/// Whether what a table yields can come from a file of its size. A damaged or hostile b-tree can lead to the same page again and again,
/// and so to rows without end.
struct Plausibility {
  private let limit: UInt64
  /// A virtual table makes its rows from less, a full-text vocabulary from a byte each, and their content from none.
  private let isVirtual: Bool
  /// What an old row may add without being stored: the defaults of columns that were added later stand in the schema.
  private let unstoredPerRow: UInt64
  private let inRowOrder: Bool
  private var bytes: UInt64 = 0
  private var last: Int64?

  /// The fewest bytes that a row takes in a page: two for its place, one for its size, one for its header.
  static let leastRow: UInt64 = 4

  init(_ table: SQLiteTable, bytes: UInt64, inRowOrder: Bool) {
    isVirtual = table.kind == .virtual
    limit = bytes
    unstoredPerRow = table.definitionBytes
    self.inRowOrder = inRowOrder
  }

  mutating func check(row: Int64, number: Int64?) throws(SQLiteError) {
    if UInt64(row) > limit / (isVirtual ? 1 : Self.leastRow) { throw Self.damage("more rows than the file can hold") }
    guard inRowOrder, let number else { return }
    if let last, number <= last { throw Self.damage("rows out of order") }
    last = number
  }

  mutating func check(bytes count: Int, row: Int64) throws(SQLiteError) {
    bytes += UInt64(count)
    let (allowance, overflow) = UInt64(row).multipliedReportingOverflow(by: unstoredPerRow)
    if !isVirtual && !overflow && bytes > limit && bytes - limit > allowance { throw Self.damage("more content than the file can hold") }
  }

  private static func damage(_ message: String) -> SQLiteError { SQLiteError("step", code: .damaged, message: message) }
}
