import AccountExport
import SQLiteReading

/// The way of a table's rows into a collection: step, then each value from SQLite's memory into the row's.
struct RowValues: ~Copyable {
  private var reader: SQLiteTableReader
  private let store: OpenStore
  private let inlineBytes: Int
  private let columnCount: Int

  init(reader: consuming SQLiteTableReader, store: OpenStore, inlineBytes: Int) {
    columnCount = reader.columns.count
    self.reader = reader
    self.store = store
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
      switch try reader.cell(at: column) {
      case .null: row.null()
      case .integer(let value): row.integer(value)
      case .real(let value): row.real(value)
      case .text(let bytes): try write(text: bytes, to: &row)
      case .invalidText(let bytes), .blob(let bytes): try row.bytes(bytes)
      case .large(let value): try write(value, at: column, to: &row)
      }
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
