import AccountExport
import SQLiteReading

/// What a generated column is made from. SQLite tells it nowhere but in the statement that made the table.
enum GeneratedColumn {
  /// The expression of a column, as tokens allow: all that stands behind its name up to the comma that ends its definition, less its type.
  /// Where the column can't be found, it is the whole statement: whatever is secret in there makes a secret of the column.
  static func expression(of column: SQLiteName, in definition: String?) -> String? {
    guard let definition else { return nil }
    var tokens = SQLTokens(definition)
    var (depth, isAtBegin, isFound) = (0, false, false)
    var expression: [String] = []
    while let token = tokens.next() {
      switch token {
      case .mark(UInt8(ascii: "(")):
        depth += 1
        isAtBegin = depth == 1
        continue
      case .mark(UInt8(ascii: ")")): depth -= 1
      case .mark(UInt8(ascii: ",")) where depth == 1:
        if isFound { return expression.joined(separator: " ") }
        isAtBegin = true
        continue
      case .name(let name) where isAtBegin && depth == 1: isFound = SQLiteName(name).folded == column.folded
      // Names of types and constraints stand outside of brackets, the expression within.
      case .name(let name) where isFound && depth > 1: expression.append(quoted(name, by: "\""))
      case .text(let text) where isFound && depth > 1: expression.append(quoted(text, by: "'"))
      default: break
      }
      isAtBegin = false
    }
    return isFound ? expression.joined(separator: " ") : definition
  }

  private static func quoted(_ text: String, by quote: Character) -> String {
    var quoted = String(quote)
    for character in text { quoted += character == quote ? String(repeating: quote, count: 2) : String(character) }
    return quoted + String(quote)
  }
}
