public import AccountExport
public import Files
public import NamedFiles
public import Ownership
import SQLiteReading

/// One store of records, a SQLite database file: one collection per table, rows in primary key order, values by their own storage class. A store that
/// belongs to one account is exported whole; of a shared one, what is the subject's is found by walking its foreign keys.
///
/// The store is read through a private snapshot that equals one committed state, even while others write to it; one that nobody has open
/// stays byte for byte as it was. What SQLite or a virtual table makes from other data (views, `sqlite_…`, shadow tables) is named as `derived`.
public struct RecordsSource: PlannableSource, SubjectWalking {
  /// `records/` and the store's name.
  public let name: String
  /// `sqlite`
  public var kind: String { "sqlite" }
  /// How long a writer that locks the store is waited for.
  public var patience: Duration = .seconds(10)
  /// Where the private copy lies that a plan with counts needs; its own folder in there is gone afterwards.
  public var planFolder: PathBytes = "/var/tmp"

  /// Whose rows are exported, of a store that others share; nil: the store is the subject's, all of it.
  public var subject: SubjectSelection?

  /// Columns whose texts name files, which go into the bundle with the rows. A Core Data store that is exported whole has no such columns.
  public var files: [FileColumn] = []

  private let store: PathBytes

  /// A store by the path of its main file; a link is followed. Its log and journal are found beside it.
  /// - Parameter name: What the store is called in the bundle; its file's name without the suffix where nil.
  public init(_ store: PathBytes, named name: String? = nil) {
    self.store = store
    self.name = "records/" + (name ?? Self.name(of: store))
  }

  static func name(of store: PathBytes) -> String {
    let bytes = store.lastComponent.bytes
    let stem = bytes.lastIndex(of: UInt8(ascii: ".")).map { $0 == bytes.startIndex ? bytes[...] : bytes[..<$0] } ?? bytes[...]
    return String(decoding: stem, as: UTF8.self)
  }

  /// Pushes every table of the store into the writer, and the files that its rows name.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    if !FileColumns.needPrograms(files) { return try await export(FileColumns(files), into: &writer) }
    try await FileColumns.export(files, into: &writer) { files, writer in
      try Task.checkCancellation()
      try await export(files, into: &writer)
    }
  }

  private func export(_ files: FileColumns, into writer: inout EntryWriter) async throws {
    let open = try await OpenStore.snapshot(of: store, in: writer.privateFolder(), patience: patience)
    writer.markSnapshot()
    writer.set(schema: .declared)
    try await decoder(for: open, files).export(open, into: &writer)
    if self.subject == nil { nameLeftover(of: open.externalStorage, in: &writer) }
  }

  /// Files of large values that no record has asked for are the store's all the same: they are named.
  private func nameLeftover(of storage: ExternalStorage, in writer: inout EntryWriter) {
    let detail = "a file of values that no record names; --documents exports its folder"
    do {
      let names = try storage.leftover()
      for name in names.prefix(Self.mostNames) { writer.omit("_EXTERNAL_DATA/" + name.display, .unclaimed, detail: detail) }
      if names.count > Self.mostNames { writer.omit("_EXTERNAL_DATA", .unclaimed, count: names.count - Self.mostNames, detail: detail) }
    } catch {
      writer.omit("_EXTERNAL_DATA", .unreadable, detail: String(describing: error))
    }
  }

  private static let mostNames = 1000

  private func decoder(for open: OpenStore, _ files: FileColumns) throws -> any StoreDecoder {
    if let subject { return SubjectTables(subject: subject, files: files) }
    return try StoreFormat.decoder(for: open, files)
  }

  /// The walk to the subject's rows, with its plan: for a shared store, else nil. It reads a private copy and writes nothing.
  public func walk() async throws -> Walk? {
    guard let subject else { return nil }
    let folder = try PlanFolder(in: planFolder)
    let open = try await OpenStore.snapshot(of: store, in: folder.path, patience: patience)
    return try SubjectTables(subject: subject, files: FileColumns(files)).walk(open).walk
  }

  /// The values of a column in the subject's own rows, read from a private copy.
  public func values(of place: String) async throws -> [String] {
    guard let subject else { throw ExportError(.configuration, "\(name) has no subject: all of it is one account's") }
    let folder = try PlanFolder(in: planFolder)
    let open = try await OpenStore.snapshot(of: store, in: folder.path, patience: patience)
    return try SubjectTables(subject: subject, files: FileColumns(files)).values(of: place, open)
  }

  /// The store's size; with `counts`, its tables and their rows, read from a private copy too.
  public func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    let needed = try OpenStore.translating(store) { () throws(SQLiteError) in try SQLiteSnapshot.bytesNeeded(for: store) }
    if depth == .sizes { return SourcePlan(bytes: needed, copiedBytes: needed) }
    let folder = try PlanFolder(in: planFolder)
    let open = try await OpenStore.snapshot(of: store, in: folder.path, patience: patience)
    var plan = try decoder(for: open, FileColumns(files)).plan(open)
    plan.copiedBytes = needed
    return plan
  }
}
