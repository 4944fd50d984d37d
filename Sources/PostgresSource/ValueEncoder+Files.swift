import AccountExport
import NamedFiles
import Ownership
import PostgresReading

extension ValueEncoder {
  /// Writes the files that a value names, a text or an array of texts; false, and nothing is written, where the column is none of files, or names none that
  /// can be had.
  mutating func write(
    filesNamedBy printed: Printed, as type: Int, at column: Int, of files: inout FileValues, to row: inout RowWriter
  ) throws -> Bool {
    guard files.concerns(column) else { return false }
    switch types[type] {
    case .text: return try files.write(printed, at: column, to: &row)
    case .array(let element, let delimiter):
      guard case .text = types[element] else { break }
      if !files.areFiles(column) { return try look(at: printed, delimiter, in: column, of: &files, &row) }
      return try write(filesNamedBy: printed, delimiter, at: column, of: &files, to: &row)
    default: break
    }
    files.noteNoName(at: column)
    return false
  }

  /// Writes an array, each text of it as the file that it names; what names none stays a text.
  private func write(
    filesNamedBy printed: Printed, _ delimiter: UInt8, at column: Int, of files: inout FileValues, to row: inout RowWriter
  ) throws -> Bool {
    do {
      try row.nested { (nested) throws in
        var array = try ArrayText(printed, delimiter: delimiter)
        while let token = try array.next() {
          switch token {
          case .open: try nested.beginArray()
          case .close: nested.endArray()
          case .null: nested.null()
          case .plain(let range): try Self.write(Printed(rebasing: printed[range]), at: column, of: &files, to: &nested)
          case .escaped: try array.unescaped.withUnsafeBufferPointer { try Self.write($0, at: column, of: &files, to: &nested) }
          }
        }
      }
      return true
    } catch is MalformedValue {
      return false
    }
  }

  /// Looks at an array whose files aren't taken: one text of it that looks like a file's name tells of the row.
  private func look(at printed: Printed, _ delimiter: UInt8, in column: Int, of files: inout FileValues, _ row: inout RowWriter) throws
    -> Bool
  {
    let name: [UInt8]?
    do throws(MalformedValue) { name = try Self.fileName(in: printed, delimiter) } catch {
      name = nil  // what is no array is looked at as the text that it is
    }
    guard let name else { return try files.write(printed, at: column, to: &row) }
    return try name.withUnsafeBufferPointer { try files.write($0, at: column, to: &row) }
  }

  private static func fileName(in printed: Printed, _ delimiter: UInt8) throws(MalformedValue) -> [UInt8]? {
    var array = try ArrayText(printed, delimiter: delimiter)
    while let token = try array.next() {
      switch token {
      case .plain(let range):
        let text = Printed(rebasing: printed[range])
        if FileColumnRules.looksLikeFile(text) { return Array(text) }
      case .escaped:
        let text = array.unescaped
        if text.withUnsafeBufferPointer({ FileColumnRules.looksLikeFile($0) }) { return text }
      case .open, .close, .null: continue
      }
    }
    return nil
  }

  private static func write(_ text: Printed, at column: Int, of files: inout FileValues, to nested: inout NestedWriter) throws {
    if try !files.write(text, at: column, to: &nested) { try nested.text(text) }
  }
}
