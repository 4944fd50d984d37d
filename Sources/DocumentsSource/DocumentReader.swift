import Files

/// Reads files into one buffer, again and again: a small file whole, a large one's beginning.
struct DocumentReader: ~Copyable {
  /// What came of reading a file.
  struct Read {
    /// Bytes in the buffer.
    let count: Int
    /// The file as it was when these were all of it, or as it is now.
    let status: FileStatus
    /// Whether the buffer holds all of the file.
    let isWhole: Bool
    /// Whether it changed each time that it was read.
    var isChanged = false
  }

  private let buffer: UnsafeMutableRawBufferPointer
  private let limit: Int

  /// A reader of files up to so many bytes as a whole.
  init(limit: Int) {
    self.limit = limit
    // One byte more than is wanted shows that there is no more.
    buffer = .allocate(byteCount: max(limit, MediaTypes.headSize) + 1, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// What was read last.
  func bytes(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  /// Room for the pieces of a file that is read without being kept; what was read before is gone.
  var pieces: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, 64 << 10)]) }

  /// Reads a file from its beginning: whole, and a second time where it changed meanwhile; of a file above the limit, its head.
  /// - Parameter once: Only the head is wanted, whatever the size.
  func read(_ file: borrowing FileDescriptor, _ status: FileStatus, once: Bool) throws(FileError) -> Read {
    var before = status
    for attempt in 0..<2 {
      if once || before.size > UInt64(limit) {
        return Read(count: try fill(file, upTo: MediaTypes.headSize), status: before, isWhole: false)
      }
      let count = try fill(file, upTo: Int(before.size) + 1, expecting: Int(before.size))
      let after = try file.status()
      let isSame = after.isUnchanged(since: before) && count == Int(after.size)
      if isSame || attempt == 1 { return Read(count: count, status: after, isWhole: true, isChanged: !isSame) }
      before = after
    }
    preconditionFailure("the second attempt returns")
  }

  /// - Parameter expected: The size that the file should have: a read that ends just there has come to its end.
  private func fill(_ file: borrowing FileDescriptor, upTo wanted: Int, expecting expected: Int? = nil) throws(FileError) -> Int {
    var count = 0
    while count < wanted {
      let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count..<wanted]), at: UInt64(count))
      count += got
      if got == 0 || count == expected { break }
    }
    return count
  }

  /// The media type of the file that was read last.
  func mediaType(of path: PathBytes, _ read: Read) -> MediaType {
    let name = path.bytes[(path.bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1..<path.bytes.count]
    let head = UnsafeRawBufferPointer(rebasing: buffer[..<min(read.count, MediaTypes.headSize)])
    let isWhole = read.isWhole ? head.count == read.count : UInt64(head.count) == read.status.size
    return MediaTypes.type(ofName: Array(name).span, head: head.bindMemory(to: UInt8.self).span, isWhole: isWhole)
  }

  /// Whether what was read last begins like a bundle: a ZIP whose first entry lies in `account-export-<date>T<time>Z/`.
  func holdsBundle(_ count: Int) -> Bool { EarlierBundle.isBegun(by: bytes(count)) }
}

/// Bundles that lie among the documents: they are no documents.
package enum EarlierBundle {
  private static let form = "PK\u{3}\u{4}".utf8.map { UInt8($0) }
  private static let top = "account-export-########T######Z/".utf8.map { UInt8($0) }

  /// How many bytes of a file tell.
  package static var headBytes: Int { 30 + top.count }

  /// Whether a file that begins with these bytes is one.
  package static func isBegun(by head: UnsafeRawBufferPointer) -> Bool {
    guard head.count >= headBytes, head.starts(with: form) else { return false }
    return zip(head[30...], top).allSatisfy { byte, wanted in
      wanted == UInt8(ascii: "#") ? (0x30...0x39).contains(byte) : byte == wanted
    }
  }
}
