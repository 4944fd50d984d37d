internal import JSONStreaming

/// Rows of which not all columns are known when the first is written: each new one goes to the end, and what was written before is completed by
/// a second pass over the spool, so that every row has every key and nothing but the spool grows.
extension RowWriter {
  /// Takes up columns that were added, between two rows.
  mutating func grow(to prepared: [PreparedColumn]) {
    let known = columns.count
    if rows > 0 && growth.last?.row != rows { growth.append((rows, known)) }
    columns = prepared
    hasHeldColumns = columns.contains { $0.isHeld }
    for column in columns[known...] {
      kinds.append([])
      redacted.append(MaskCounts())
      rowKinds.append([])
      rowRedacted.append(MaskCounts())
      rowMasks.append(column.mask)
      held.append(nil)
    }
  }

  /// Writes the spool once more, with null for what the earlier rows lack. A row is one line: a JSON text has no newline within.
  mutating func completeRows() throws {
    var rest = RestOfRows(growth: growth, columns: columns)
    output.json.resetStructure()
    try output.rewrite { bytes, json in rest.append(bytes, to: &json) }
  }
}

/// What is added at the end of each line of an array of rows.
private struct RestOfRows {
  private let growth: [(row: Int, known: Int)]
  private let columns: [RowWriter.PreparedColumn]
  private var stage = 0
  /// The row whose line comes next; the line before the first holds the bracket.
  private var row = -1
  private var rest: [UInt8] = []

  init(growth: [(row: Int, known: Int)], columns: [RowWriter.PreparedColumn]) {
    (self.growth, self.columns) = (growth, columns)
    prepare()
  }

  /// The keys and nulls that the rows of the present stage lack.
  private mutating func prepare() {
    rest.removeAll()
    if stage == growth.count { return }
    let known = growth[stage].known
    var json = JSONWriter(capacity: 256)
    json.beginObject()
    for column in columns[known...] {
      json.key(column.key)
      json.null()
    }
    json.withBytes { rest.append(contentsOf: $0.dropFirst()) }
    if known > 0 { rest.insert(UInt8(ascii: ","), at: 0) }
  }

  /// Appends a chunk, and says how much of it was taken: where a line goes on beyond the chunk, its last two bytes may be `},` already and wait.
  mutating func append(_ chunk: UnsafeRawBufferPointer, to json: inout JSONWriter) -> Int {
    var start = 0
    while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
      append(line: UnsafeRawBufferPointer(rebasing: chunk[start..<end]), to: &json)
      start = end + 1
    }
    let last = max(start, chunk.count - 2)
    json.raw(UnsafeRawBufferPointer(rebasing: chunk[start..<last]))
    return last
  }

  private mutating func append(line: UnsafeRawBufferPointer, to json: inout JSONWriter) {
    let hasComma = line.last == UInt8(ascii: ",")
    let body = hasComma ? line.dropLast() : line[...]
    if row >= 0 && stage < growth.count && body.last == UInt8(ascii: "}") {
      json.raw(UnsafeRawBufferPointer(rebasing: body.dropLast()))
      rest.withUnsafeBytes { json.raw($0) }
      json.raw(hasComma ? "},\n" : "}\n")
    } else {
      json.raw(line)
      json.raw("\n")
    }
    row += 1
    if stage < growth.count && row == growth[stage].row {
      stage += 1
      prepare()
    }
  }
}
