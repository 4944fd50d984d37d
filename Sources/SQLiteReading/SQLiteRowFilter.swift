/// Which rows of a table are read: those where a column holds one of some integers, or all others.
public struct SQLiteRowFilter: Sendable {
  let column: SQLiteName
  let integers: [Int64]
  let isExcluding: Bool

  private init(_ column: SQLiteName, _ integers: [Int64], isExcluding: Bool) {
    (self.column, self.integers, self.isExcluding) = (column, integers, isExcluding)
  }

  /// Rows where a column holds one of these integers.
  public static func matching(_ column: SQLiteName, in integers: [Int64]) -> SQLiteRowFilter {
    SQLiteRowFilter(column, integers, isExcluding: false)
  }

  /// Rows where a column holds none of these integers: null, another number, or something else.
  public static func matching(_ column: SQLiteName, notIn integers: [Int64]) -> SQLiteRowFilter {
    SQLiteRowFilter(column, integers, isExcluding: true)
  }

  /// The condition, for a table that its statement calls `t`.
  var condition: SQLText {
    let list = "(" + integers.map(String.init).joined(separator: ", ") + ")"
    if isExcluding { return SQLText("(t.") + column + " IS NULL OR t." + column + " NOT IN " + list + ")" }
    return SQLText("t.") + column + " IN " + list
  }
}
