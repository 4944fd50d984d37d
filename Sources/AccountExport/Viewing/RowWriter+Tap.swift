internal import JSONStreaming

extension RowWriter {
  /// Rows up to so many bytes are kept as they are.
  private static let wholeRow = 64 << 10

  /// Reads the value that has just been written, if it says when its row is from.
  mutating func readDate(_ kind: ValueKinds?) {
    if !tap.isDate(column, kind) { return }
    let (start, column) = (tap.valueStart, column)
    output.withUndrained(from: start) { if let value = $0 { tap.read(date: value, column: column) } }
  }

  /// Keeps the row that has just ended.
  mutating func keepRow() throws(ExportError) {
    tap.endRow()
    // The bracket or comma and the line's end stand before it.
    let start = rowStart + 2
    let length = output.end - start
    if length > Self.wholeRow { return try keepClipped(from: start) }
    if !tap.wants(length) { return }
    try output.withUndrained(from: start) { (row) throws(ExportError) in
      if let row {
        try tap.keep(row)
      } else {
        var whole: [UInt8] = []
        try output.forEachPiece(from: start) { whole.append(contentsOf: $0) }
        try whole.withBytes { (bytes) throws(ExportError) in try tap.keep(bytes) }
      }
    }
  }

  private mutating func keepClipped(from start: Int) throws(ExportError) {
    if !tap.wants(0) { return }
    var clipper = RowClipper()
    try output.forEachPiece(from: start) { clipper.add($0) }
    if !tap.wants(clipper.row.count) { return }
    try clipper.row.withBytes { (bytes) throws(ExportError) in try tap.keep(bytes) }
  }
}
