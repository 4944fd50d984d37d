/// The names of a text's columns: those of its first record, each made unique.
public struct CSVHeader: Hashable, Sendable {
  /// A column whose name had to be changed: it was empty, or an earlier column has it.
  public struct Change: Hashable, Sendable {
    /// The column, counted from 1.
    public let column: Int
    /// The name in the text.
    public let original: String
  }

  /// The columns' names, in order, no two alike.
  public private(set) var names: [String] = []
  /// The columns that have another name in the text.
  public private(set) var changes: [Change] = []
  private var used: Set<[UInt8]> = []

  /// No column.
  public init() {}

  /// Adds a column by its name in the text. An empty one becomes `column 3`, one that is there already `name-2`.
  public mutating func add(_ original: String) {
    let number = names.count + 1
    let name = unique(original.isEmpty ? "column \(number)" : original)
    if name != original || original.isEmpty { changes.append(Change(column: number, original: original)) }
    names.append(name)
  }

  /// Adds columns that the text doesn't name, up to a count: `column 7`.
  public mutating func widen(to count: Int) {
    while names.count < count { names.append(unique("column \(names.count + 1)")) }
  }

  /// Leaves out the columns behind a count.
  public mutating func narrow(to count: Int) {
    names.removeLast(max(0, names.count - count))
    changes.removeAll { $0.column > count }
  }

  /// Equal strings of Swift may have other bytes; as keys they differ.
  private mutating func unique(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !used.insert(Array(candidate.utf8)).inserted {
      candidate = name + "-\(number)"
      number += 1
    }
    return candidate
  }
}
