/// The names of a text's columns: those of its first record, each made unique.
public struct CSVHeader: Hashable, Sendable {
  /// A column whose name had to be changed: it was empty, no UTF-8 or too long, or an earlier column has it.
  public struct Change: Hashable, Sendable {
    /// The column, counted from 1.
    public let column: Int
    /// The name in the text, as far as it is text and is kept.
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

  /// Adds a column by the bytes of its name in the text. What is no UTF-8 becomes U+FFFD, and what is behind the longest name is left out.
  public mutating func add(_ original: [UInt8], longest: Int) {
    var kept = original.prefix(longest)
    // Not within a character.
    for _ in 0..<3 where kept.endIndex < original.endIndex && original[kept.endIndex] & 0xC0 == 0x80 { kept = kept.dropLast() }
    let name = String(decoding: kept, as: UTF8.self)
    let count = changes.count
    add(name)
    if changes.count == count, kept.count < original.count || !name.utf8.elementsEqual(kept) {
      changes.append(Change(column: names.count, original: name))
    }
  }

  /// Gives a column another name, made unique.
  public mutating func rename(_ index: Int, _ name: String) {
    let original = names[index]
    names[index] = unique(name)
    if !changes.contains(where: { $0.column == index + 1 }) { changes.append(Change(column: index + 1, original: original)) }
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
