import AccountExport
import CoreDataModel
import SQLiteReading

/// The values of attributes, from SQLite's memory into the row's.
struct AttributeValues {
  let name: String
  let binaries: BinaryValues
  let inlineBytes: Int
  /// Of each column of the collection, the column of the table that is read for it.
  let cells: [Int?]

  /// Writes one attribute of the current row.
  func write(
    _ attribute: ManagedObjectModel.Attribute, at cell: Int, _ reader: inout SQLiteTableReader, to row: inout RowWriter,
    _ problems: inout RecordProblems
  ) throws {
    let value = try reader.cell(at: cell)
    if case .text(let bytes) = value, bytes.count > inlineBytes, !SQLiteCell.isValidUTF8(bytes) { return try row.bytes(bytes) }
    if try ScalarForm(type: attribute.type).write(value, to: &row) { return }
    switch value {
    case .invalidText(let bytes): try row.bytes(bytes)
    case .blob(let bytes): try write(bytes, attribute, cell, &reader, to: &row, &problems)
    case .large(let value): try write(value, attribute, &reader, to: &row)
    default: break  // written above
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, _ attribute: ManagedObjectModel.Attribute, _ cell: Int, _ reader: inout SQLiteTableReader,
    to row: inout RowWriter, _ problems: inout RecordProblems
  ) throws {
    switch BinaryValues.content(of: attribute, bytes) {
    case .file(let file):
      try announceNames(after: row.column, &reader, to: &row)
      try binaries.write(file: file, name + "." + attribute.name, to: &row, &problems)
    case .here(let skipped):
      let content = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
      guard ArchivedBytes.mayBeArchive(content) else { return try row.bytes(content) }
      if content.count <= inlineBytes { return try ArchivedBytes.write(content, to: &row) }
      try announceNames(after: row.column, &reader, to: &row)
      // Looking at the siblings may have moved the bytes.
      guard case .blob(let bytes) = try reader.cell(at: cell) else { throw ToOneLinks.OutOfStep() }
      try ArchivedBytes.write(UnsafeRawBufferPointer(rebasing: bytes[skipped...]), to: &row)
    }
  }

  /// A value that is too long to be loaded with its row.
  private func write(
    _ value: SQLiteLargeValue, _ attribute: ManagedObjectModel.Attribute, _ reader: inout SQLiteTableReader, to row: inout RowWriter
  ) throws {
    try announceNames(after: row.column, &reader, to: &row)
    if value.kind == .text {
      if try value.isValidText() {
        var pieces = value.text()
        if try row.largeText({ try pieces.read(into: $0) }) { return }
      }
      var pieces = value.bytes()
      return try row.largeBytes(count: value.byteCount) { try pieces.read(into: $0) }
    }
    let head = try value.head()
    var skipped = 0
    // The name of a file is never that long: such a value is only bytes.
    if case .here(let marker) = head.withUnsafeBytes({ BinaryValues.content(of: attribute, $0) }) { skipped = marker }
    let isArchive = head.withUnsafeBytes { ArchivedBytes.mayBeArchive(UnsafeRawBufferPointer(rebasing: $0[skipped...])) }
    if isArchive, value.byteCount <= ArchivedBytes.mostBytes {
      return try value.contents(after: skipped).withUnsafeBytes { try ArchivedBytes.write($0, to: &row) }
    }
    var pieces = value.bytes()
    if skipped > 0 { _ = try withUnsafeTemporaryAllocation(byteCount: skipped, alignment: 1) { try pieces.read(into: $0) } }
    try row.largeBytes(count: value.byteCount - skipped) { try pieces.read(into: $0) }
  }

  /// A later column may say that this value, or one before it, is a secret; once what is long is written, neither could be taken back.
  private func announceNames(after column: Int, _ reader: inout SQLiteTableReader, to row: inout RowWriter) throws {
    for named in 0...column {
      guard let naming = row.namingColumn(of: named), naming > column, let cell = cells[naming] else { continue }
      if case .text(let name) = try reader.cell(at: cell) { row.announce(column: naming, name.bindMemory(to: UInt8.self)) }
    }
  }

  // MARK: Composite attributes

  /// Writes a composite attribute: an object with a key for each part.
  func write(_ parts: [EntityLayout.Part], _ reader: inout SQLiteTableReader, to row: inout RowWriter, _ problems: inout RecordProblems)
    throws
  {
    try row.nested { nested in try write(parts, &reader, to: &nested, &problems) }
  }

  private func write(
    _ parts: [EntityLayout.Part], _ reader: inout SQLiteTableReader, to nested: inout NestedWriter, _ problems: inout RecordProblems
  ) throws {
    try nested.beginObject()
    for part in parts {
      var key = part.name
      key.withUTF8 { nested.key($0) }
      switch part.content {
      case .composite(let parts): try write(parts, &reader, to: &nested, &problems)
      case .attribute(let attribute, let cell): try write(attribute, try reader.cell(at: cell), to: &nested, &problems)
      case .toOne, .toMany: nested.null()  // an attribute has none
      }
    }
    nested.endObject()
  }

  private func write(
    _ attribute: ManagedObjectModel.Attribute, _ cell: SQLiteCell, to nested: inout NestedWriter, _ problems: inout RecordProblems
  ) throws {
    if try ScalarForm(type: attribute.type).write(cell, to: &nested) { return }
    switch cell {
    case .invalidText(let bytes): try nested.bytes(bytes)
    case .blob(let bytes): try write(bytes, attribute, to: &nested, &problems)
    // Within another value, a long one must be held as a whole.
    case .large(let value):
      try value.contents(after: 0).withUnsafeBytes { bytes in
        if value.kind == .text {
          try nested.text(bytes.bindMemory(to: UInt8.self))
        } else {
          try write(bytes, attribute, to: &nested, &problems)
        }
      }
    default: break  // written above
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, _ attribute: ManagedObjectModel.Attribute, to nested: inout NestedWriter,
    _ problems: inout RecordProblems
  ) throws {
    switch BinaryValues.content(of: attribute, bytes) {
    case .here(let skipped):
      try ArchivedBytes.write(UnsafeRawBufferPointer(rebasing: bytes[skipped...]), isLarge: false, to: &nested)
    case .file(let file):
      if let contents = try binaries.contents(file: file) {
        return try contents.withUnsafeBytes { try ArchivedBytes.write($0, isLarge: false, to: &nested) }
      }
      let shown = String(decoding: file, as: UTF8.self)
      problems.noteMissing(file: shown, in: name + "." + attribute.name)
      nested.missing(shown)
    }
  }
}
