public import Files

/// A column whose texts name files, and where those are.
public struct FileColumn: Sendable, Hashable {
  /// Where the files are that a column names.
  public enum Place: Sendable, Hashable {
    /// In a folder: names count from there, and lead nowhere else.
    case folder(PathBytes)
    /// A program gives them.
    case program(FileProgram)
    /// Nowhere: the column names no files, or they are left out on purpose.
    case none(reason: String)

    var hasFiles: Bool { if case .none = self { false } else { true } }
  }

  /// The column: `table.column`, or `schema.table.column`.
  public var column: String
  /// Where the files are.
  public var place: Place

  /// A column and where its files are.
  public init(_ column: String, in place: Place) {
    (self.column, self.place) = (column, place)
  }
}
