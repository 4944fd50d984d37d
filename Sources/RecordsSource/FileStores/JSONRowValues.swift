import AccountExport
import JSONReading
import SQLiteReading

/// The way of a JSON text's rows into a collection.
struct JSONRowValues: ~Copyable {
  private(set) var rows: JSONRows
  private let layout: JSONColumns.Layout
  private let limits: ExportLimits
  private var text = JSONStringText()

  init(_ rows: consuming JSONRows, _ layout: JSONColumns.Layout, _ limits: ExportLimits) {
    (self.layout, self.limits) = (layout, limits)
    self.rows = rows
  }

  /// Writes all rows. A row that can't be written is taken back whole and named.
  mutating func write(to records: inout RecordWriter) throws {
    while try rows.nextRow() {
      do { try records.row { (row) throws in try write(to: &row) } } catch {
        guard let reason = Self.reason(of: error) else { throw error }
        rows.reject(reason, detail(error))
      }
    }
    if let failure = rows.failure { throw failure }
  }

  /// Why a row can't be written; nil where that is no fault of the row.
  private static func reason(of error: any Error) -> Omission.Reason? {
    if let error = error as? JSONError { return error.code == .tooDeep ? .limit : .unreadable }
    if error is JSONFault { return .unreadable }
    if let error = error as? ExportError, error.code == .source { return .limit }  // deeper than the writer allows
    return nil
  }

  /// What a scanner says of a value, without the place, which counts from the value's begin.
  private func detail(_ error: any Error) -> String {
    (error as? JSONError)?.message ?? (error as? JSONFault)?.detail(at: rows.rowLine) ?? "\(error)"
  }

  private mutating func write(to row: inout RowWriter) throws {
    for index in layout.own.indices {
      let place = rows.places[layout.own[index]]
      if place.row != rows.serial || place.isCut {
        row.null()
      } else if rows.cursor.isKept {
        try write(rows.cursor.bytes(from: place.begin, to: place.end), place, to: &row)
      } else {
        try write(far: place, index, to: &row)
      }
    }
    if layout.hasOthers { try writeOthers(to: &row) }
  }

  // MARK: Values in memory

  private mutating func write(_ value: UnsafeRawBufferPointer, _ place: JSONPlace, to row: inout RowWriter) throws {
    switch value[0] {
    case UInt8(ascii: "\""):
      if place.hasEscape {
        try text.read(value)
        try text.bytes.withUnsafeBytes { try write(text: $0, to: &row) }
      } else {
        try write(text: UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)]), to: &row)
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["): try write(nested: value, to: &row)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try write(number: value, to: &row)
    default: try write(literal: value, to: &row)
    }
  }

  private func write(text: UnsafeRawBufferPointer, to row: inout RowWriter) throws {
    if text.count > limits.inlineBytes && !SQLiteCell.isValidUTF8(text) { return try row.bytes(text) }
    row.text(text.bindMemory(to: UInt8.self))
  }

  private func write(literal: UnsafeRawBufferPointer, to row: inout RowWriter) throws {
    if literal.elementsEqual("null".utf8) { return row.null() }
    if literal.elementsEqual("true".utf8) { return row.boolean(true) }
    if literal.elementsEqual("false".utf8) { return row.boolean(false) }
    throw JSONFault(line: rows.rowLine, message: "no value where one should begin")
  }

  /// A number with all its digits. Whole ones that are surely the same again as such, so that their column's type is known.
  private func write(number: UnsafeRawBufferPointer, to row: inout RowWriter) throws {
    let isNegative = number[0] == UInt8(ascii: "-")
    let digits = number.dropFirst(isNegative ? 1 : 0)
    let isPlain = digits.count <= 18 && !digits.isEmpty && digits.allSatisfy { $0 &- 0x30 < 10 }
    if isPlain, let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 && !isNegative {
      let value = digits.reduce(Int64(0)) { $0 &* 10 &+ Int64($1 &- 0x30) }
      return row.integer(isNegative ? -value : value)
    }
    do { try row.number(digits: number) } catch { throw JSONFault(line: rows.rowLine, message: "a number that is none in JSON") }
  }

  private func write(nested value: UnsafeRawBufferPointer, to row: inout RowWriter) throws {
    do {
      try row.nested { (nested) throws in try nested.json(value, depth: limits.depth - 1) }
    } catch let error as JSONError where error.code == .unpairedSurrogate {
      let tree = try JSONParser.parse(value, limits: JSONParser.Limits(depth: limits.depth - 1), duplicateKeys: .kept)
      try row.nested { (nested) throws in try nested.write(tree) }
    }
  }

  // MARK: Values of rows that are longer than the window

  private static let near = 64 << 10

  private mutating func write(far place: JSONPlace, _ index: Int, to row: inout RowWriter) throws {
    if place.end - place.begin <= Self.near {
      let bytes = try fetch(place)
      return try bytes.withUnsafeBytes { try write($0, place, to: &row) }
    }
    try announceNames(after: index, to: &row)
    let (file, line, depth) = (rows.file, rows.rowLine, limits.depth - 1)
    try row.nested(isLarge: true) { (nested) throws in try Self.copy(place, of: file, line, depth, to: &nested) }
  }

  private func fetch(_ place: JSONPlace) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(place.end - place.begin))
    var filled = 0
    while filled < bytes.count {
      let count = try bytes.withUnsafeMutableBytes {
        try rows.file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: place.begin + UInt64(filled))
      }
      if count == 0 { throw JSONFault(line: rows.rowLine, message: "the text became shorter") }
      filled += count
    }
    return bytes
  }

  private static func copy(_ place: JSONPlace, of file: TextFile, _ line: Int, _ depth: Int, to nested: inout NestedWriter) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: near, alignment: 16)
    defer { buffer.deallocate() }
    try nested.json(depth: depth) { take in
      var next = place.begin
      while next < place.end {
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(UInt64(buffer.count), place.end - next))])
        let count = try file.read(into: piece, at: next)
        if count == 0 { throw JSONFault(line: line, message: "the text became shorter") }
        try take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        next += UInt64(count)
      }
    }
  }

  /// A later column may say that this value, or one before it, is a secret; once a long value is written, neither could be taken back.
  private mutating func announceNames(after index: Int, to row: inout RowWriter) throws {
    for named in 0...index {
      guard let naming = row.namingColumn(of: named), naming > index else { continue }
      var name: [UInt8] = []
      // The column for the others is behind all that have a place.
      if naming < layout.own.count {
        let place = rows.places[layout.own[naming]]
        if place.row == rows.serial, place.end - place.begin <= 4096 {
          let bytes = try fetch(place)
          if bytes.first == UInt8(ascii: "\"") {
            try bytes.withUnsafeBytes { try text.read($0) }
            name = text.bytes
          }
        }
      }
      name.withUnsafeBufferPointer { row.announce(column: naming, $0) }
    }
  }

  // MARK: Values without a column

  /// The members whose keys have no column: an object, null where there is none.
  private mutating func writeOthers(to row: inout RowWriter) throws {
    if !rows.hasOthers { return row.null() }
    let (file, line, depth) = (rows.file, rows.rowLine, limits.depth - 2)
    try row.nested(isLarge: true) { (nested) throws in
      try nested.beginObject()
      try rows.eachOther { (key, place, bytes) throws in
        key.withUnsafeBufferPointer { nested.key($0) }
        if let bytes { try nested.json(bytes, depth: depth) } else { try Self.copy(place, of: file, line, depth, to: &nested) }
      }
      nested.endObject()
    }
  }
}

extension NestedWriter {
  /// A value that was read as a tree, since it holds half a surrogate pair: such a text is written as its bytes.
  mutating func write(_ value: JSONValue) throws {
    switch value {
    case .null: null()
    case .bool(let value): boolean(value)
    case .number(let digits): try Array(digits.utf8).withUnsafeBytes { try number(digits: $0) }
    case .string(let value): try Array(value.utf8).withUnsafeBufferPointer { try text($0) }
    case .invalidString(let bytes): try bytes.withUnsafeBufferPointer { try text($0) }
    case .array(let elements):
      try beginArray()
      for element in elements { try write(element) }
      endArray()
    case .object(let members):
      try beginObject()
      for member in members {
        (member.invalidKey ?? Array(member.key.utf8)).withUnsafeBufferPointer { key($0) }
        try write(member.value)
      }
      endObject()
    }
  }
}
