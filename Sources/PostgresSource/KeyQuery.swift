import Ownership
import PostgresReading

/// The SQL of questions about a key: `c` is the table that refers, `p` the one referred to.
struct KeyQuery {
  private let question: ReferringRows
  private let catalogue: Catalogue
  private let key: ForeignKey

  init(_ question: ReferringRows, _ catalogue: Catalogue) {
    (self.question, self.catalogue) = (question, catalogue)
    key = catalogue.schema.keys[question.key]
  }

  /// The rows that refer to some, and which keys they have.
  func children(from source: String, filter: String, parentColumn: (String) -> String, _ parameters: inout [String?]) -> String {
    let noted = question.noting.map { ", " + has($0, &parameters) }.joined()
    var conditions = [filter] + same(parentColumn)
    if let condition = key.condition { conditions.append(holds(condition, &parameters)) }
    conditions += question.lacking.map { "NOT " + has($0, &parameters) }
    return "SELECT c.tableoid, c.ctid\(noted) FROM \(source) CROSS JOIN \(table(key.child)) c WHERE "
      + conditions.joined(separator: " AND ")
  }

  /// The rows that some refer to.
  func parents(filter: String, _ parameters: inout [String?]) -> String {
    var conditions = [filter] + same { "p." + PostgresSyntax.quoted($0) }
    if let condition = key.condition { conditions.append(holds(condition, &parameters)) }
    return "SELECT p.tableoid, p.ctid FROM \(table(key.child)) c CROSS JOIN \(table(key.parent)) p WHERE "
      + conditions.joined(separator: " AND ")
  }

  private func table(_ index: Int) -> String { catalogue.tables[index].sql }

  /// That a row refers by the key: by the operators that the database's own check uses, where it has one.
  private func same(_ parentColumn: (String) -> String) -> [String] {
    let declared = catalogue.operators(ofKey: question.key)
    return zip(key.columns, key.parentColumns).enumerated().map { index, pair in
      let (parent, child) = (parentColumn(pair.1), "c." + PostgresSyntax.quoted(pair.0))
      let (parentType, childType) = (
        catalogue.tables[key.parent].typeName(of: pair.1), catalogue.tables[key.child].typeName(of: pair.0)
      )
      switch key.access {
      case .value:
        if let declared, index < declared.count { return "\(parent) \(declared[index]) \(child)" }
        // Nobody has said that these compare: numbers and texts of one kind do, others by their texts.
        return Self.compares(parentType, childType)
          ? "\(parent) = \(child)" : "\(Self.text(parent, parentType)) = \(Self.text(child, childType))"
      case .arrayElements:
        return childType == parentType + "[]" ? "\(parent) = ANY (\(child))" : "\(Self.text(parent, parentType)) = ANY (\(child)::text[])"
      case .jsonPath(let path):
        let quoted = "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        let found = "jsonb_path_query_array(\(child)::jsonb, \(quoted)::jsonpath)"
        return "\(Self.text(parent, parentType)) = ANY (ARRAY(SELECT jsonb_array_elements_text(\(found))))"
      }
    }
  }

  private static let numbers: Set<String> = ["smallint", "integer", "bigint", "numeric"]
  /// Between the others, `bpchar` compares without the blanks that fill it up.
  private static let texts: Set<String> = ["text", "character varying", "bpchar"]

  private static func compares(_ one: String, _ other: String) -> Bool {
    one == other || (numbers.contains(one) && numbers.contains(other)) || (texts.contains(one) && texts.contains(other))
  }

  private static func text(_ value: String, _ type: String = "") -> String {
    // Of a `bpchar`, or a domain that may be one, without the blanks that fill it up, which nobody writes elsewhere.
    type == "bpchar" || type.contains(".") ? "CAST(\(value) AS text)" : "pg_catalog.format('%s', \(value))"
  }

  private func has(_ index: Int, _ parameters: inout [String?]) -> String {
    let key = catalogue.schema.keys[index]
    var parts = key.columns.map { "c.\(PostgresSyntax.quoted($0)) IS NOT NULL" }
    if key.access == .arrayElements { parts.append("cardinality(c.\(PostgresSyntax.quoted(key.columns[0]))) > 0") }
    if let condition = key.condition { parts.append(holds(condition, &parameters)) }
    return "coalesce(" + parts.joined(separator: " AND ") + ", false)"
  }

  private func holds(_ condition: ForeignKey.Condition, _ parameters: inout [String?]) -> String {
    parameters.append(condition.value)
    return "\(Self.text("c." + PostgresSyntax.quoted(condition.column))) = $\(parameters.count)"
  }
}
