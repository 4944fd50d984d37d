/// What the manifest tells of a collection's CSV.
struct CSVDraft: Sendable {
  /// The collection's name.
  let collection: String
  /// What the columns are called there, and the Table Schema's types that hold for what stands below.
  let labels: [String], types: [StaticString]
  let rows: Int

  /// - Parameter masked: Whether anything of a column is masked.
  init(_ table: TableDraft, masked: [Bool]) {
    collection = table.description.name
    rows = table.rows
    labels = CSVHeader(columns: table.description.columns.map(\.name)).labels
    types = zip(table.kinds, masked).map { $0.csvType(isMasked: $1) }
  }
}

extension ValueKinds {
  /// The Table Schema's type for values of these kinds as CSV has them. An object that is masked is no JSON there.
  func csvType(isMasked: Bool) -> StaticString { self == .object && isMasked ? "string" : fieldType }
}
