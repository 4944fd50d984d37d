import AccountExport
import CoreDataModel
import Files
import SQLiteReading

/// Bytes of attributes: in the row, or in files of their own.
///
/// A value that may lie outside begins with a byte that says where it is: 1, the rest is the value; 2, the rest is the name of its file, with a NUL.
struct BinaryValues {
  let storage: ExternalStorage

  /// What a value's first byte makes of it.
  enum Content {
    /// The value begins after so many bytes.
    case here(after: Int)
    /// It lies in a file.
    case file([UInt8])
  }

  /// Where a value is, by its first bytes.
  static func content(of attribute: ManagedObjectModel.Attribute, _ bytes: UnsafeRawBufferPointer) -> Content {
    guard attribute.allowsExternalStorage, let marker = bytes.first else { return .here(after: 0) }
    switch marker {
    case 1: return .here(after: 1)
    case 2: return .file(Array(bytes.dropFirst().prefix(4096).reversed().drop { $0 == 0 }.reversed()))
    default: return .here(after: 0)
    }
  }

  // MARK: Files

  /// Writes the value that lies in a file, or names it as missing.
  func write(file name: [UInt8], _ place: String, to row: inout RowWriter, _ problems: inout RecordProblems) throws {
    let shown = String(decoding: name, as: UTF8.self)
    do {
      for _ in 0..<2 {
        guard let file = try storage.file(named: name) else {
          problems.noteMissing(file: shown, in: place)
          return row.missing(shown)
        }
        if try write(file, to: &row) { return }
      }
      problems.noteChanged(file: shown, in: place)
    } catch let error as FileError {
      problems.noteUnreadable("\(place): \(error.path.lastComponent.display)")
    }
    row.missing(shown)
  }

  /// Writes a file's contents; false, and nothing is written, where it changed meanwhile.
  private func write(_ file: borrowing ExternalStorage.File, to row: inout RowWriter) throws -> Bool {
    let size = Int(clamping: file.status.size)
    if size <= ArchivedBytes.mostBytes, try Self.beginsLikeArchive(file) {
      let whole = try Self.contents(file, count: size)
      if whole.count != size { return false }
      try whole.withUnsafeBytes { try ArchivedBytes.write($0, to: &row) }
      return true
    }
    var (total, failure): (Int, FileError?) = (0, nil)
    do {
      try row.largeBytes(count: size) { buffer in
        do throws(FileError) {
          let count = try file.descriptor.read(into: buffer, at: UInt64(total))
          total += count
          return count
        } catch {
          failure = error
          return 0
        }
      }
      return true
    } catch {
      if let failure { throw failure }
      if total != size { return false }
      throw error
    }
  }

  private static func beginsLikeArchive(_ file: borrowing ExternalStorage.File) throws -> Bool {
    try contents(file, count: 64).withUnsafeBytes { ArchivedBytes.mayBeArchive($0) }
  }

  /// So many bytes from the beginning, or as many as there are.
  private static func contents(_ file: borrowing ExternalStorage.File, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { (buffer, filled) throws in
      while filled < count {
        let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = try file.descriptor.read(into: room, at: UInt64(filled))
        if got == 0 { break }
        filled += got
      }
    }
  }

  /// The contents of a file, for a value within another; nil where there is none, or it is too large to be held.
  func contents(file name: [UInt8]) throws -> [UInt8]? {
    guard let file = try storage.file(named: name), file.status.size <= UInt64(ArchivedBytes.mostBytes) else { return nil }
    let whole = try Self.contents(file, count: Int(file.status.size))
    return whole.count == Int(file.status.size) ? whole : nil
  }
}

extension SQLiteLargeValue {
  /// The first bytes.
  func head() throws(SQLiteError) -> [UInt8] {
    var pieces = bytes()
    return Array((try pieces.next() ?? UnsafeRawBufferPointer(start: nil, count: 0)).prefix(64))
  }

  /// All bytes after the first few.
  func contents(after skipped: Int) throws(SQLiteError) -> [UInt8] {
    var whole: [UInt8] = []
    whole.reserveCapacity(byteCount)
    var pieces = bytes()
    while let piece = try pieces.next() { whole.append(contentsOf: piece) }
    whole.removeFirst(skipped)
    return whole
  }
}
