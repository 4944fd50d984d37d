internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The rollback journal that a crash left, in its private copy.
///
/// A transaction over several databases ends its journals with the name of a super-journal (SQLite's file format, "The Super-Journal
/// File Format"). After rolling back, SQLite deletes that file by its name, wherever it lies. A private copy must never reach
/// outside its folder, so the name is taken out of it here, after SQLite's own question has been answered: is the super-journal still there?
enum HotJournal {
  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  private static let longestName = 4096

  /// Whether the copied journal still has to be rolled back. It is not where its super-journal is gone: the transaction was committed.
  static func prepare(_ journal: borrowing FileDescriptor) throws(SQLiteError) -> Bool {
    let size = try passing { () throws(FileError) in try journal.status().size }
    guard size > 0, try journal.bytes(at: 0, count: 1) != [0] else { return false }
    guard let (name, start) = try superJournal(journal, size) else { return true }
    if !PathBytes(name).withCString({ access($0, F_OK) == 0 }) { return false }
    if ftruncate(journal.raw, off_t(start)) != 0 { throw SQLiteError(FileError("truncate", journal.path, code: errno)) }
    return true
  }

  /// The super-journal's name and where its record begins.
  private static func superJournal(_ journal: borrowing FileDescriptor, _ size: UInt64) throws(SQLiteError) -> ([UInt8], UInt64)? {
    guard size >= 20 else { return nil }
    let tail = try journal.bytes(at: size - 16, count: 16)
    guard tail.count == 16, Array(tail[8...]) == magic else { return nil }
    let length = tail[..<4].reduce(0) { $0 << 8 | UInt64($1) }
    guard length > 0, length <= longestName, length + 20 <= size else { return nil }
    let name = try journal.bytes(at: size - 16 - length, count: Int(length))
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    guard sum == tail[4..<8].reduce(0, { $0 << 8 | UInt32($1) }) else { return nil }
    return (name, size - 16 - length - 4)
  }
}
