/// What becomes of single characters of a text in CSV.
enum CSVText {
  static let apostrophe = UInt8(ascii: "'")

  /// Whether a spreadsheet takes a text that begins so for a formula, or for what leads to one.
  @inline(__always)
  static func isFormula(begin byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
    default: false
    }
  }

  /// Appends a byte of a field in quotes.
  @inline(__always)
  static func append(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case 0: output.append(contentsOf: "\u{2400}".utf8)
    case UInt8(ascii: "\""): output.append(contentsOf: "\"\"".utf8)
    default: output.append(byte)
    }
  }
}

/// The first line of a CSV file: what its columns are called.
struct CSVHeader {
  /// A label for each column: its name, with an apostrophe where a spreadsheet would take it for a formula. No label is empty, and none comes twice.
  let labels: [String]

  init(columns: [String]) {
    var used: Set<[UInt8]> = []
    labels = columns.enumerated().map { index, name in
      let shown = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
      var label = shown.isEmpty ? "column \(index + 1)" : shown
      if let first = label.utf8.first, CSVText.isFormula(begin: first) { label = "'" + label }
      // As bytes: to Swift, a name and its normal form are equal.
      while !used.insert(Array(label.utf8)).inserted { label = "'" + label }
      return label
    }
  }

  /// The line, behind the mark by which spreadsheets know UTF-8.
  var line: [UInt8] {
    var line: [UInt8] = [0xEF, 0xBB, 0xBF]
    for (index, label) in labels.enumerated() {
      line.append(contentsOf: index == 0 ? "\"".utf8 : ",\"".utf8)
      for byte in label.utf8 { CSVText.append(byte, to: &line) }
      line.append(UInt8(ascii: "\""))
    }
    line.append(contentsOf: "\r\n".utf8)
    return line
  }
}
