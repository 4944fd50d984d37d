import AccountExport
internal import CSVReading

/// A CSV file as a collection.
struct CSVStore {
  private let file: TextFile
  private let name: String
  private let options: FileStoreOptions
  private let suffix: String

  /// - Parameter suffix: The suffix of the file's name, in lower case: it may promise a delimiter.
  init(_ file: TextFile, _ name: String, _ options: FileStoreOptions, suffix: String) {
    (self.file, self.name, self.options, self.suffix) = (file, name, options, suffix)
  }

  /// Reads the file once for its columns, then for its rows.
  func export(into writer: inout EntryWriter) async throws {
    var survey = try CSVSurvey(file, options, suffix: suffix)
    survey.distrust(writer.secrets)
    let description = CollectionDescription(name, columns: survey.columns.map { CollectionDescription.Column($0) })
    var rows = CSVRows(file, survey, inlineBytes: writer.limits.inlineBytes)
    _ = try await writer.collection(description) { records in try rows.write(to: &records) }
    for change in survey.header.changes {
      writer.omit(
        "\(name): column \(change.column)" + (change.original.isEmpty ? "" : " (\(change.original))"), .irregular,
        detail:
          "its name was empty, not unique, too long, no UTF-8 or can't be relied on; it is called \(survey.header.names[change.column - 1])"
      )
    }
    rows.problems.tell(of: name, &writer)
  }

  /// Reads the file once, and counts.
  func plan() throws -> [SourcePlan.Part] {
    [SourcePlan.Part(name: name, items: try CSVSurvey(file, options, suffix: suffix).rows)]
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
  /// The column from which on no name can be relied on, since its quote has no end; nil where there is none.
  private(set) var brokenColumn: Int?

  static let limits = CSVLimits()
  private static let others = "other fields"

  init(_ file: TextFile, _ options: FileStoreOptions, suffix: String) throws {
    guess = try Self.guess(file, options, preferred: suffix == "tsv" || suffix == "tab" ? UInt8(ascii: "\t") : nil)
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
          try readHeader(reader, file)
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

  private static func guess(_ file: TextFile, _ options: FileStoreOptions, preferred: UInt8?) throws -> CSVDialect.Guess {
    var head = [UInt8](repeating: 0, count: 64 << 10)
    let count = try head.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    let dialect = CSVDialect(quote: options.quote, escape: options.escape)
    return head[..<count].withUnsafeBytes {
      dialect.guess(from: $0, isWhole: UInt64(count) == file.size, delimiter: options.delimiter, preferred: preferred)
    }
  }

  // MARK: The header

  private mutating func readHeader(_ reader: borrowing CSVReader, _ file: TextFile) throws {
    for index in 0..<reader.fieldCount {
      let name = try Self.name(index, reader, file)
      guard reader.problem == .unterminatedQuote, index == reader.fieldCount - 1 else {
        header.add(name, longest: Self.longestName)
        continue
      }
      // A quote without an end has taken the names behind it: as the rows have a field for each, each gets its column.
      brokenColumn = index
      for part in name.split(separator: reader.dialect.delimiter, omittingEmptySubsequences: false).prefix(Self.limits.fields - index) {
        header.add(Array(part), longest: Self.longestName)
      }
      expected = header.names.count
    }
  }

  /// Where a quote without an end makes names uncertain and one of them is a secret's, any column from there on may hold that: the others' names tell so, and mask them.
  mutating func distrust(_ secrets: SecretRules) {
    guard let broken = brokenColumn, let secret = header.names[broken...].first(where: { secrets.isSecret(name: $0) }) else { return }
    for index in broken..<header.names.count where !secrets.isSecret(name: header.names[index]) {
      let name = header.names[index] + " (\(secret))"
      header.rename(index, secrets.isSecret(name: name) ? name : secret)
    }
  }

  private static let longestName = 4096

  /// The bytes of a column's name, no more than can be of use: of one that takes others with it, all that may name them.
  private static func name(_ index: Int, _ reader: borrowing CSVReader, _ file: TextFile) throws -> [UInt8] {
    if !reader.isLong { return reader.withField(index) { Array($0) } }
    let isLast = reader.problem == .unterminatedQuote && index == reader.fieldCount - 1
    var pieces = CSVFieldReader(reader.extent(index), dialect: reader.dialect) { try file.read(into: $0, at: $1) }
    var name = [UInt8](repeating: 0, count: min(reader.extent(index).count, isLast ? limits.recordBytes : longestName + 1))
    var filled = 0
    while filled < name.count {
      let count = try name.withUnsafeMutableBytes { try pieces.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...])) }
      if count == 0 { break }
      filled += count
    }
    return Array(name[..<filled])
  }
}
