internal import AccountExport

/// The way of a record's line into a row: its values are found first, then written in the columns' order.
struct RecordCopy: ~Copyable {
  private let columns: ColumnIndex
  private let isMoment: [Bool]
  private var values: ValueCopy
  /// Where each column's value begins in the line; negative where there is none.
  private var places: [Int]
  private var lengths: [Int]
  private var key: [UInt8] = []
  /// Names of files that are gone.
  private(set) var missingFiles = 0

  /// Values longer than this many bytes in the line leave for the disk in pieces.
  static let long = 64 << 10

  init(_ columns: ColumnIndex, moments: [Bool]) {
    self.columns = columns
    isMoment = moments
    values = ValueCopy()
    places = [Int](repeating: -1, count: columns.names.count)
    lengths = [Int](repeating: 0, count: columns.names.count)
  }

  /// Writes a record. Where it throws `RecordProblem`, the record is at fault.
  mutating func write(_ line: LineText, value: Int, to records: inout RecordWriter, _ keys: inout PrimaryKeyCheck) throws {
    try find(line, value: value)
    keys.beginRow()
    do {
      try records.row { (row) throws in try write(to: &row, &keys) }
    } catch let error as ExportError where error.code == .source {
      // What the writer refuses in a value: it lies too deep, for example.
      throw RecordProblem(error.message)
    }
    try keys.endRow(&records)
    missingFiles += values.missingFiles
  }

  // MARK: Finding

  private mutating func find(_ line: LineText, value: Int) throws {
    for index in places.indices { places[index] = -1 }
    values.begin(line)
    values.cursor.seek(to: value)
    var expected = 0
    try values.cursor.skipToken()
    while true {
      switch try values.cursor.token() {
      case UInt8(ascii: "}"), 0: return
      case UInt8(ascii: ","): try values.cursor.skipToken()
      default: try findValue(&expected)
      }
    }
  }

  private mutating func findValue(_ expected: inout Int) throws {
    try values.cursor.skipToken()
    let column: Int?
    if let plain = try values.cursor.plainText() {
      column = columns.find(try ValueCopy.name(plain), expecting: expected)
    } else {
      try values.cursor.whole(into: &key)
      column = try key.withUnsafeBufferPointer { columns.find(try ValueCopy.name($0), expecting: expected) }
    }
    guard let column else { throw RecordProblem("it has a key that its collection does not declare") }
    try values.cursor.skipToken()
    _ = try values.cursor.token()
    places[column] = values.cursor.offset
    try values.cursor.skipValue()
    lengths[column] = values.cursor.offset - places[column]
    expected = column + 1
  }

  // MARK: Writing

  private mutating func write(to row: inout RowWriter, _ keys: inout PrimaryKeyCheck) throws {
    if lengths.indices.contains(where: { places[$0] >= 0 && lengths[$0] > Self.long }) { try announce(&row) }
    for column in places.indices {
      if places[column] < 0 {
        row.null()
        keys.add(column, nil)
        continue
      }
      values.cursor.seek(to: places[column])
      try values.write(column, isMoment: isMoment[column], isLong: lengths[column] > Self.long, to: &row, &keys)
    }
  }

  /// What names a value is told first: a long one can't be taken back.
  private mutating func announce(_ row: inout RowWriter) throws {
    for column in places.indices where places[column] >= 0 && lengths[column] <= Self.long {
      values.cursor.seek(to: places[column])
      guard try values.cursor.next() == UInt8(ascii: "\"") else { continue }
      try values.cursor.whole(into: &key)
      key.withUnsafeBufferPointer { row.announce(column: column, $0) }
    }
  }
}
