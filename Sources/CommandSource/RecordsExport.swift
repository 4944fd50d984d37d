internal import AccountExport
internal import Files

/// The way of a program's records into the bundle, by the protocol.
struct RecordsExport: ~Copyable {
  /// What the program says next.
  enum Step {
    case record
    case collection(CollectionHeader)
    case end
  }

  private let folder: PathBytes
  private var feed: LineFeed
  private var names: Set<[UInt8]> = []
  /// Lines that begin a record, the ones that can't be taken too.
  private var recordLines: UInt64 = 0
  private var problems = Problems()
  private var strays = Problems()
  private var omissions: [ToldOmission] = []
  private var snapshot: Timestamp?
  private var isDeclared = true

  /// Omissions that are kept until the collection ends that is being read.
  private static let mostOmissions = 10_000

  /// - Parameter folder: Where long lines, and collections whose columns aren't declared, lie meanwhile.
  init(folder: PathBytes, limits: ExportLimits) {
    self.folder = folder
    // The message and the record are objects around the values.
    feed = LineFeed(folder: folder, depth: limits.depth + 2)
  }

  /// Reads all that the program writes.
  mutating func run(_ program: inout RunningProgram, _ writer: inout EntryWriter) async throws {
    do {
      try greet(&program)
      var step = try next(&program)
      while case .collection(let header) = step {
        try claim(header)
        do { step = try await export(header, &program, &writer) } catch {
          tell(of: header.name, &writer)
          throw error
        }
        tell(of: header.name, &writer)
      }
      if case .record = step { throw ProgramFailure(line: feed.number, "a record comes before any collection") }
      if try feed.next(&program) != nil { throw ProgramFailure(line: feed.number, "something follows the end") }
      finish(&writer)
    } catch {
      finish(&writer)
      throw error
    }
  }

  private mutating func finish(_ writer: inout EntryWriter) {
    tell(of: "(records)", &writer)
    strays.tell(as: "(lines)", &writer)
    if let snapshot { writer.markSnapshot(at: snapshot) }
    if !names.isEmpty { writer.set(schema: isDeclared ? .declared : .inferred) }
  }

  private mutating func tell(of name: String, _ writer: inout EntryWriter) {
    problems.tell(as: name, &writer)
    for omission in omissions {
      writer.omit(omission.path, omission.reason, count: omission.count, bytes: omission.bytes, detail: omission.detail)
    }
    omissions = []
  }

  // MARK: Steps

  /// The first line says which version is spoken.
  private mutating func greet(_ program: inout RunningProgram) throws {
    guard let line = try feed.next(&program) else { throw ProgramFailure("it wrote nothing") }
    guard case .other = line, let text = feed.text.memory, case .version(let version) = try Message(text, number: feed.number) else {
      throw ProgramFailure(line: feed.number, "the output does not begin with {\"protocol\": \(CommandSource.protocolVersion)}")
    }
    if version != CommandSource.protocolVersion {
      throw ProgramFailure(
        line: feed.number, "it speaks version \(version) of the protocol, this is version \(CommandSource.protocolVersion)")
    }
  }

  /// Goes on to the next record, collection or end; takes what lies between.
  private mutating func next(_ program: inout RunningProgram) throws -> Step {
    while let line = try feed.next(&program) {
      switch line {
      case .record:
        recordLines += 1
        return .record
      case .damaged(let problem):
        recordLines += 1
        problems.add(line: feed.number, problem)
      case .other:
        if let step = try take(feed.text) { return step }
      }
    }
    throw ProgramFailure("its output ended \(feed.isCut ? "in the middle of line" : "after line") \(feed.number), without {\"end\": true}")
  }

  private mutating func take(_ text: LineText) throws -> Step? {
    guard let bytes = text.memory, let message = try Message(bytes, number: feed.number) else {
      strays.add(line: feed.number, "it is no message of the protocol")
      return nil
    }
    switch message {
    case .version: throw ProgramFailure(line: feed.number, "the protocol's version comes twice")
    case .collection(let header): return .collection(header)
    case .omission(let omission):
      if omissions.count >= Self.mostOmissions {
        throw ProgramFailure(line: feed.number, "there are too many omissions; count them together")
      }
      omissions.append(omission)
    case .snapshot(let moment): snapshot = moment
    case .end(let records):
      if let records, records != recordLines {
        throw ProgramFailure(line: feed.number, "it says that it wrote \(records) records, and \(recordLines) came")
      }
      return .end
    }
    return nil
  }

  private mutating func claim(_ header: CollectionHeader) throws(ProgramFailure) {
    if !names.insert(Array(header.name.utf8)).inserted {
      throw ProgramFailure(line: feed.number, "a collection comes a second time: its records have to stand together")
    }
    if header.columns == nil { isDeclared = false }
  }

  // MARK: Collections

  private mutating func export(
    _ header: CollectionHeader, _ program: inout RunningProgram, _ writer: inout EntryWriter
  ) async throws -> Step {
    guard let columns = header.columns else { return try await exportUndeclared(header, &program, &writer) }
    var step = Step.end
    var copy = RecordCopy(ColumnIndex(columns.map { Array($0.name.utf8) }), moments: columns.map(\.isMoment))
    var keys = PrimaryKeyCheck(header.primaryKey.compactMap { name in columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } })
    let outcome = try await writer.collection(header.description(columns: columns.map(\.name))) { records in
      step = try write(&copy, &keys, &program, to: &records)
    }
    tell(copy, header, &writer)
    if let failure = outcome.failure { throw failure }
    return step
  }

  /// Writes the records that come until something else does.
  private mutating func write(
    _ copy: inout RecordCopy, _ keys: inout PrimaryKeyCheck, _ program: inout RunningProgram, to records: inout RecordWriter
  ) throws -> Step {
    while true {
      let step = try next(&program)
      guard case .record = step else { return step }
      do {
        try copy.write(feed.text, value: feed.value, to: &records, &keys)
      } catch let problem as RecordProblem {
        problems.add(line: feed.number, problem.description)
      }
    }
  }

  /// Columns that aren't declared are known at the end only: the records wait on the disk until then.
  private mutating func exportUndeclared(
    _ header: CollectionHeader, _ program: inout RunningProgram, _ writer: inout EntryWriter
  ) async throws -> Step {
    var kept = try KeptRecords(in: folder)
    var failure: (any Error)?
    var step = Step.end
    do {
      while true {
        step = try next(&program)
        guard case .record = step else { break }
        do { try kept.add(feed.text, value: feed.value, line: feed.number) } catch let problem as RecordProblem {
          problems.add(line: feed.number, problem.description)
        }
      }
    } catch {
      failure = error
    }
    let names = kept.columns.names.map { String(decoding: $0, as: UTF8.self) }
    var copy = RecordCopy(kept.columns, moments: names.map { _ in false })
    let outcome = try await writer.collection(header.description(columns: names)) { records in
      try kept.write(&copy, to: &records, &problems)
      if let failure { throw failure }
    }
    tell(copy, header, &writer)
    if let failure = outcome.failure { throw failure }
    return step
  }

  private func tell(_ copy: borrowing RecordCopy, _ header: CollectionHeader, _ writer: inout EntryWriter) {
    if copy.missingFiles > 0 { writer.omit(header.name, .missingFile, count: copy.missingFiles) }
  }
}
