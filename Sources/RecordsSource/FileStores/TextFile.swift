import AccountExport
import Files
import TextDecoding

/// A text file as UTF-8 without a byte order mark, read from any place on, as long as it was when it was opened.
///
/// Text in another encoding is decoded into a private file without a name first: what is read twice, and from any place, has to have places.
final class TextFile: Sendable {
  private let original: FileDescriptor
  private let content: FileDescriptor
  private let opened: FileStatus
  /// Where in the content the text begins.
  private let begin: UInt64
  /// How many bytes the text has as UTF-8.
  let size: UInt64
  /// Whether the text ends within a character, of which nothing is kept then.
  let isCut: Bool

  /// Opens a file; a link is followed.
  /// - Parameters:
  ///   - encoding: The text's; nil to tell it by the first bytes.
  ///   - folder: A private folder, asked for only where the text has to be decoded.
  init(_ path: PathBytes, encoding: TextEncoding?, folder: () throws -> PathBytes) throws {
    original = try FileDescriptor.reading(path, following: true)
    opened = try original.status()
    guard opened.kind == .file else { throw ExportError(.badInput, "\(path.display) is no regular file") }
    let head = try StoreHead(of: original, encoding: encoding)
    if head.encoding == .utf8 {
      content = try FileDescriptor.duplicate(original.raw, path: path)
      (begin, size) = (UInt64(head.markLength), opened.size - min(opened.size, UInt64(head.markLength)))
      isCut = false
    } else {
      content = try FileDescriptor.folder(folder(), following: true).unnamed()
      begin = 0
      (size, isCut) = try Self.decode(original, opened.size, head, into: content)
    }
  }

  /// Whether the file is another than when it was opened, as far as its times and size tell.
  func hasChanged() throws -> Bool { try !original.status().isUnchanged(since: opened) }

  /// Fills a buffer from a place in the text on, and says with how many bytes; 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    if offset >= size { return 0 }
    let wanted = min(UInt64(buffer.count), size - offset)
    return try content.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(wanted)]), at: begin + offset)
  }

  /// How many bytes a decoded copy may take on the disk: UTF-16 grows by half at most, a byte of windows-1252 to three.
  static func copySize(of size: UInt64, _ encoding: TextEncoding) -> UInt64 { encoding == .utf8 ? 0 : size / 2 * 3 }

  private static func decode(
    _ file: borrowing FileDescriptor, _ size: UInt64, _ head: StoreHead, into copy: borrowing FileDescriptor
  ) throws -> (size: UInt64, isCut: Bool) {
    let piece = 128 << 10
    let buffers = UnsafeMutableRawBufferPointer.allocate(byteCount: piece + TextDecoder.room(for: piece), alignment: 16)
    defer { buffers.deallocate() }
    let output = UnsafeMutableRawBufferPointer(rebasing: buffers[piece...])
    var decoder = TextDecoder(head.encoding)
    var place = UInt64(head.markLength)
    var length = 0
    while place < size {
      try Task.checkCancellation()
      let input = UnsafeMutableRawBufferPointer(rebasing: buffers[..<min(piece, Int(size - place))])
      let count = try file.read(into: input, at: place)
      if count == 0 { break }
      place += UInt64(count)
      let decoded = decoder.decode(UnsafeRawBufferPointer(rebasing: input[..<count]), into: output)
      try write(output, decoded, to: copy)
      length += decoded
    }
    let isCut = decoder.isWithinUnit
    let rest = decoder.finish(into: output)
    try write(output, rest, to: copy)
    return (UInt64(length + rest), isCut)
  }

  private static func write(_ bytes: UnsafeMutableRawBufferPointer, _ count: Int, to copy: borrowing FileDescriptor) throws {
    do throws(FileError) { try copy.write(UnsafeRawBufferPointer(rebasing: bytes[..<count])) } catch {
      guard error.isFull else { throw error }
      throw ExportError(
        .noSpace, "no room for the decoded copy of a file store", hint: "free some space, or name another folder with --temp", cause: error)
    }
  }
}

/// The first bytes of a file, and what they say of its encoding.
struct StoreHead {
  /// The first bytes, as UTF-8.
  let bytes: [UInt8]
  /// Whether they are the whole file.
  let isWhole: Bool
  let encoding: TextEncoding
  /// How many bytes of a byte order mark the file begins with.
  let markLength: Int
  let isSQLite: Bool

  private static let length = 64 << 10

  init(of file: borrowing FileDescriptor, encoding known: TextEncoding? = nil) throws(FileError) {
    var raw = [UInt8](repeating: 0, count: Self.length)
    var failure: FileError?
    let count = raw.withUnsafeMutableBytes { buffer in
      do throws(FileError) { return try file.read(into: buffer, at: 0) } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    raw.removeLast(raw.count - count)
    isWhole = count < Self.length
    isSQLite = raw.starts(with: Array("SQLite format 3\0".utf8))
    let encoding = known ?? raw.withUnsafeBytes { TextEncoding.detected(in: $0) }
    let mark = raw.withUnsafeBytes { encoding.markLength(of: $0) }
    (self.encoding, markLength) = (encoding, mark)
    var decoder = TextDecoder(encoding)
    bytes = [UInt8](unsafeUninitializedCapacity: TextDecoder.room(for: count)) { output, filled in
      filled = raw[mark...].withUnsafeBytes { decoder.decode($0, into: UnsafeMutableRawBufferPointer(output)) }
    }
  }
}
