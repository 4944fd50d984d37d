import PostgresReading

/// How a type's values are written.
enum ValueForm {
  case integer, boolean, float, numeric, bytes, json, zonedTime, time
  /// The text that PostgreSQL prints.
  case text
  /// The element's type and what stands between elements.
  case array(element: Int, delimiter: UInt8)
  case composite([Member])

  struct Member {
    let name: [UInt8]
    let type: Int
  }
}

/// The types of the columns that are read, with all that they are made of. A type's index is its place here.
struct ValueTypes {
  private(set) var forms: [ValueForm] = []
  private var indexes: [Int: Int] = [:]
  /// Types of texts, by oid: their length is known without printing them.
  private(set) var plainTexts: Set<Int> = []
  /// Types whose values can be long.
  private(set) var longTypes: Set<Int> = []

  /// The index of a type by its oid; one that isn't known is text.
  func index(of oid: Int) -> Int { indexes[oid] ?? 0 }

  subscript(index: Int) -> ValueForm { forms[index] }

  /// Reads the types and what they are made of.
  init(of oids: Set<Int>, in connection: borrowing PostgresConnection) throws {
    forms = [.text]
    let array = PostgresSyntax.array(oids.sorted().map { String($0) })
    let members = try Self.members(array, in: connection)
    let found = try connection.rows(
      Self.closure + "SELECT \(Self.facts) FROM needed n JOIN pg_type y ON y.oid = n.oid ORDER BY y.oid", [array])
    var facts: [Int: Facts] = [:]
    for row in 0..<found.rowCount {
      let type = Facts(found, row)
      facts[type.oid] = type
      indexes[type.oid] = forms.count
      forms.append(.text)
    }
    for type in facts.values {
      let base = Self.base(type, facts)
      forms[index(of: type.oid)] = form(base, members[base.oid] ?? [])
      if base.length == -1 && base.name != "numeric" { longTypes.insert(type.oid) }
      if base.schema == "pg_catalog", ["text", "varchar", "bytea"].contains(base.name) { plainTexts.insert(type.oid) }
    }
  }

  private func form(_ type: Facts, _ members: [(name: String, type: Int)]) -> ValueForm {
    if type.kind == "c" { return .composite(members.map { .init(name: Array($0.name.utf8), type: index(of: $0.type)) }) }
    if type.category == "A" && type.element != 0 && type.length == -1 {
      return .array(element: index(of: type.element), delimiter: type.delimiter)
    }
    if type.schema != "pg_catalog" { return .text }
    return switch type.name {
    case "int2", "int4", "int8", "oid": .integer
    case "bool": .boolean
    case "float4", "float8": .float
    case "numeric": .numeric
    case "bytea": .bytes
    case "json", "jsonb": .json
    case "timestamptz": .zonedTime
    case "timestamp": .time
    default: .text
    }
  }

  private struct Facts {
    let oid: Int, schema: String, name: String, kind: String, category: String
    let element: Int, base: Int, length: Int, delimiter: UInt8

    init(_ row: borrowing PostgresResult, _ index: Int) {
      oid = row.integer(0, row: index) ?? 0
      schema = row.text(1, row: index) ?? ""
      name = row.text(2, row: index) ?? ""
      kind = row.text(3, row: index) ?? ""
      category = row.text(4, row: index) ?? ""
      element = row.integer(5, row: index) ?? 0
      base = row.integer(6, row: index) ?? 0
      length = row.integer(7, row: index) ?? 0
      delimiter = row.value(8, row: index)?.first ?? UInt8(ascii: ",")
    }
  }

  private static let facts = """
    y.oid, y.typnamespace::pg_catalog.regnamespace::text, y.typname, y.typtype, y.typcategory, y.typelem, y.typbasetype, y.typlen,
    coalesce((SELECT e.typdelim FROM pg_type e WHERE e.oid = y.typelem), y.typdelim)
    """

  /// The types asked for, with the elements of arrays, the members of composites and what domains stand for.
  private static let closure = """
    WITH RECURSIVE needed(oid) AS (
      SELECT unnest($1::oid[]) UNION
      SELECT inner_type.oid FROM needed JOIN pg_type y ON y.oid = needed.oid CROSS JOIN LATERAL (
        SELECT y.typelem WHERE y.typcategory = 'A'
        UNION ALL SELECT y.typbasetype WHERE y.typtype = 'd'
        UNION ALL SELECT a.atttypid FROM pg_attribute a
          WHERE y.typtype = 'c' AND a.attrelid = y.typrelid AND a.attnum > 0 AND NOT a.attisdropped
      ) inner_type(oid) WHERE inner_type.oid <> 0)

    """

  private static func members(_ array: String, in connection: borrowing PostgresConnection) throws -> [Int: [(name: String, type: Int)]] {
    let found = try connection.rows(
      closure + """
        SELECT y.oid, a.attname, a.atttypid FROM needed n JOIN pg_type y ON y.oid = n.oid JOIN pg_attribute a ON a.attrelid = y.typrelid
        WHERE y.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY y.oid, a.attnum
        """, [array])
    var members: [Int: [(name: String, type: Int)]] = [:]
    for row in 0..<found.rowCount {
      members[found.integer(0, row: row) ?? 0, default: []].append((found.text(1, row: row) ?? "", found.integer(2, row: row) ?? 0))
    }
    return members
  }

  /// What a domain stands for.
  private static func base(_ type: Facts, _ facts: [Int: Facts]) -> Facts {
    var type = type
    while type.kind == "d", let next = facts[type.base] { type = next }
    return type
  }
}
