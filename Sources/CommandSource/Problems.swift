internal import AccountExport

/// What can't be taken of one collection, or of what stands between the records: counted, the first ones told with their lines.
struct Problems {
  private var count = 0
  private var told: [String] = []

  private static let mostTold = 20

  mutating func add(line: Int, _ problem: String) {
    count += 1
    if told.count < Self.mostTold { told.append("line \(line): \(problem)") }
  }

  /// Names them as one omission. What is wrong goes to the report alone.
  mutating func tell(as path: String, _ writer: inout EntryWriter) {
    if count == 0 { return }
    let rest = count - told.count
    let detail = told.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    writer.omit(path, .unreadable, count: count, detail: detail)
    (count, told) = (0, [])
  }
}
