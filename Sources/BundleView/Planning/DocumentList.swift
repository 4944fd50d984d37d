internal import AccountExport

/// One row of `documents.json`, looked into where it stands.
struct DocumentRow {
  /// Its place in `documents.json`, from 1.
  let ordinal: Int
  let path: JSONItem, kind: JSONItem, bytes: JSONItem, file: JSONItem, target: JSONItem, modified: JSONItem

  init?(_ fields: RowFields, ordinal: Int) {
    let values = fields.values
    guard values.count >= 8 else { return nil }
    self.ordinal = ordinal
    (path, kind, bytes) = (JSONItem(bytes: values[0]), JSONItem(bytes: values[1]), JSONItem(bytes: values[2]))
    (file, target, modified) = (JSONItem(bytes: values[4]), JSONItem(bytes: values[5]), JSONItem(bytes: values[7]))
  }

  var isFolder: Bool { ("folder" as StaticString).isSame(as: kind.text) }
  var isFile: Bool { ("file" as StaticString).isSame(as: kind.text) }
  var size: UInt64 { bytes.isNumber ? UInt64(bytes.digits) ?? 0 : 0 }

  /// The path that it is shown by: its own, or where that is no text, the one that it has in the bundle.
  var shownPath: UnsafeRawBufferPointer {
    if path.isText { return path.text }
    guard file.isText else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    // Behind `documents/<root>/`.
    let parts = file.text.split(separator: UInt8(ascii: "/"), maxSplits: 2)
    return parts.count == 3 ? UnsafeRawBufferPointer(rebasing: file.text[parts[2].startIndex...]) : file.text
  }

  var isLinked: Bool { file.isText && FileKind.isLinked(file.text) }
  var fileKind: FileKind { file.isText ? FileKind(path: file.text) : .other }
}

/// Reads the rows of all sources of documents, in the order of `documents.json`.
struct DocumentReader: ~Copyable {
  private let sources: [KeptBytes]
  private var place = 0
  private var reader: RowReader?
  private var fields = RowFields()
  private var ordinal = 0

  init(_ bundle: PagedBundle) { sources = bundle.sources.compactMap(\.documents) }

  /// Gives the next row and which source it is from, both valid in `body` only; false where there is none.
  mutating func next(_ body: (DocumentRow, _ source: Int) throws -> Void) throws -> Bool {
    while place < sources.count {
      if reader == nil { reader = RowReader(sources[place]) }
      if let line = try reader?.next() {
        ordinal += 1
        fields.split(line)
        if let row = DocumentRow(fields, ordinal: ordinal) { try body(row, place) }
        return true
      }
      reader = nil
      place += 1
    }
    return false
  }
}

/// What the rows of all documents come to.
struct DocumentList {
  /// All rows; those that are shown as one entry each; files; pictures among them.
  private(set) var count = 0, entries = 0, files = 0, pictures = 0
  /// Bytes by kind.
  private(set) var bytes: [FileKind: UInt64] = [:]
  /// How many entries lie below each folder, by the hash of its path.
  private var below: [UInt64: Int] = [:]
  /// The hashes of folders, while they are counted.
  private var folders: [UInt64] = []

  private static let maximumFolders = 200_000

  init(_ bundle: PagedBundle) throws {
    var reader = DocumentReader(bundle)
    var list = Self()
    while try reader.next({ row, source in list.add(row, source) }) {}
    // Folders that hold something are no entries of their own.
    list.entries = list.count - list.folders.count { list.below[$0] != nil }
    list.folders = []
    self = list
  }

  private init() {}

  private mutating func add(_ row: DocumentRow, _ source: Int) {
    count += 1
    let path = row.shownPath
    var hash = Self.seed(source)
    for byte in path {
      if byte == UInt8(ascii: "/"), below.count < Self.maximumFolders || below[hash] != nil {
        below[hash, default: 0] += row.isFolder ? 0 : 1
      }
      hash = FNV1a.add(byte, to: hash)
    }
    if row.isFolder { folders.append(hash) }
    guard row.isFile else { return }
    files += 1
    guard row.file.isText else { return }
    let kind = row.fileKind
    if kind == .picture { pictures += 1 }
    bytes[kind, default: 0] += row.size
  }

  private static func seed(_ source: Int) -> UInt64 { FNV1a.basis ^ UInt64(source) &* 0x9E37_79B9_7F4A_7C15 }

  private static func hash(_ path: some Sequence<UInt8>, _ source: Int) -> UInt64 {
    path.reduce(seed(source)) { FNV1a.add($1, to: $0) }
  }

  /// Whether a row is shown by itself, and not only as the folder that others lie in.
  func isEntry(_ row: DocumentRow, _ source: Int) -> Bool { !(row.isFolder && below[Self.hash(row.shownPath, source)] != nil) }

  /// How many entries lie in a folder and below; nil where that wasn't counted.
  func entries(below folder: some Sequence<UInt8>, _ source: Int) -> Int? { below[Self.hash(folder, source)] }
}
