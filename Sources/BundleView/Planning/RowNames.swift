/// What the rows of a collection are called: the text of a column such as `name` or `title`, cut to a length that fits a link.
struct RowNames {
  private static let longest = 60
  /// Bytes of all names of a collection.
  private static let budget = 2 << 20
  private static let columns = [
    "name", "full_name", "fullname", "display_name", "displayname", "title", "label", "username", "subject", "email",
  ]

  /// Texts as they stand in JSON.
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []

  /// The column that says what a row is called: never one that the pages leave out.
  static func column(in plans: [ColumnPlan]) -> Int? {
    let lower = plans.map { $0.isHidden ? "" : $0.name.lowercased() }
    return columns.lazy.compactMap { lower.firstIndex(of: $0) }.first
  }

  /// Adds the name of the next row; nothing where it has none.
  mutating func add(_ value: UnsafeRawBufferPointer?) {
    if let value, value.first == UInt8(ascii: "\""), bytes.count < Self.budget {
      let text = JSONText.inside(value)
      let end = JSONText.end(of: text, letters: Self.longest)
      bytes.append(contentsOf: text[..<(end ?? text.count)])
      if end != nil { bytes.append(contentsOf: "…".utf8) }
    }
    ends.append(UInt32(bytes.count))
  }

  /// Gives a row's name, as it stands in JSON; nothing where it has none.
  func withName(of row: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard row < ends.count else { return false }
    let start = row == 0 ? 0 : Int(ends[row - 1])
    if start == Int(ends[row]) { return false }
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<Int(ends[row])])) }
    return true
  }
}
