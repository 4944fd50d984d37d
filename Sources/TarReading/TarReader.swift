internal import CArchive
internal import Files

/// Reads a tar (POSIX ustar and pax, GNU with long names and sparse files, old ones) from a stream, member by member, in flat memory.
///
/// Every call takes the stream as a function that fills a buffer and says how many bytes it put there; 0 is the end. What that throws, the
/// call throws. Names come as their bytes, whatever the locale of the process. Compressed streams are no tar.
///
/// `@unchecked` because the compiler knows nothing of what the pointer leads to: it is owned by this value alone and reached through it
/// only, while that is mutated, and libarchive ties nothing of it to the thread that made it.
public struct TarReader: ~Copyable, @unchecked Sendable {
  /// Fills a buffer from the stream.
  public typealias Input = (UnsafeMutableRawBufferPointer) throws -> Int

  private let reading: OpaquePointer
  private let stream: TarStream
  private var isOpen = false
  private var isInMember = false
  /// Where the last member ended.
  private var end: UInt64 = 0

  /// A reader at the begin of a stream.
  public init() throws(TarError) {
    guard let reading = tar_reading_new() else { throw TarError(.outOfMemory, "no memory for a tar") }
    self.reading = reading
    stream = TarStream()
  }

  deinit { tar_reading_free(reading) }

  private var archive: OpaquePointer? { tar_reading_archive(reading) }

  /// The next member; nil at the end of the archive, after which the stream was read to its own end.
  /// - Throws: `TarError`, also where the end mark is missing or something follows it; what the stream throws.
  public mutating func next(_ input: Input) throws -> TarMember? {
    if isInMember {
      // What nobody asked for may be missing too: where the member ends is known behind it only.
      isInMember = false
      try skip(input)
    }
    if isOpen { end = UInt64(max(0, archive_filter_bytes(archive, -1))) }
    var entry: OpaquePointer?
    let reading = reading
    let status = try stream.lend(input) { stream in
      if !isOpen {
        let opened = tar_reading_open(reading, Unmanaged.passUnretained(stream).toOpaque(), readStream)
        if opened != ARCHIVE_OK { return opened }
      }
      return tar_reading_next(reading, &entry)
    }
    isOpen = true
    if status == ARCHIVE_EOF {
      try checkEnd(input)
      return nil
    }
    guard let entry, status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw failure() }
    isInMember = true
    return TarMember(entry, oddity: status == ARCHIVE_WARN ? oddity() : nil)
  }

  /// The next bytes of the member that was given last, its holes as zeros; 0 at its end.
  public mutating func data(into buffer: UnsafeMutableRawBufferPointer, _ input: Input) throws -> Int {
    let reading = reading
    let count = try stream.lend(input) { _ in tar_reading_data(reading, buffer.baseAddress, buffer.count) }
    if count < 0 { throw failure() }
    return count
  }

  /// Passes over the rest of the member that was given last.
  public mutating func skip(_ input: Input) throws {
    let archive = archive
    let status = try stream.lend(input) { _ in archive_read_data_skip(archive) }
    if status != ARCHIVE_OK && status != ARCHIVE_EOF { throw failure() }
  }

  /// The one way of a failed status.
  private func failure() -> TarError {
    let message = text()
    if stream.total == 0 { return TarError(.truncated, "there is no tar: nothing was written") }
    let isTruncated = stream.hasEnded && message.lowercased().contains("truncated")
    return TarError(isTruncated ? .truncated : .format, "after \(stream.total) bytes: \(message)")
  }

  private func text() -> String { archive_error_string(archive).map { String(cString: $0) } ?? "no reason given" }

  /// A name that the locale "C" can't hold was left as it is: that is what is wanted.
  private func oddity() -> String? {
    let message = text()
    return message.contains("can't be converted from UTF-8") ? nil : message
  }

  /// An archive ends with 1024 zeros; libarchive does without. What follows them must be zeros too, or it would be lost.
  private func checkEnd(_ input: Input) throws {
    let read = UInt64(max(0, archive_filter_bytes(archive, -1)))
    let start = (end + 511) / 512 * 512
    if read < start + 1024 { throw TarError(.truncated, "after \(stream.total) bytes: the archive's end mark is missing") }
    if try !stream.restIsZero(from: read, input) {
      throw TarError(.surplus, "something follows the end of the archive, at byte \(read)")
    }
  }
}

/// The way of a stream's bytes to libarchive's callback.
final class TarStream {
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)
  private var pull: TarReader.Input?
  private var failure: (any Error)?
  private var filled = 0
  /// Bytes taken from the stream.
  private(set) var total: UInt64 = 0
  private(set) var hasEnded = false

  deinit { buffer.deallocate() }

  /// Lends the input to what `body` calls, and throws what the input threw.
  func lend<Result>(_ input: TarReader.Input, _ body: (TarStream) -> Result) throws -> Result {
    let result = withoutActuallyEscaping(input) { input in
      pull = input
      defer { pull = nil }
      return body(self)
    }
    if let failure { throw failure }
    return result
  }

  /// The next bytes; nil where the input threw.
  func fill() -> UnsafeRawBufferPointer? {
    guard let pull, failure == nil else { return nil }
    if hasEnded { return UnsafeRawBufferPointer(rebasing: buffer[..<0]) }
    do { filled = try pull(buffer) } catch {
      failure = error
      return nil
    }
    total += UInt64(filled)
    hasEnded = filled == 0
    return UnsafeRawBufferPointer(rebasing: buffer[..<filled])
  }

  /// Whether only zeros stand from a place to the stream's end. The place lies in what was read last.
  func restIsZero(from place: UInt64, _ input: TarReader.Input) throws -> Bool {
    let left = total > place ? min(Int(total - place), filled) : 0
    if buffer[(filled - left)..<filled].contains(where: { $0 != 0 }) { return false }
    var isZero = true
    while !hasEnded {
      guard let piece = try lend(input, { $0.fill() }) else { return false }
      isZero = isZero && piece.allSatisfy { $0 == 0 }
    }
    return isZero
  }
}

/// libarchive's read callback.
private func readStream(
  archive: OpaquePointer?, context: UnsafeMutableRawPointer?, bytes: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> la_ssize_t {
  guard let context, let piece = Unmanaged<TarStream>.fromOpaque(context).takeUnretainedValue().fill() else { return -1 }
  bytes?.pointee = piece.baseAddress
  return piece.count
}
