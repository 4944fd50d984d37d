internal import AccountExport

/// One collection as the pages show it.
struct CollectionPlan {
  let collection: PagedCollection
  /// The numbers of its source and of itself within that, from 1: they make the names of its pages.
  let source: Int, number: Int
  /// What people call it, and what is told of it.
  let label: String
  let about: String?
  let isHidden: Bool
  /// All columns, in the rows' order.
  var columns: [ColumnPlan]
  /// The places of the columns that are shown, in the order in which people see them.
  let inOrder: [Int]
  /// How many rows the pages show.
  var shown = 0
  /// The first row (from 0) of each page, and where it stands in the kept content.
  var pages: [(row: Int, offset: Int)] = []

  var name: String { collection.description.name }

  /// The column whose dates say when rows are from: none where the pages leave it out.
  var dateColumn: ColumnPlan? {
    guard collection.months != nil, let column = collection.dateColumn, !columns[column].isHidden else { return nil }
    return columns[column]
  }

  /// How many rows each month has, by that column.
  var months: MonthCounts? { dateColumn == nil ? nil : collection.months }

  /// The page, from 1, that shows a row.
  func page(of row: Int) -> Int {
    var (low, high) = (0, pages.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pages[middle].row <= row { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The rows of a page, from 0.
  func rows(of page: Int) -> Range<Int> { pages[page - 1].row..<(page < pages.count ? pages[page].row : shown) }

  /// Whether all values of a column are numbers that refer to nothing.
  func isNumeric(_ column: Int) -> Bool {
    let kinds = columns[column].kinds
    return !kinds.isEmpty && kinds.isSubset(of: [.integer, .number]) && columns[column].reference == .none
  }

  /// The place of a column by its name.
  func column(_ name: String) -> Int? { columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }
}

/// One column as the pages show it.
struct ColumnPlan {
  let name: String
  let label: String
  let isHidden: Bool
  let kinds: ValueKinds
  /// What its values refer to.
  var reference = Reference.none

  enum Reference: Equatable {
    case none
    /// A row by a declared key, of which this is the first column: its place among the links.
    case key(Int)
    /// Rows by their ids, `Entity/12`.
    case identifiers
  }
}
