internal import CSQLite

/// A value of a row as it is to be exported; bytes are borrowed until the next cell or row is asked for.
public enum SQLiteCell {
  case null
  case integer(Int64)
  case real(Double)
  /// A text in UTF-8, not checked.
  case text(UnsafeRawBufferPointer)
  /// A text of a UTF-16 database that is no valid UTF-16: its stored bytes.
  case invalidText(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
  /// A text or blob to be read in pieces.
  case large(SQLiteLargeValue)
}

/// Reads a table's rows in primary key order, in flat memory whatever they hold.
///
/// Rows are loaded whole while their values are small. The first one with a long value (`SQLiteConnection.valueLimit`) makes SQLite give
/// up before it loads it; from there on rows are found by their numbers, and the long values are read in pieces. Tables without row
/// numbers (`WITHOUT ROWID`, virtual ones) and generated columns have no such way: SQLite must hold their long values whole.
public struct SQLiteTableReader: ~Copyable {
  /// The table.
  public let table: SQLiteTable
  /// The columns that are read, in order.
  public let columns: [SQLiteColumn]
  /// Generated columns that can't be computed here, as they need a function of the app's own.
  public let leftOut: [SQLiteColumn]
  /// Rows read so far.
  public private(set) var rowCount: Int64 = 0

  /// Rows as they come; once `numbers` is there, the row of one number.
  private var rows: SQLiteStatement
  private var numbers: SQLiteStatement?
  /// The rows that are read, where not all are, and how many of them have been.
  private let selection: SQLiteRowSelection?
  private let filter: SQLiteRowFilter?
  private var selected = 0
  /// The current row where it is read cell by cell.
  private var cells: [CellReader] = []
  private let order: SQLiteTable.Order
  private let encoding: SQLiteEncoding
  private var plausibility: Plausibility
  private let scratch = TextScratch()
  private var isUnlimited = false
  private let byteCount: UInt64

  /// Begins to read a table of a snapshot: all rows, a selection of them in its order, or those that a filter lets pass.
  /// - Parameter names: The columns that are read, in their order here; all of the table's where nil. Names that the table hasn't are left out.
  public init(
    _ table: SQLiteTable, of schema: SQLiteSchema, in snapshot: borrowing SQLiteSnapshot, rows selection: SQLiteRowSelection? = nil,
    columns names: [SQLiteName]? = nil, where filter: SQLiteRowFilter? = nil
  ) throws(SQLiteError) {
    if let problem = table.problem { throw problem }
    // The table before may have been one whose values could only be loaded whole.
    snapshot.connection.setValueLimit()
    let order = selection == nil ? try RowOrder.sound(for: table, in: snapshot) : table.order
    let wanted = names.map { $0.map(\.folded) }?.compactMap { name in table.columns.first { $0.name.folded == name } } ?? table.columns
    let columns = try Self.computable(wanted, of: table, order, in: snapshot.connection)
    let query = RowQuery(table, columns, order, filter: filter)
    let text =
      switch selection?.rows {
      case nil: query.all()
      case .numbers?: query.one()
      case .keys(let identity, _)?: query.one(by: identity.columns)
      }
    let rows = try Self.prepare(text, for: table, in: snapshot.connection)
    let plausibility = Plausibility(table, bytes: snapshot.byteCount, inRowOrder: order == .rowid)
    self.init(table, columns, order, rows, schema.encoding, plausibility, snapshot.byteCount, selection, filter, leaving: wanted)
  }

  private init(
    _ table: SQLiteTable, _ columns: [SQLiteColumn], _ order: SQLiteTable.Order, _ rows: consuming SQLiteStatement,
    _ encoding: SQLiteEncoding, _ plausibility: Plausibility, _ byteCount: UInt64, _ selection: SQLiteRowSelection?,
    _ filter: SQLiteRowFilter?, leaving wanted: [SQLiteColumn]
  ) {
    self.selection = selection
    self.filter = filter
    // No value that is stored is longer than the database; one that is computed can be.
    self.byteCount = table.columns.contains(where: \.isGenerated) ? byteCount &* 4 &+ (16 << 20) : byteCount
    self.table = table
    self.columns = columns
    self.order = order
    self.rows = rows
    self.encoding = encoding
    self.plausibility = plausibility
    leftOut = columns.count == wanted.count ? [] : wanted.filter(\.isGenerated)
  }

  /// The columns that SQLite can give here: all, or at least the stored ones.
  private static func computable(
    _ wanted: [SQLiteColumn], of table: SQLiteTable, _ order: SQLiteTable.Order, in connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [SQLiteColumn] {
    do throws(SQLiteError) {
      _ = try prepare(RowQuery(table, wanted, order).all(), for: table, in: connection)
      return wanted
    } catch {
      let given = wanted.filter { !$0.isGenerated }
      if given.count == wanted.count || given.isEmpty { throw error }
      return given
    }
  }

  private static func prepare(_ sql: SQLText, for table: SQLiteTable, in connection: borrowing SQLiteConnection) throws(SQLiteError)
    -> SQLiteStatement
  {
    do throws(SQLiteError) { return try connection.prepare(sql) } catch { throw error.naming(table.name) }
  }

  /// Moves on to the next row; false after the last. An error names the table; the rows before it were sound.
  public mutating func next(in snapshot: borrowing SQLiteSnapshot) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      cells.removeAll(keepingCapacity: true)
      snapshot.connection.noteProgress()
      guard try advance(in: snapshot.connection) else { return false }
      rowCount += 1
      try plausibility.check(row: rowCount, number: currentNumber)
      return true
    } catch { throw error.naming(table.name) }
  }

  private var currentNumber: Int64? {
    guard table.rowid != nil, cells.isEmpty else { return nil }
    return rows.integer(at: 0)
  }

  private mutating func advance(in connection: borrowing SQLiteConnection) throws(SQLiteError) -> Bool {
    switch selection?.rows {
    case nil: break
    case .numbers(let numbers)?:
      guard selected < numbers.count else { return false }
      selected += 1
      return try load(row: numbers[selected - 1], in: connection)
    case .keys(let identity, let places)?:
      guard selected < places.count else { return false }
      selected += 1
      return try load(places[selected - 1], by: identity, in: connection)
    }
    if numbers != nil { return try advanceByNumber(in: connection) }
    do throws(SQLiteError) { return try rows.step() } catch {
      if error.code.primary != .tooBig || isUnlimited { throw error }
    }
    try resume(in: connection)
    return try advance(in: connection)
  }

  /// After a value that was too long: goes on at that row, in the same order of the same snapshot.
  private mutating func resume(in connection: borrowing SQLiteConnection) throws(SQLiteError) {
    let query = RowQuery(table, columns, order, filter: filter)
    if table.rowid != nil {
      let found = try connection.prepare(query.numbers())
      try found.bind(rowCount, at: 1)
      numbers = consume found
      rows = try connection.prepare(query.one())
    } else {
      connection.liftValueLimit(to: byteCount)
      isUnlimited = true
      rows = try connection.prepare(query.all(from: true))
      try rows.bind(rowCount, at: 1)
    }
  }

  private mutating func advanceByNumber(in connection: borrowing SQLiteConnection) throws(SQLiteError) -> Bool {
    guard try numbers!.step() else { return false }
    return try load(row: numbers!.integer(at: 0), in: connection)
  }

  /// A row by its key; one with a long value is loaded whole, there is no other way to it.
  private mutating func load(
    _ place: UInt64, by identity: RowIdentity, in connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Bool {
    rows.reset()
    try identity.bind(place, to: rows, from: 1)
    do throws(SQLiteError) {
      if try rows.step() { return true }
    } catch {
      if error.code.primary != .tooBig || isUnlimited { throw error }
      connection.liftValueLimit(to: byteCount)
      isUnlimited = true
      selected -= 1
      return try advance(in: connection)
    }
    throw SQLiteError("step", code: .damaged, message: "a row is gone")
  }

  /// A row by its number; where one of its values is long, cell by cell.
  private mutating func load(row number: Int64, in connection: borrowing SQLiteConnection) throws(SQLiteError) -> Bool {
    rows.reset()
    try rows.bind(number, at: 1)
    do throws(SQLiteError) {
      if try rows.step() { return true }
    } catch {
      if error.code.primary != .tooBig { throw error }
      for column in columns { cells.append(try CellReader(column, of: table, row: number, encoding, byteCount, in: connection)) }
      return true
    }
    throw SQLiteError("step", code: .damaged, message: "an index names a row that isn't there")
  }

  /// A column's value in the current row.
  public mutating func cell(at column: Int) throws(SQLiteError) -> SQLiteCell {
    let value: SQLiteValue
    if cells.isEmpty {
      value = rows.value(at: table.rowid == nil ? column : column + 1)
    } else {
      switch cells[column].content {
      case .large(let large):
        try count(large.byteCount, of: column)
        return .large(large)
      case .small(let statement): value = statement.statement.value(at: 0)
      }
    }
    switch value {
    case .null: return .null
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .blob(let bytes):
      try count(bytes.count, of: column)
      return .blob(bytes)
    case .text(let bytes):
      try count(bytes.count, of: column)
      return encoding == .utf8 ? .text(bytes) : scratch.transcode(bytes, from: encoding)
    }
  }

  private mutating func count(_ bytes: Int, of column: Int) throws(SQLiteError) {
    if columns[column].isGenerated { return }
    do throws(SQLiteError) { try plausibility.check(bytes: bytes, row: rowCount) } catch { throw error.naming(table.name) }
  }
}

/// Room for one text in UTF-8 while its database keeps UTF-16.
private final class TextScratch {
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)

  deinit { buffer.deallocate() }

  func transcode(_ bytes: UnsafeRawBufferPointer, from encoding: SQLiteEncoding) -> SQLiteCell {
    let room = UTF16Transcoder.room(for: bytes.count)
    if buffer.count < room {
      buffer.deallocate()
      buffer = .allocate(byteCount: room, alignment: 16)
    }
    var transcoder = UTF16Transcoder(isLittleEndian: encoding == .utf16LittleEndian)
    let written = transcoder.transcode(bytes, into: buffer)
    return transcoder.isComplete ? .text(UnsafeRawBufferPointer(rebasing: buffer[..<written])) : .invalidText(bytes)
  }
}

extension SQLiteTableReader {
  /// How SQLite would read a table's rows (`EXPLAIN QUERY PLAN`), a line a step: for making sure that it sorts nothing.
  public static func plan(of table: SQLiteTable, in snapshot: borrowing SQLiteSnapshot) throws(SQLiteError) -> [String] {
    let order = try RowOrder.sound(for: table, in: snapshot)
    let statement = try snapshot.connection.prepare(SQLText("EXPLAIN QUERY PLAN ") + RowQuery(table, table.columns, order).all())
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(at: 3)) }
    return lines
  }
}
