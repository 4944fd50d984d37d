/// What the walk asks of a database. Tables and keys are named by their index in the schema that the walk's plan was made of.
///
/// Rows that a question is about come as handles, at most ``batchSize`` at once, ascending: a store answers for all of them by one query that uses the
/// indexes, and calls back for every answer as it comes. An answer may come more than once.
///
/// A row *has* a key where none of its columns is null and its condition holds (of an array: where it has an element); only a row that has a key refers by it.
public protocol RelationalStore: ~Copyable {
  /// The most handles of one question.
  var batchSize: Int { get }

  /// At most `limit` rows of a table in which a column's value, as text, is this one; or, where the database compares otherwise, equal to it once it is cast to
  /// the column's type.
  mutating func rows(of table: Int, where column: String, is value: String, limit: Int) throws -> [RowHandle]

  /// The rows of a key's table that refer by it to rows of its parent.
  ///
  /// - Parameters:
  ///   - question: The key, and what is asked of the rows besides.
  ///   - parents: Rows of the key's parent.
  ///   - body: Called with each row, and for each key of `question.noting` whether the row has it.
  mutating func rows(
    referringBy question: ReferringRows, to parents: [RowHandle], _ body: (_ row: RowHandle, _ has: [Bool]) throws -> Void) throws

  /// The rows of a key's parent that rows of its table refer to.
  mutating func rows(referredToBy key: Int, from children: [RowHandle], _ body: (_ row: RowHandle) throws -> Void) throws

  /// The values of some columns in rows of a table, row after row: what is kept of them when the walk is frozen.
  mutating func values(of columns: [String], in table: Int, rows: [RowHandle], _ body: (_ values: [KeyValue]) throws -> Void) throws

  /// The rows of a table that have one of these sets of values in these columns; none where a value is null. At most ``batchSize`` sets come at once.
  mutating func rows(of table: Int, where columns: [String], are values: [[KeyValue]], _ body: (_ row: RowHandle) throws -> Void) throws

  /// As ``rows(referringBy:to:_:)``, for rows of the parent that are known by the values of the columns that the key refers to, in the key's order. The rows
  /// themselves need not be there any more.
  mutating func rows(
    referringBy question: ReferringRows, toValues values: [[KeyValue]], _ body: (_ row: RowHandle, _ has: [Bool]) throws -> Void) throws
}

/// A value of a key's column, as a database that knows these types gives it; one that has more types gives the text that it prints.
public enum KeyValue: Sendable, Hashable {
  /// Null: the row has no such key.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case bytes([UInt8])
  /// Text that is no valid UTF-8: its bytes.
  case invalidText([UInt8])
}

extension RelationalStore where Self: ~Copyable {
  /// 500: one query's worth, which even old versions of SQLite bind.
  public var batchSize: Int { 500 }
}

/// Which rows are asked for that refer by a key. A store can keep a prepared statement for each.
public struct ReferringRows: Sendable, Hashable {
  /// The key.
  public var key: Int
  /// Only rows that have none of these keys of the same table.
  public var lacking: [Int]
  /// Which of these keys of the same table each row has is asked as well.
  public var noting: [Int]

  /// The rows that refer by a key.
  public init(key: Int, lacking: [Int] = [], noting: [Int] = []) {
    self.key = key
    self.lacking = lacking
    self.noting = noting
  }
}
