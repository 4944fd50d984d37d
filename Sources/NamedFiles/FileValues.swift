package import AccountExport
internal import Files
internal import Ownership
internal import Processes

/// The files that one collection's rows name, on their way into the bundle; and what is to be told of those that aren't inside.
package struct FileValues {
  /// What a column's texts are.
  enum Column {
    case plain
    /// They look like files by the column's name, which aren't inside for this reason.
    case watched(Omission.Reason)
    /// They are left out on purpose.
    case excluded(String)
    case files(any FileOrigin)

    init(_ place: FileColumn.Place?, otherwise reason: Omission.Reason?, _ wake: Wake?) {
      switch place {
      case nil: self = reason.map { .watched($0) } ?? .plain
      case .none(let reason)?: self = .excluded(reason)
      case .folder(let path)?: self = .files(FolderFiles(path))
      case .program(let program)?:
        guard let wake else { preconditionFailure("a program's files are exported by FileColumns.export") }
        self = .files(ProgramFiles(program, wake))
      }
    }

    var isPlain: Bool { if case .plain = self { true } else { false } }
  }

  private let columns: [Column]
  private let names: [String]
  /// Texts of each column that looked like files, or were left out.
  private var counts: [Int]
  private var problems: [FileObstacle: NamedCounts] = [:]
  /// Whether no column has to do with files.
  package let isIdle: Bool

  init(_ columns: [Column], names: [String]) {
    (self.columns, self.names) = (columns, names)
    counts = columns.map { _ in 0 }
    isIdle = columns.allSatisfy(\.isPlain)
  }

  /// Of rows that name none.
  package static var none: FileValues { FileValues([], names: []) }

  /// Whether a column's values are files.
  package func areFiles(_ column: Int) -> Bool { if case .files = columns[column] { true } else { false } }

  /// Whether a column's values must be looked at.
  package func concerns(_ column: Int) -> Bool { !columns[column].isPlain }

  /// Writes the file that a text names. Where it returns false, nothing is written and the text stands for itself: it names no file of ours, or is empty, or
  /// masked, or its file can't be had, which is told by `report`.
  package mutating func write<Sink: FileSink & ~Copyable>(
    _ name: UnsafeBufferPointer<UInt8>, at column: Int, to sink: inout Sink
  ) throws -> Bool {
    switch columns[column] {
    case .plain: return false
    case .watched:
      if FileColumnRules.looksLikeFile(name) { counts[column] += 1 }
      return false
    case .excluded:
      counts[column] += 1
      return false
    case .files(let origin):
      if name.isEmpty || sink.hides(name) { return false }
      return try write(name, at: column, from: origin, to: &sink)
    }
  }

  private mutating func write<Sink: FileSink & ~Copyable>(
    _ name: UnsafeBufferPointer<UInt8>, at column: Int, from origin: any FileOrigin, to sink: inout Sink
  ) throws -> Bool {
    do {
      let told = try origin.read(name) { (read) throws in try sink.file(named: name, read) }
      if let told { note(told, name, column) }
      return true
    } catch let obstacle as FileObstacle {
      note(obstacle, name, column)
      guard obstacle == .missing, let text = String(validating: name, as: UTF8.self) else { return false }
      sink.missing(text)
      return true
    } catch let error as FileError {
      note(FileObstacle(error), name, column)
      return false
    }
  }

  private mutating func note(_ obstacle: FileObstacle, _ name: UnsafeBufferPointer<UInt8>, _ column: Int) {
    problems[obstacle, default: NamedCounts()].add(String(decoding: name.prefix(200), as: UTF8.self), else: names[column])
  }

  /// Counts a value that is no text, so no file's name; it stands for itself.
  package mutating func noteNoName(at column: Int) {
    if areFiles(column) { problems[.noName, default: NamedCounts()].add(names[column], else: names[column]) }
  }

  /// Names what isn't inside.
  package func report(to writer: inout EntryWriter) {
    for obstacle in problems.keys.sorted(by: { ($0.reason.name, $0.detail) < ($1.reason.name, $1.detail) }) {
      for (name, count) in problems[obstacle]?.sorted ?? [] { writer.omit(name, obstacle.reason, count: count, detail: obstacle.detail) }
    }
    for column in columns.indices where counts[column] > 0 {
      switch columns[column] {
      case .excluded(let reason): writer.omit(names[column], .excluded, count: counts[column], detail: reason)
      case .watched(let reason): writer.omit(names[column], reason, count: counts[column], detail: Self.hint)
      case .plain, .files: continue
      }
    }
  }

  private static let hint = "it looks as if it named files; `files` of the store's configuration says where they are, or that it doesn't"
}
