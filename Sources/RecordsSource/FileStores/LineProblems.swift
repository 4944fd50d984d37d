import AccountExport

/// What is odd in a file's lines, by their numbers: the first hundred of a kind are named one by one, the others counted.
struct LineProblems {
  private struct Kind {
    let reason: Omission.Reason
    var named: [(line: Int, detail: String?)] = []
    var others = 0
  }

  private var kinds: [Kind] = []
  private static let named = 100

  var isEmpty: Bool { kinds.isEmpty }

  /// Takes note of a line.
  /// - Parameter detail: What only an engineer can use; never what stands in the line.
  mutating func note(_ line: Int, _ reason: Omission.Reason, _ detail: @autoclosure () -> String? = nil) {
    let index = kinds.firstIndex { $0.reason == reason } ?? kinds.count
    if index == kinds.count { kinds.append(Kind(reason: reason)) }
    if kinds[index].named.count < Self.named {
      kinds[index].named.append((line, detail()))
    } else {
      kinds[index].others += 1
    }
  }

  /// Names them all, as lines of a collection.
  func tell(of collection: String, _ writer: inout EntryWriter) {
    for kind in kinds {
      for (line, detail) in kind.named { writer.omit("\(collection): line \(line)", kind.reason, detail: detail) }
      if kind.others > 0 { writer.omit("\(collection): other lines", kind.reason, count: kind.others) }
    }
  }
}

/// How many columns rows may have, so that rows with little in common don't make a bundle without bound: a key that a row lacks is written there too.
enum ColumnBudget {
  /// How many columns all rows can have where `values` are there in all.
  static func columns(rows: Int, values: Int) -> Int { rows == 0 ? .max : max(1, (16 * values + 1_000_000) / rows) }
}
