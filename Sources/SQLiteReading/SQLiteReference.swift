/// A reference between two tables, declared or not, by their indexes in the list that a row finder was made with.
public struct SQLiteReference: Sendable {
  /// How the referring value lies in its column.
  public enum Access: Sendable {
    /// It is the column's value.
    case value
    /// The column holds JSON; each element of the array at the path refers (`$` is the whole value). A single value is an array of one.
    case elements(path: String)
  }

  /// What a row must say besides: the text of a column's value.
  public struct Condition: Sendable {
    /// The column of the referring table, and the text.
    public var column: SQLiteName, text: String

    /// A column and a text.
    public init(column: SQLiteName, text: String) { (self.column, self.text) = (column, text) }
  }

  /// The referring table.
  public var child: Int
  /// Its columns.
  public var columns: [SQLiteName]
  /// The table that is referred to.
  public var parent: Int
  /// The columns there, in the same order.
  public var parentColumns: [SQLiteName]
  /// How the value lies in its column.
  public var access: Access
  /// What a row must say besides.
  public var condition: Condition?

  /// A reference.
  public init(
    child: Int, columns: [SQLiteName], parent: Int, parentColumns: [SQLiteName], access: Access = .value, condition: Condition? = nil
  ) {
    (self.child, self.columns, self.parent, self.parentColumns) = (child, columns, parent, parentColumns)
    (self.access, self.condition) = (access, condition)
  }
}

/// A value of a key, on its own.
public enum SQLiteKeyValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A text that is no valid UTF-8: its bytes.
  case invalidText([UInt8])
  case blob([UInt8])
}

extension SQLiteStatement {
  /// A column's value, copied.
  borrowing func keyValue(at column: Int) -> SQLiteKeyValue {
    switch value(at: column) {
    case .null: return .null
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .blob(let bytes): return .blob(Array(bytes))
    case .text:
      let name = name(at: column)
      return name?.text.map(SQLiteKeyValue.text) ?? .invalidText(name?.bytes ?? [])
    }
  }

  borrowing func bind(_ value: SQLiteKeyValue, at index: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let integer): try bind(integer, at: index)
    case .real(let real): try bind(.real(real), in: .utf8, at: index)
    case .text(let text): try bind(text, at: index)
    case .invalidText(let bytes): try bind(bytes, at: index) { .text($0) }
    case .blob(let bytes): try bind(bytes, at: index) { .blob($0) }
    }
  }

  private borrowing func bind(
    _ bytes: [UInt8], at index: Int, as kind: (UnsafeRawBufferPointer) -> SQLiteValue
  ) throws(SQLiteError) {
    // The copy lives until the value is bound; SQLite makes its own.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    try bind(kind(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])), in: .utf8, at: index)
  }
}
