import AccountExport
import PropertyListWriting
import PropertyLists

/// Bytes that may be a keyed archive: decoded where they are one, as they are else.
enum ArchivedBytes {
  /// Larger ones are only bytes: an archive must be held as a whole to be decoded.
  static let mostBytes = 16 << 20

  /// What is larger than this once decoded leaves the row in pieces.
  private static let fewBytes = 16 << 10

  /// Whether bytes that begin so can be an archive.
  static func mayBeArchive(_ head: UnsafeRawBufferPointer) -> Bool {
    if head.starts(with: "bplist0".utf8) { return true }
    let first = head.prefix(64).first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    return first == UInt8(ascii: "<")
  }

  /// Whether an archive of so many bytes may become too much for a row in memory: its value's later siblings must have been looked at first.
  static func isLarge(_ count: Int) -> Bool { count > fewBytes }

  /// Writes bytes that begin like an archive, decoded where they are one.
  static func write(_ bytes: UnsafeRawBufferPointer, to row: inout RowWriter) throws {
    let isLarge = isLarge(bytes.count)
    try row.nested(isLarge: isLarge) { (nested) throws in try write(bytes, isLarge: isLarge, to: &nested) }
  }

  /// The same within another value.
  static func write(_ bytes: UnsafeRawBufferPointer, isLarge: Bool, to nested: inout NestedWriter) throws {
    var isDecoded = false
    if mayBeArchive(bytes), bytes.count <= mostBytes {
      try ListValues.lend(&nested) { values in
        isDecoded = try KeyedArchive.decode(bytes.bindMemory(to: UInt8.self).span, limits: limits(isLarge), into: &values)
      }
    }
    if !isDecoded { try nested.bytes(bytes) }
  }

  /// A few kilobytes can stand for gigabytes, since an archive may refer to one text again and again.
  private static func limits(_ isLarge: Bool) -> PropertyListLimits {
    PropertyListLimits(
      bytes: mostBytes, objects: 1 << 20, depth: 256, expandedValues: isLarge ? 8 << 20 : 256 << 10,
      expandedBytes: isLarge ? 256 << 20 : 8 << 20)
  }
}
