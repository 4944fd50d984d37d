extension Walk {
  /// The different values of a column in the subject's own rows, as text and in the rows' order; nulls are no values. By such a value another database may
  /// know the same person.
  ///
  /// - Parameter place: `table.column` or `schema.table.column`.
  /// - Throws: `OwnershipError` where there is no such column, or a value is neither text nor an integer; and what the store throws.
  public func values<Store: RelationalStore & ~Copyable>(of place: String, in store: inout Store) throws -> [String] {
    let (table, column) = try plan.schema.column(named: place)
    var found: [String] = []
    var rows = own[table].sorted()[...]
    while !rows.isEmpty {
      try store.values(of: [column], in: table, rows: Array(rows.prefix(store.batchSize))) { values in
        guard let text = try Self.text(values[0], of: place), !found.contains(text) else { return }
        found.append(text)
      }
      rows = rows.dropFirst(store.batchSize)
    }
    return found
  }

  private static func text(_ value: KeyValue, of place: String) throws(OwnershipError) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .text(let text): text
    case .real, .bytes, .invalidText: throw OwnershipError(.subject, "\(place) holds what can't name a person: neither text nor an integer")
    }
  }
}
