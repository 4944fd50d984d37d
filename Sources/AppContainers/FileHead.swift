internal import Files

/// What a file is, told by its first bytes.
struct FileHead {
  /// So many bytes are looked at.
  static let length = 1024

  private let bytes: [UInt8]
  private let size: UInt64

  /// Reads the head of an open file.
  init(_ file: borrowing FileDescriptor, _ status: FileStatus) throws(FileError) {
    bytes = try Self.read(file, upTo: Self.length)
    size = status.size
  }

  /// The first bytes of a file, fewer where it has fewer.
  static func read(_ file: borrowing FileDescriptor, upTo wanted: Int) throws(FileError) -> [UInt8] {
    var outcome: Result<Void, FileError> = .success(())
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      let room = UnsafeMutableRawBufferPointer(buffer)
      do throws(FileError) {
        while count < wanted {
          let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]), at: UInt64(count))
          if got == 0 { break }
          count += got
        }
      } catch {
        outcome = .failure(error)
      }
    }
    try outcome.get()
    return bytes
  }

  /// A SQLite database: the first 16 bytes of its file format.
  var isStore: Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

  /// The write-ahead log of a SQLite database, of either byte order.
  var isLog: Bool { bytes.count >= 4 && bytes[..<3].elementsEqual([0x37, 0x7F, 0x06]) && (0x82...0x83).contains(bytes[3]) }

  /// Whether SQLite may keep this beside a database under a name that ends so. A document that only happens to be called so is none of it.
  func isKept(as suffix: String) -> Bool {
    if size == 0 { return true }
    switch suffix {
    case "-wal": return isLog
    // The index of the log: its version, 3007000, in the machine's byte order; or nothing written yet.
    case "-shm": return [[0x18, 0xE2, 0x2D, 0x00], [0x00, 0x2D, 0xE2, 0x18], [0, 0, 0, 0]].contains { bytes.starts(with: $0) }
    // A rollback journal, or one that is over: its head is zeros then.
    default:
      return [[0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], [UInt8](repeating: 0, count: 8)].contains { bytes.starts(with: $0) }
    }
  }

  /// Apple's file of cookies.
  var isCookies: Bool { bytes.starts(with: "cook".utf8) }

  /// A binary or an XML property list.
  var isPropertyList: Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    let text = bytes.filter { ![0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard text.starts(with: "<".utf8) else { return false }
    return String(decoding: text, as: UTF8.self).contains("<plist") || String(decoding: text, as: UTF8.self).contains("<!DOCTYPE plist")
  }

  /// Whether this may be an encrypted SQLite database, of one that is called like a database: whole pages, and no order in the first bytes.
  /// Nearly all of the 256 bytes come up in 1,024 random ones; 240 do in one of many billions of heads of anything that isn't packed.
  var looksEncrypted: Bool {
    guard size >= 1024, size % 512 == 0, bytes.count == Self.length else { return false }
    if Self.packed.contains(where: { bytes.starts(with: $0) }) { return false }
    return Set(bytes).count >= 240
  }

  /// How packed files begin, which have no order either: ZIP, gzip, bzip2, XZ, Zstandard, LZ4, 7z.
  private static let packed: [[UInt8]] = [
    [0x50, 0x4B], [0x1F, 0x8B], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A], [0x28, 0xB5, 0x2F, 0xFD], [0x04, 0x22, 0x4D, 0x18],
    [0x37, 0x7A, 0xBC],
  ]
}

extension PathBytes {
  /// Whether a name ends so, whatever its case (ASCII); a suffix that is all of the name is none.
  func hasSuffix(_ suffix: String) -> Bool {
    let wanted = Array(suffix.utf8)
    guard bytes.count > wanted.count else { return false }
    return zip(bytes.suffix(wanted.count), wanted).allSatisfy { byte, wanted in
      byte == wanted || ((0x41...0x5A).contains(byte) && byte + 0x20 == wanted)
    }
  }

  /// A name without its suffix: `Notes` of `Notes.sqlite`. A point that begins a name begins no suffix.
  var stem: PathBytes {
    guard let point = bytes.lastIndex(of: UInt8(ascii: ".")), point != bytes.startIndex else { return self }
    return PathBytes(bytes[..<point])
  }

  /// Whether a SQLite database may be called so.
  var isStoreName: Bool {
    [".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".store", ".storedata"].contains { hasSuffix($0) }
  }

  /// The path below a folder.
  func dropping(_ folder: PathBytes) -> PathBytes {
    PathBytes(bytes.dropFirst(folder.bytes.count).drop { $0 == UInt8(ascii: "/") })
  }
}
