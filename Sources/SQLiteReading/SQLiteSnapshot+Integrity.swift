extension SQLiteSnapshot {
  /// What is wrong with the pages of a table or with its indexes, in SQLite's words; nil where nothing is.
  ///
  /// An index can be damaged alone, and whoever asks it is then told of fewer rows than there are, without an error. Only where this finds nothing are rows
  /// that were found through indexes all that there are. Every row is looked up in every index, which takes about 1.5 µs each.
  public func damage(in table: SQLiteTable) throws(SQLiteError) -> String? {
    do throws(SQLiteError) { return try finding(about: table) } catch {
      switch error.code.primary {
      case .damaged: return error.description
      case .tooBig: break
      default: throw error.naming(table.name)
      }
    }
    // A column to look at lies behind a long value.
    connection.liftValueLimit(to: byteCount)
    defer { connection.setValueLimit() }
    do throws(SQLiteError) { return try finding(about: table) } catch {
      if error.code.primary == .damaged || error.code.primary == .tooBig { return error.description }
      throw error.naming(table.name)
    }
  }

  private func finding(about table: SQLiteTable) throws(SQLiteError) -> String? {
    // Constraints say nothing of damage, and may call functions that only the app has.
    try connection.execute("PRAGMA ignore_check_constraints=ON")
    // Of an index in an order that only the app knows nothing can be said; none of them is used either.
    let check = table.strangelyOrdered.isEmpty ? "integrity_check" : "quick_check"
    connection.noteProgress()
    let statement = try connection.prepare(SQLText("PRAGMA main.\(check)(") + table.name + ")")
    while try statement.step() {
      let finding = statement.text(at: 0)
      // A null where none may be, or a text where numbers are declared, is what it is.
      let isOfValue = finding.split(separator: " ", maxSplits: 1).last?.hasPrefix("value in ") ?? false
      if finding != "ok" && !isOfValue { return finding }
    }
    return nil
  }
}
