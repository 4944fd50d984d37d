import AccountExport
internal import CSVReading

/// A CSV file as a collection.
struct CSVStore {
  private let file: TextFile
  private let name: String
  private let options: FileStoreOptions

  init(_ file: TextFile, _ name: String, _ options: FileStoreOptions) {
    (self.file, self.name, self.options) = (file, name, options)
  }

  /// Reads the file once for its columns, then for its rows.
  func export(into writer: inout EntryWriter) async throws {
    let survey = try CSVSurvey(file, options)
    let description = CollectionDescription(name, columns: survey.columns.map { CollectionDescription.Column($0) })
    var rows = CSVRows(file, survey, inlineBytes: writer.limits.inlineBytes)
    _ = try await writer.collection(description) { records in try rows.write(to: &records) }
    for change in survey.header.changes {
      writer.omit(
        "\(name): column \(change.column)" + (change.original.isEmpty ? "" : " (\(change.original))"), .irregular,
        detail: "its name was empty or not unique; it is called \(survey.header.names[change.column - 1])")
    }
    rows.problems.tell(of: name, &writer)
  }

  /// Reads the file once, and counts.
  func plan() throws -> [SourcePlan.Part] {
    [SourcePlan.Part(name: name, items: try CSVSurvey(file, options).rows)]
  }
}

/// What a first reading of a CSV file tells: its dialect and its columns.
struct CSVSurvey {
  let guess: CSVDialect.Guess
  let hasHeader: Bool
  /// The names of all columns.
  private(set) var header = CSVHeader()
  /// How many fields a record should have.
  private(set) var expected = 0
  /// How many columns are keys of each row; the rest stands in one more.
  private(set) var ownColumns = 0
  private(set) var rows = 0

  static let limits = CSVLimits()
  private static let others = "other fields"

  init(_ file: TextFile, _ options: FileStoreOptions) throws {
    guess = try Self.guess(file, options)
    hasHeader = options.hasHeader
    var reader = CSVReader(dialect: guess.dialect, limits: Self.limits, at: UInt64(guess.offset), line: guess.line) { buffer, offset in
      try file.read(into: buffer, at: offset)
    }
    var (widest, fields, isFirst) = (0, 0, true)
    while try reader.nextRecord() {
      if isFirst {
        isFirst = false
        expected = reader.usedFieldCount
        if hasHeader {
          for index in 0..<reader.fieldCount { header.add(try Self.name(index, reader, file)) }
          continue
        }
      }
      rows += 1
      fields += reader.fieldCount
      widest = max(widest, reader.usedFieldCount)
      if rows & 4095 == 0 { try Task.checkCancellation() }
    }
    header.narrow(to: max(expected, widest))
    header.widen(to: max(expected, widest))
    ownColumns = min(header.names.count, ColumnBudget.columns(rows: rows, values: fields))
  }

  /// The keys of each row.
  var columns: [String] {
    if ownColumns == header.names.count { return header.names }
    var names = header
    names.narrow(to: ownColumns)
    names.add(Self.others)
    return names.names
  }

  private static func guess(_ file: TextFile, _ options: FileStoreOptions) throws -> CSVDialect.Guess {
    var head = [UInt8](repeating: 0, count: 64 << 10)
    let count = try head.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    let dialect = CSVDialect(quote: options.quote, escape: options.escape)
    return head[..<count].withUnsafeBytes { dialect.guess(from: $0, isWhole: UInt64(count) == file.size, delimiter: options.delimiter) }
  }

  /// A column's name, of which no more is taken than a name can use.
  private static func name(_ index: Int, _ reader: borrowing CSVReader, _ file: TextFile) throws -> String {
    let longest = 4096
    if !reader.isLong { return reader.withField(index) { String(decoding: $0.prefix(longest), as: UTF8.self) } }
    var pieces = CSVFieldReader(reader.extent(index), dialect: reader.dialect) { try file.read(into: $0, at: $1) }
    var name = [UInt8](repeating: 0, count: longest)
    let count = try name.withUnsafeMutableBytes { try pieces.read(into: $0) }
    return String(decoding: name[..<count], as: UTF8.self)
  }
}
