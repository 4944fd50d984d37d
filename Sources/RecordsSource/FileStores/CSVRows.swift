import AccountExport
internal import CSVReading
import JSONStreaming
import SQLiteReading

/// The way of a CSV file's records into a collection.
struct CSVRows: ~Copyable {
  private let file: TextFile
  private let survey: CSVSurvey
  private let inlineBytes: Int
  private var reader: CSVReader
  private(set) var problems = LineProblems()

  init(_ file: TextFile, _ survey: CSVSurvey, inlineBytes: Int) {
    (self.file, self.survey, self.inlineBytes) = (file, survey, inlineBytes)
    let guess = survey.guess
    reader = CSVReader(dialect: guess.dialect, limits: CSVSurvey.limits, at: UInt64(guess.offset), line: guess.line) { buffer, offset in
      try file.read(into: buffer, at: offset)
    }
  }

  /// Writes all rows.
  mutating func write(to records: inout RecordWriter) throws {
    if survey.hasHeader {
      guard try reader.nextRecord() else { return }
      noteProblems()
    }
    while try reader.nextRecord() {
      noteProblems()
      try records.row { (row) throws in try write(to: &row) }
    }
  }

  private mutating func noteProblems() {
    switch reader.problem {
    case .unterminatedQuote: problems.note(reader.recordLine, .failed, "a quote without an end; the field was taken to end with its line")
    case .quotesGivenUp: problems.note(reader.recordLine, .failed, "too many quotes without an end; from here on quotes are text")
    case .tooManyFields: problems.note(reader.recordLine, .limit, "more than \(CSVSurvey.limits.fields) fields")
    case nil:
      if reader.fieldCount < survey.expected || reader.usedFieldCount > survey.expected { problems.note(reader.recordLine, .irregular) }
    }
  }

  private mutating func write(to row: inout RowWriter) throws {
    let own = survey.ownColumns
    let there = min(own, reader.fieldCount)
    for index in 0..<there {
      if reader.isLong { try write(long: index, to: &row) } else { try write(short: index, to: &row) }
    }
    for _ in there..<own { row.null() }
    if own < survey.header.names.count { try writeOthers(to: &row) }
  }

  private func write(short index: Int, to row: inout RowWriter) throws {
    try reader.withField(index) { (field) throws in
      let bytes = UnsafeRawBufferPointer(field)
      if field.count > inlineBytes && !SQLiteCell.isValidUTF8(bytes) { return try row.bytes(bytes) }
      row.text(field)
    }
  }

  // MARK: Long records

  private func pieces(_ index: Int) -> CSVFieldReader {
    CSVFieldReader(reader.extent(index), dialect: reader.dialect) { [file] in try file.read(into: $0, at: $1) }
  }

  /// A field of a record that is not in memory: short ones are fetched, others go through in pieces.
  private func write(long index: Int, to row: inout RowWriter) throws {
    let count = reader.extent(index).count
    var pieces = pieces(index)
    if count <= 64 << 10 {
      let bytes = try whole(&pieces, count)
      return try bytes.withUnsafeBytes { (bytes) throws in
        if bytes.count > inlineBytes && !SQLiteCell.isValidUTF8(bytes) { return try row.bytes(bytes) }
        row.text(bytes.bindMemory(to: UInt8.self))
      }
    }
    try announceNames(after: index, to: &row)
    if try row.largeText({ try pieces.read(into: $0) }) { return }
    pieces = self.pieces(index)
    try row.largeBytes(count: count) { try pieces.read(into: $0) }
  }

  private func whole(_ pieces: inout CSVFieldReader, _ count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, filled in
      while filled <= count {
        let got = try pieces.read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]))
        if got == 0 { break }
        filled += got
      }
    }
  }

  /// A later column may say that this value, or one before it, is a secret; once a long text is written, neither could be taken back.
  private func announceNames(after index: Int, to row: inout RowWriter) throws {
    for named in 0...index {
      guard let naming = row.namingColumn(of: named), naming > index else { continue }
      var name: [UInt8] = []
      if naming < reader.fieldCount, reader.extent(naming).count <= 4096 {
        var pieces = pieces(naming)
        name = try whole(&pieces, reader.extent(naming).count)
      }
      name.withUnsafeBufferPointer { row.announce(column: naming, $0) }
    }
  }

  /// The fields beyond those with a column of their own: an object, null where there is none.
  private func writeOthers(to row: inout RowWriter) throws {
    let own = survey.ownColumns
    if reader.usedFieldCount <= own { return row.null() }
    try row.nested(isLarge: true) { (object) throws in
      try object.beginObject()
      for index in own..<min(reader.usedFieldCount, survey.header.names.count) {
        var name = survey.header.names[index]
        name.withUTF8 { object.key($0) }
        if !reader.isLong {
          try reader.withField(index) { (field) throws in try object.text(field) }
        } else {
          try write(long: index, to: &object)
        }
      }
      object.endObject()
    }
  }

  private func write(long index: Int, to object: inout NestedWriter) throws {
    let count = reader.extent(index).count
    var pieces = pieces(index)
    if try count <= 64 << 10 || !isText(index) {
      let bytes = try whole(&pieces, count)
      return try bytes.withUnsafeBufferPointer { try object.text($0) }
    }
    object.beginText()
    try each(&pieces) { (piece) throws in try object.appendText(piece) }
    try object.endText()
  }

  private func isText(_ index: Int) throws -> Bool {
    var pieces = pieces(index)
    var validator = UTF8Validator()
    try each(&pieces) { validator.append($0) }
    return validator.isComplete
  }

  private func each(_ pieces: inout CSVFieldReader, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
    defer { buffer.deallocate() }
    while true {
      let count = try pieces.read(into: UnsafeMutableRawBufferPointer(buffer))
      if count == 0 { return }
      try body(UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
