internal import Files

/// The name of a table or a column as the database keeps it: bytes that are UTF-8 in nearly every database, and need not be.
public struct SQLiteName: Hashable, Sendable {
  /// The name's bytes.
  public let bytes: [UInt8]

  /// A name of these bytes.
  public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// A name given as text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The name as text; nil where it is no UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The name for a person to read: controls and invalid bytes escaped.
  public var display: String { PathBytes(bytes).display }

  /// The name as text, invalid bytes escaped as `\xNN`: for what must be text and should not lose them.
  public var exported: String { text ?? display }

  /// The name as SQL takes it, in double quotes whatever it is: no name can be mistaken for a keyword, or end the statement.
  public var quoted: [UInt8] {
    let quote = UInt8(ascii: "\"")
    var result: [UInt8] = [quote]
    result.reserveCapacity(bytes.count + 2)
    for byte in bytes {
      if byte == quote { result.append(quote) }
      result.append(byte)
    }
    result.append(quote)
    return result
  }

  /// The name with ASCII letters in lower case: SQLite takes two names for the same if these are equal.
  public var folded: SQLiteName {
    SQLiteName(bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
  }

  /// Whether this is a name that SQLite keeps for itself (`sqlite_sequence`, `sqlite_stat1`).
  public var isInternal: Bool { folded.bytes.starts(with: "sqlite_".utf8) }
}

extension SQLiteName: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A name written in code.
  public init(stringLiteral text: String) { self.init(text) }

  /// The name for a person to read.
  public var description: String { display }
}

/// SQL text put together from parts, as bytes: names need not be UTF-8.
struct SQLText {
  var bytes: [UInt8]

  init(_ text: String = "") { bytes = Array(text.utf8) }

  static func + (left: SQLText, right: String) -> SQLText {
    var result = left
    result.bytes += right.utf8
    return result
  }

  static func + (left: SQLText, right: SQLiteName) -> SQLText {
    var result = left
    result.bytes += right.quoted
    return result
  }

  static func + (left: SQLText, right: SQLText) -> SQLText {
    var result = left
    result.bytes += right.bytes
    return result
  }

  /// `t."a", t."b"`: columns of the table that a statement calls `t`. The qualifier keeps SQLite from taking an unknown name for a text.
  static func columns(_ names: [SQLiteName]) -> SQLText {
    var result = SQLText()
    for (index, name) in names.enumerated() { result = result + (index == 0 ? "t." : ", t.") + name }
    return result
  }
}
