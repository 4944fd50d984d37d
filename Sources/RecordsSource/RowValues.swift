import AccountExport
import NamedFiles
import SQLiteReading

/// The way of a table's rows into a collection: step, then each value from SQLite's memory into the row's.
struct RowValues: ~Copyable {
  private var reader: SQLiteTableReader
  private let store: OpenStore
  private let inlineBytes: Int
  private let columnCount: Int
  /// The files that the rows name.
  private(set) var files: FileValues

  init(reader: consuming SQLiteTableReader, store: OpenStore, files: FileValues = .none, inlineBytes: Int) {
    columnCount = reader.columns.count
    self.reader = reader
    self.store = store
    self.files = files
    self.inlineBytes = inlineBytes
  }

  /// Writes all rows.
  mutating func write(to records: inout RecordWriter) throws {
    while try reader.next(in: store.snapshot) {
      try records.row { (row) throws in try write(to: &row) }
    }
  }

  private mutating func write(to row: inout RowWriter) throws {
    for column in 0..<columnCount {
      let cell = try reader.cell(at: column)
      if !files.isIdle, try write(fileNamedBy: cell, at: column, to: &row) { continue }
      switch cell {
      case .null: row.null()
      case .integer(let value): row.integer(value)
      case .real(let value): row.real(value)
      case .text(let bytes): try write(text: bytes, to: &row)
      case .invalidText(let bytes), .blob(let bytes): try row.bytes(bytes)
      case .large(let value): try write(value, at: column, to: &row)
      }
    }
  }

  /// Writes the file that a value names; false, and nothing is written, where it names none that is there.
  private mutating func write(fileNamedBy cell: SQLiteCell, at column: Int, to row: inout RowWriter) throws -> Bool {
    switch cell {
    case .null: return false
    case .text(let bytes), .invalidText(let bytes): return try files.write(bytes.bindMemory(to: UInt8.self), at: column, to: &row)
    case .integer, .real, .blob, .large:
      files.noteNoName(at: column)
      return false
    }
  }

  /// A text that is no UTF-8 is bytes like others where it is long: in a file of its own.
  private func write(text bytes: UnsafeRawBufferPointer, to row: inout RowWriter) throws {
    if bytes.count > inlineBytes && !SQLiteCell.isValidUTF8(bytes) { return try row.bytes(bytes) }
    row.text(bytes.bindMemory(to: UInt8.self))
  }

  private mutating func write(_ value: SQLiteLargeValue, at column: Int, to row: inout RowWriter) throws {
    if value.kind == .text {
      try announceNames(after: column, to: &row)
      if try value.isValidText() {
        var pieces = value.text()
        if try row.largeText({ try pieces.read(into: $0) }) { return }
      }
    }
    var pieces = value.bytes()
    try row.largeBytes(count: value.byteCount) { try pieces.read(into: $0) }
  }

  /// A later column may say that this value, or one before it, is a secret; once a long text is written, neither could be taken back.
  private mutating func announceNames(after column: Int, to row: inout RowWriter) throws {
    for named in 0...column {
      guard let naming = row.namingColumn(of: named), naming > column else { continue }
      if case .text(let name) = try reader.cell(at: naming) { row.announce(column: naming, name.bindMemory(to: UInt8.self)) }
    }
  }
}
