import AccountExport
import JSONStreaming

/// The way of encoded values into a collection: each becomes a row of columns, of which later rows may bring more.
final class EncodedRows {
  private let encoder: RowEncoder
  private var index = KeyIndex()
  /// For each column, the entry of the present row.
  private var slots: [Int] = []
  private var names: [String] = []
  private var assembled = JSONWriter(capacity: 256)
  /// Rows that could not be encoded, by number from 1.
  private var failed: [(row: Int, detail: String)] = []
  private var failedCount = 0
  private var taken = 0

  /// So many rows that fail are named one by one.
  private static let namedFailures = 1000

  init(_ columns: [CollectionDescription.Column], limits: ExportLimits, secrets: SecretRules, encoding: RecordEncoding) {
    encoder = RowEncoder(limits: limits, secrets: secrets, encoding: encoding)
    for column in columns { add(column.name) }
  }

  /// Writes a row. A value that can't be encoded is taken note of, and its row left out.
  func write(_ value: some Encodable, to records: inout RecordWriter) throws {
    try Task.checkCancellation()
    taken += 1
    var refused: (any Error)?
    do {
      try encoder.encode(value) { root in
        // What fails from here on is not the value's fault.
        do { try put(root, into: &records) } catch { refused = error }
      }
    } catch {
      try Task.checkCancellation()
      failedCount += 1
      if failed.count < Self.namedFailures { failed.append((taken, encoder.sentence(of: error))) }
    }
    if let refused { throw refused }
  }

  /// Names what was left out.
  func tell(_ collection: String, in writer: inout EntryWriter) {
    for (row, detail) in failed {
      writer.omit("\(collection): record \(row)", .unreadable, count: 1, detail: detail)
    }
    if failedCount > failed.count {
      writer.omit("\(collection): further records", .unreadable, count: failedCount - failed.count)
    }
  }

  func close() { encoder.close() }

  // MARK: Columns

  private func add(_ name: String) {
    let key = RowEncoder.written(name)
    encoder.columns.append(key)
    key.withUnsafeBytes { index.add($0) }
    names.append(name)
    slots.append(-1)
  }

  /// Finds the column of each of the row's keys; new keys become columns.
  private func assign(_ root: Place, _ records: inout RecordWriter) {
    let isObject = root.state == .object
    if isObject && encoder.matched == root.entries.count && encoder.matched == slots.count && root.chance == .none {
      for column in slots.indices { slots[column] = column }
      return
    }
    for column in slots.indices { slots[column] = -1 }
    let known = slots.count
    if isObject {
      for (entry, value) in root.entries.enumerated() where !value.isReplaced { assign(entry, value, root.fragment) }
    } else {
      root.entries = [
        Place.Entry(
          keyStart: 0, valueStart: 0, valueEnd: root.fragment.json.count, isMoment: root.isMoment, redactions: root.fragment.redactions)
      ]
      assign(0, RowEncoder.written("value"), "value")
    }
    if slots.count > known { records.add(columns: names[known...].map { CollectionDescription.Column($0) }) }
  }

  private func assign(_ entry: Int, _ value: Place.Entry, _ fragment: Fragment) {
    let column = fragment.json.withBytes { find(UnsafeRawBufferPointer(rebasing: $0[value.keyStart..<value.valueStart])) }
    if let column { return slots[column] = entry }
    guard let name = value.name else { return }
    add(name)
    slots[slots.count - 1] = entry
  }

  private func assign(_ entry: Int, _ key: [UInt8], _ name: String) {
    if let column = key.withUnsafeBytes({ find($0) }) { return slots[column] = entry }
    add(name)
    slots[slots.count - 1] = entry
  }

  private func find(_ key: UnsafeRawBufferPointer) -> Int? {
    index.find(key) { column in encoder.columns[column].withUnsafeBytes { $0.isSame(as: key) } }
  }

  // MARK: Values

  private func put(_ root: Place, into records: inout RecordWriter) throws {
    assign(root, &records)
    let fragment = root.fragment
    try records.row { (row) throws in
      try fragment.json.withBytes { (bytes) throws in
        announce(root, bytes, to: &row)
        for column in slots.indices {
          if slots[column] < 0 { row.null() } else { try put(root.entries[slots[column]], fragment, bytes, into: &row) }
        }
      }
    }
  }

  /// Tells the texts that may make secrets of other values before any value is written.
  private func announce(_ root: Place, _ bytes: UnsafeRawBufferPointer, to row: inout RowWriter) {
    for column in slots.indices where slots[column] >= 0 && row.isNaming(column) {
      let entry = root.entries[slots[column]]
      JSONForm(UnsafeRawBufferPointer(rebasing: bytes[entry.valueStart..<entry.valueEnd])).withText { row.announce(column: column, $0) }
    }
  }

  private func put(_ entry: Place.Entry, _ fragment: Fragment, _ bytes: UnsafeRawBufferPointer, into row: inout RowWriter) throws {
    let value = UnsafeRawBufferPointer(rebasing: bytes[entry.valueStart..<entry.valueEnd])
    if !fragment.holes.isEmpty {
      let files = fragment.holes.filter { $0.offset >= entry.valueStart && $0.offset <= entry.valueEnd }
      if !files.isEmpty { return try put(entry, files, bytes, into: &row) }
    }
    let form = JSONForm(value)
    let kind = form.kind
    row.written(value, entry.isMoment && kind == .text ? .moment : kind, isMaskable: form.isMaskable, redactions: entry.redactions)
  }

  /// A value with bytes in it that get files of their own, unless all of it is masked.
  private func put(_ entry: Place.Entry, _ files: [Fragment.Hole], _ bytes: UnsafeRawBufferPointer, into row: inout RowWriter) throws {
    assembled.removeAll()
    assembled.resetStructure()
    var done = entry.valueStart
    var added: [(place: Int, file: WrittenFile)] = []
    for file in files {
      assembled.raw(UnsafeRawBufferPointer(rebasing: bytes[done..<file.offset]))
      done = file.offset
      guard case .file(let content) = file.content, !row.isNextMasked else { continue }
      let written = try content.withUnsafeBytes { try row.file($0) }
      added.append((assembled.count, written))
      assembled.resetStructure()
      assembled.beginObject()
      assembled.key("$file")
      assembled.string(written.path)
      assembled.key("bytes")
      assembled.integer(written.length)
      assembled.key("sha256")
      assembled.string(written.sha256)
      assembled.endObject()
    }
    assembled.raw(UnsafeRawBufferPointer(rebasing: bytes[done..<entry.valueEnd]))
    assembled.withBytes { value in
      row.written(value, JSONForm(value).kind ?? .object, isMaskable: true, redactions: entry.redactions, files: added)
    }
  }
}
