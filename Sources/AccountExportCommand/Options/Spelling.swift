/// Finds the word that was probably meant.
enum Spelling {
  /// The known word nearest to `word`: one that it begins, or that few slips of the keyboard lead to; nil where none is near.
  static func nearest(to word: String, among known: [String]) -> String? {
    let written = Array(word.lowercased().utf8)
    let core = written.drop { $0 == UInt8(ascii: "-") }
    let scored = known.map { (word: $0, slips: slips(written, Array($0.lowercased().utf8))) }
    // Two slips in a short word make another word.
    if let best = scored.min(by: { $0.slips < $1.slips }), best.slips <= max(1, min(3, core.count / 3)) { return best.word }
    guard core.count >= 3 else { return nil }
    let begun = known.filter { Array($0.lowercased().utf8).drop { $0 == UInt8(ascii: "-") }.starts(with: core) }
    return begun.count == 1 ? begun.first : nil
  }

  /// How many slips (a letter too many, too few or wrong, two swapped) lead from one word to the other.
  static func slips(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for row in a.indices {
      var current = [row + 1]
      for column in b.indices {
        let isSame = a[row] == b[column]
        var fewest = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] { fewest = min(fewest, before[column - 1] + 1) }
        current.append(fewest)
      }
      (before, last) = (last, current)
    }
    return last[b.count]
  }
}
