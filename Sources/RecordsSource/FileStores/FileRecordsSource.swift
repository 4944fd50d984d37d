public import AccountExport
public import Files
import TextDecoding

/// A file of records: JSON, NDJSON or CSV, streamed, whatever its size. It belongs to one account and is exported whole.
///
/// Each is read twice: first for the columns, since every row of a collection has every key; then for the rows. A key that a row lacks is null there. Where a file
/// changes meanwhile, that is named as `changed`. What a line holds that can't be read is left out and named by the line's number, and the rest goes on. Secrets are
/// masked by the names of columns, and of keys at any depth.
///
/// **CSV**: one collection, named as the file. Values are text, always: `007` stays `"007"`, an empty field is `""`, in quotes or not. A record with too few fields has null
/// for the rest; fields beyond the header's get columns of their own (`column 7`); both are named as `irregular`. So is a column whose name is empty, comes
/// twice (`column 3`, `name-2`), is no UTF-8 or longer than 4,096 bytes. Where a quote in the header has no end, each name behind it has its column, and if one of them is a
/// secret's, all of these are masked. Files named `.tsv` and `.tab` are split by tabs where that fits. Empty lines are passed over, and so are columns at the end that have neither a name nor a value. Text that is no UTF-8 keeps its bytes.
///
/// **JSON**: an array is one collection, a row an object. An object whose members are arrays is a collection of each; so are, of any other object, the arrays that hold
/// objects, and the rest of it is one row. Numbers keep their digits. A key that comes twice in a row has a column for each (`name-2`). A row that is no object is one of
/// the column `value`. **NDJSON**: one collection, a row a line; objects over several lines, one after another, are read too.
/// A line that is no JSON is named once and makes no column; where it begins with good objects, those are kept.
///
/// A row has at most 1,000 columns of its own in JSON, and fewer where rows have little in common; what is beyond stands as an object in the column `other keys`, or `other fields`.
public struct FileRecordsSource: PlannableSource {
  /// `records/` and the file's name, without its suffix.
  public let name: String
  /// `csv`, `json` or `ndjson`
  public var kind: String { format.rawValue }
  /// The format that is read.
  public let format: FileStoreFormat
  /// Where the copy lies that a plan needs of a text that is not UTF-8; its own folder in there is gone afterwards.
  public var planFolder: PathBytes = "/var/tmp"

  private let path: PathBytes
  private let options: FileStoreOptions

  /// A file of a known format.
  /// - Parameters:
  ///   - path: The file; a link is followed.
  ///   - name: What the store is called in the bundle; the file's name without its suffix where nil.
  public init(_ path: PathBytes, format: FileStoreFormat, named name: String? = nil, options: FileStoreOptions = FileStoreOptions()) {
    (self.path, self.format, self.options) = (path, format, options)
    self.name = "records/" + (name ?? RecordsSource.name(of: path))
  }

  /// A file whose format is told by the options, or by what it holds; nil where that is for `RecordsSource`: a SQLite store, or what is neither.
  public init?(recognising path: PathBytes, named name: String? = nil, options: FileStoreOptions = FileStoreOptions()) throws(FileError) {
    if let format = options.format {
      self.init(path, format: format, named: name, options: options)
      return
    }
    let file = try FileDescriptor.reading(path, following: true)
    guard try file.status().kind == .file else { return nil }
    let head = try StoreHead(of: file, encoding: options.encoding)
    guard let format = FileStoreFormat.recognised(head, suffix: FileStoreFormat.suffix(of: path)) else { return nil }
    self.init(path, format: format, named: name, options: options)
  }

  private var suffix: String { FileStoreFormat.suffix(of: path) }
  private var storeName: String { String(name.dropFirst("records/".count)) }

  // MARK: Export

  /// Pushes every record of the file into the writer.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    let file = try TextFile(path, encoding: options.encoding) { try writer.privateFolder() }
    writer.set(schema: .inferred)
    switch format {
    case .csv: try await CSVStore(file, storeName, options, suffix: suffix).export(into: &writer)
    case .json, .ndjson: try await JSONStore(file, storeName, isLines: format == .ndjson).export(into: &writer)
    }
    if file.isCut { writer.omit(storeName, .failed, detail: "the text ends within a character") }
    if try file.hasChanged() { writer.omit(path: path.lastComponent, .changed, detail: "it changed while it was read") }
  }

  // MARK: Plan

  /// The file's size; with `counts`, its collections and their rows, for which it is read once.
  public func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    let original = try FileDescriptor.reading(path, following: true)
    let size = try original.status().size
    let copied = TextFile.copySize(of: size, try StoreHead(of: original, encoding: options.encoding).encoding)
    if depth == .sizes { return SourcePlan(bytes: size, copiedBytes: copied) }
    let folder = try PlanFolder(in: planFolder)
    let file = try TextFile(path, encoding: options.encoding) { folder.path }
    let parts =
      switch format {
      case .csv: try CSVStore(file, storeName, options, suffix: suffix).plan()
      case .json, .ndjson: try JSONStore(file, storeName, isLines: format == .ndjson).plan()
      }
    let items = parts.reduce(0) { $0 + ($1.items ?? 0) }
    return SourcePlan(items: items, bytes: size, copiedBytes: copied, parts: parts)
  }
}
