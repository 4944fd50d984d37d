/// What a reader comes upon, in the order of the stream. Bytes that an event points to are good for the time of the call.
public enum ZipEvent {
  /// An entry begins: its local header.
  case entry(ZipEntryHeader)
  /// The next bytes of the entry's data, inflated.
  case content(UnsafeRawBufferPointer)
  /// The entry has ended, and its data is what it was.
  case entryEnd(ZipEntryEnd)
  /// The central directory's record of an entry.
  case directoryEntry(ZipDirectoryEntry)
  /// The last record has been read; what follows, if anything, doesn't belong to the ZIP.
  case end(entries: Int)
}

/// What an entry's local header says.
public struct ZipEntryHeader {
  /// The number of entries before it.
  public let index: Int
  /// Where the header begins, in bytes from the start.
  public let offset: UInt64
  /// The path's bytes.
  public let path: UnsafeRawBufferPointer
  /// The size of the data after inflating, where the header says it.
  public let size: UInt64?
  /// The method of compression: 8 for deflate, 0 for none.
  public let method: UInt16
  /// The general purpose bits: 3 for a data descriptor, 11 for a path in UTF-8.
  public let flags: UInt16
  /// The time of modification in seconds since 1970, from the extended timestamp, else from the DOS date taken as UTC; nil
  /// where that isn't a date.
  public let modified: Int64?

  /// Whether the path ends with `/`.
  public var isFolder: Bool { path.last == UInt8(ascii: "/") }
}

/// What an entry's data was found to be.
public struct ZipEntryEnd: Hashable, Sendable {
  /// The entry's index.
  public let index: Int
  /// The size of the data, inflated.
  public let size: UInt64
  /// The size of the data as it lies in the ZIP.
  public let compressedSize: UInt64
  /// The CRC-32 of the data, inflated.
  public let crc: UInt32
  /// Whether the data was sound: it could be inflated, and size and CRC are what is said of them.
  public let isSound: Bool
}

/// What the central directory says of an entry.
public struct ZipDirectoryEntry {
  /// The number of records before it in the directory.
  public let index: Int
  /// The path's bytes.
  public let path: UnsafeRawBufferPointer
  /// Where it says that the local header is.
  public let offset: UInt64
  /// The size of the data, inflated.
  public let size: UInt64
  /// The size of the data as it lies in the ZIP.
  public let compressedSize: UInt64
  /// The CRC-32 of the data, inflated.
  public let crc: UInt32
  /// The file's type and permission bits, where the entry was made on Unix.
  public let mode: UInt16?
}
