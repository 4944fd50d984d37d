/// How a data subject is named: the one row in which a column has a value, `users.id=42`.
public struct StartingRow: Sendable, Hashable {
  /// The table and the column, `table.column` or `schema.table.column`.
  public var place: String
  /// The value, as text.
  public var value: String

  /// The row in which this column has this value.
  public init(place: String, value: String) {
    self.place = place
    self.value = value
  }

  /// From `table.column=value`. The first `=` divides; what follows is the value, also when it is empty.
  public init(parsing text: String) throws(OwnershipError) {
    guard let sign = text.firstIndex(of: "="), text[..<sign].contains(".") else {
      throw OwnershipError(.subject, "a subject is written table.column=value", hint: "for example users.id=42")
    }
    place = String(text[..<sign])
    value = String(text[text.index(after: sign)...])
  }

  /// The table and column that are meant.
  public func resolved(in schema: RelationalSchema) throws(OwnershipError) -> (table: Int, column: String) {
    do { return try schema.column(named: place) } catch { throw OwnershipError(.subject, error.message, hint: error.hint) }
  }
}

extension OwnershipPlan {
  /// The plan for a subject with these starting rows, one for each way in which the database knows the same person.
  public init(
    schema: RelationalSchema, starts: [StartingRow], choices: OwnershipChoices = OwnershipChoices(), rules: OwnershipRules = .standard
  ) throws(OwnershipError) {
    guard !starts.isEmpty else { throw OwnershipError(.subject, "no subject is named") }
    var subjects: [Int] = []
    for start in starts {
      let table = try start.resolved(in: schema).table
      if !subjects.contains(table) { subjects.append(table) }
    }
    try self.init(schema: schema, subjects: subjects, choices: choices, rules: rules)
  }
}
