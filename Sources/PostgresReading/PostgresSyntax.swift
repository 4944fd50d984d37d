/// PostgreSQL's ways to write names and arrays.
public enum PostgresSyntax {
  /// A name in SQL, quoted: it means itself, whatever it holds.
  public static func quoted(_ name: String) -> String {
    var quoted = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append("\"") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// A table's name with its schema.
  public static func quoted(_ schema: String, _ name: String) -> String { quoted(schema) + "." + quoted(name) }

  /// The text of an array for a bound parameter, from its elements' texts; nil is null.
  public static func array(_ elements: some Sequence<String?>) -> String {
    var text = "{"
    for element in elements {
      if text.utf8.count > 1 { text += "," }
      guard let element else {
        text += "NULL"
        continue
      }
      text += "\""
      for scalar in element.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
        text.unicodeScalars.append(scalar)
      }
      text += "\""
    }
    return text + "}"
  }
}
