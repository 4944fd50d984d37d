/// Some rows of a table, in the order in which they are to be read.
public struct SQLiteRowSelection {
  enum Rows {
    case numbers([Int64])
    case keys(RowIdentity, [UInt64])
  }

  let rows: Rows

  /// How many rows there are.
  public var count: Int {
    switch rows {
    case .numbers(let numbers): numbers.count
    case .keys(_, let places): places.count
    }
  }
}

extension SQLiteRowFinder {
  /// More rows than this are put in order by a walk along the whole key instead of by a sort.
  static let mostSorted = 8_192

  /// Rows of a table, put in the order of its primary key.
  public func selection(of handles: [UInt64], in table: Int, _ snapshot: borrowing SQLiteSnapshot) throws(SQLiteError) -> SQLiteRowSelection
  {
    let shape = tables[table]
    let identity = queries.identities[table]
    let ordered = shape.order == .rowid ? handles : try inKeyOrder(handles, shape, identity, snapshot)
    if identity.keys != nil { return SQLiteRowSelection(rows: .keys(identity, ordered)) }
    let numbers = ordered.map { Int64(bitPattern: $0) }
    return SQLiteRowSelection(rows: .numbers(shape.order == .rowid ? numbers.sorted() : numbers))
  }

  private func inKeyOrder(
    _ handles: [UInt64], _ table: SQLiteTable, _ identity: RowIdentity, _ snapshot: borrowing SQLiteSnapshot
  ) throws(SQLiteError) -> [UInt64] {
    if handles.isEmpty { return [] }
    if handles.count * identity.columns.count <= Self.mostSorted {
      let statement = try snapshot.connection.prepare(RowQuery(table, [], table.order).some(handles.count, identity.columns))
      for (index, handle) in handles.enumerated() { try identity.bind(handle, to: statement, from: 1 + index * identity.columns.count) }
      return try read(statement, identity, snapshot) { _ in true }
    }
    let order = try RowOrder.sound(for: table, in: snapshot)
    // Ascending, as handles come, so that no set need be made of them.
    let sorted = handles.sorted()
    let statement = try snapshot.connection.prepare(RowQuery(table, [], order).identities(identity.columns))
    return try read(statement, identity, snapshot) { sorted.holds($0) }
  }

  private func read(
    _ statement: borrowing SQLiteStatement, _ identity: RowIdentity, _ snapshot: borrowing SQLiteSnapshot, _ isWanted: (UInt64) -> Bool
  ) throws(SQLiteError) -> [UInt64] {
    var found: [UInt64] = []
    snapshot.connection.noteProgress()
    while try statement.step() {
      snapshot.connection.noteProgress()
      if let handle = identity.knownHandle(in: statement), isWanted(handle) { found.append(handle) }
    }
    return found
  }
}

extension [UInt64] {
  /// Whether an ascending list holds a number.
  fileprivate func holds(_ number: UInt64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == number
  }
}
