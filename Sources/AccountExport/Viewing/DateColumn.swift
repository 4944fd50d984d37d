/// Which column of a collection says when a row is from, by its name.
enum DateColumn {
  private static let first: Set<String> = [
    "created", "sent", "posted", "received", "published", "registered", "joined", "ordered", "started",
  ]
  private static let plain: Set<String> = ["at", "on", "date", "datetime", "time", "timestamp", "when", "day", "ts", "epoch"]
  private static let later: Set<String> = ["updated", "modified", "changed", "edited", "seen", "read"]
  /// When something else is than the row itself.
  private static let others: Set<String> = [
    "expires", "expiry", "expiration", "due", "until", "end", "deleted",
  ]

  /// When a person was born says nothing of when a row is from.
  private static let births: Set<String> = ["birth", "birthday", "birthdate", "born", "dob"]

  static func isBirth(_ name: String) -> Bool { words(of: name).contains(where: births.contains) }

  /// The column that says it best; nil where no name does.
  static func index(in columns: [CollectionDescription.Column]) -> Int? {
    columns.indices.compactMap { index in rank(columns[index].name).map { (index, $0) } }.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

  private static func rank(_ name: String) -> Int? {
    let words = words(of: name)
    if words.contains(where: births.contains) { return nil }
    if words.contains(where: others.contains) { return 3 }
    if words.contains(where: first.contains) { return 0 }
    if words.contains(where: later.contains) { return words.last.map { plain.contains($0) || later.contains($0) } == true ? 2 : nil }
    return words.last.map(plain.contains) == true ? 1 : nil
  }
}
