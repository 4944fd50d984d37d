internal import CArchive

/// Writes a ZIP (PKWARE APPNOTE 6.3) in order, entry after entry, into memory of its own from which the caller takes it away.
///
/// After any call the bytes put out so far are *pending*; the caller awaits its consumer as long as that takes, then discards
/// them. What a call adds to them is bounded: `begin` adds the path and less than 100 bytes; `write` adds at most the bytes
/// handed in, a thousandth of them, and 1 MiB of what was held back from before; `endEntry` adds less than 100 bytes; `finish`
/// adds the central directory, for each entry about 70 bytes and its path.
///
/// libarchive writes every byte. The same calls give the same bytes in any time zone, for any user and in any locale. A failure
/// is kept: every call after it throws the same error, and no end record is ever put out. Dropping a writer that isn't finished
/// abandons the archive, likewise without an end record.
///
/// 64-bit structures stand only where they are needed: for a file of more than 4,278,190,080 bytes, which deflating might take
/// beyond 4 GiB, for what lies beyond 4 GiB, and for more than 65,535 entries. Java 17's `ZipInputStream` refuses a file in the
/// last 16 MiB below 4 GiB, because it expects a 32-bit descriptor there; its `ZipFile` doesn't mind.
///
/// `@unchecked` because the compiler knows nothing of what the pointers lead to. The archive, its entry, its seam and the
/// pending bytes are owned by this value alone and reached through it only, while it is borrowed or mutated, so two threads
/// can't be in them at once; libarchive ties none of them to the thread that made them, and the seam is in force on a thread
/// only during a call.
public struct ZipWriter: ~Copyable, @unchecked Sendable {
  enum State {
    case between
    case inside(path: String, declared: UInt64, written: UInt64)
    case finished
    case failed(ZipError)
  }

  let archive: OpaquePointer
  let entry: OpaquePointer
  let seam: OpaquePointer
  /// On the heap, since libarchive's callback is given its address once and for all.
  let pending: UnsafeMutablePointer<PendingBytes>
  let options: ZipOptions
  /// What an entry's data waits in until it is a chunk, and what deflates it then; not for chunks that come deflated.
  var gathered = GatheredChunk()
  var deflater: ChunkDeflater
  /// The level of the entry that is open.
  var level: CInt = 0
  var state = State.between

  private init(archive: OpaquePointer, entry: OpaquePointer, seam: OpaquePointer, deflater: consuming ChunkDeflater, options: ZipOptions) {
    self.deflater = deflater
    self.archive = archive
    self.entry = entry
    self.seam = seam
    self.options = options
    pending = .allocate(capacity: 1)
    pending.initialize(to: PendingBytes())
  }

  deinit {
    if case .finished = state {
      // Freed at the end already.
    } else {
      archive_write_fail(archive)
      freeArchive()
    }
    pending.deinitialize(count: 1)
    pending.deallocate()
  }

  /// Makes a writer whose archive is open and empty.
  ///
  /// - Throws: `ZipError` of code `outOfMemory`, or `library` when libarchive refuses its options.
  public static func make(options: ZipOptions = ZipOptions()) throws(ZipError) -> ZipWriter {
    let deflater = try ChunkDeflater.make(options: options)
    guard let archive = archive_write_new() else { throw ZipError.noMemory }
    guard let seam = zip_seam_new() else {
      archive_write_free(archive)
      throw ZipError.noMemory
    }
    guard let entry = archive_entry_new2(archive) else {
      zip_seam_free(seam, archive)
      throw ZipError.noMemory
    }
    let writer = ZipWriter(archive: archive, entry: entry, seam: seam, deflater: deflater, options: options)
    try writer.open()
    return writer
  }

  private func open() throws(ZipError) {
    try check(archive_write_set_format_zip(archive), "archive_write_set_format_zip")
    try set("compression", "deflate")
    try set("hdrcharset", "UTF-8")
    if options.zip64 == .always { try set("zip64", "1") }
    // Blocks of no size: libarchive hands every piece on at once, and pads nothing. Pending bytes are the block. (libarchive
    // 3.6.2 never frees the block of an archive that is abandoned, so this also keeps that from adding up.)
    try check(archive_write_set_bytes_per_block(archive, 0), "archive_write_set_bytes_per_block")
    try check(archive_write_set_bytes_in_last_block(archive, 1), "archive_write_set_bytes_in_last_block")
    try check(archive_write_open(archive, pending, nil, appendToPending, nil), "archive_write_open")
  }

  private func freeArchive() {
    archive_entry_free(entry)
    zip_seam_free(seam, archive)
  }

  private func set(_ option: String, _ value: String) throws(ZipError) {
    try check(archive_write_set_format_option(archive, "zip", option, value), "archive_write_set_format_option \(option)")
  }

  /// Ends the archive: puts out the central directory and the end records. Nothing may be written after.
  ///
  /// - Parameter taker: Takes what is pending, a mebibyte at a time, before the rest is put out: the directory of a million entries has 150 MB.
  ///   When it returns false, that is the end of the archive. Without one, all of it is pending afterwards.
  /// - Throws: `ZipError` of code `order` inside an entry; `library`; the error kept from before.
  public mutating func finish(handing taker: ((UnsafeRawBufferPointer) -> Bool)? = nil) throws(ZipError) {
    try attempt { writer throws(ZipError) in
      guard case .between = writer.state else { throw ZipError.order("finish", writer.state) }
      writer.pending.pointee.taker = taker
      defer { writer.pending.pointee.taker = nil }
      try writer.check(zip_seam_close(writer.seam, writer.archive), "archive_write_close")
      // At once: libarchive still holds the central directory that is pending now.
      writer.freeArchive()
      writer.state = .finished
    }
  }

  /// The number of bytes that are put out and not yet discarded.
  public var pendingCount: Int { pending.pointee.count }

  /// All pending bytes, in one run, for the time of the call.
  public func withPending<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(pending.pointee.bytes)
  }

  /// Forgets all pending bytes: they are the caller's now.
  public mutating func discardPending() {
    pending.pointee.removeAll()
  }

  /// Does one call's work. The first error of any call fails the archive for good.
  mutating func attempt(_ body: (inout ZipWriter) throws(ZipError) -> Void) throws(ZipError) {
    if case .failed(let error) = state { throw error }
    do throws(ZipError) {
      try body(&self)
    } catch {
      if case .finished = state { throw error }
      archive_write_fail(archive)
      state = .failed(error)
      throw error
    }
  }

  /// The one way that a status of libarchive takes: all but `ARCHIVE_OK` is an error, a warning too.
  func check(_ status: CInt, _ operation: String, entry path: String? = nil) throws(ZipError) {
    guard status != ARCHIVE_OK else { return }
    let message = archive_error_string(archive).map { String(cString: $0) } ?? "no reason given"
    throw ZipError(.library, entry: path, detail: "\(operation): status \(status): \(message)")
  }
}

/// libarchive's write callback: adds to the pending bytes whose address it was opened with.
private func appendToPending(
  archive: OpaquePointer?, pending: UnsafeMutableRawPointer?, bytes: UnsafeRawPointer?, count: Int
) -> la_ssize_t {
  guard let pending else { return -1 }
  let taken = pending.assumingMemoryBound(to: PendingBytes.self).pointee.append(UnsafeRawBufferPointer(start: bytes, count: count))
  return taken ? count : -1
}

extension ZipError {
  static let noMemory = ZipError(.outOfMemory, detail: "no memory for an archive")

  static func order(_ call: String, _ state: ZipWriter.State) -> ZipError {
    switch state {
    case .between: ZipError(.order, detail: "\(call) between two entries")
    case .inside(let path, _, _): ZipError(.order, entry: path, detail: "\(call) inside an entry")
    case .finished: ZipError(.order, detail: "\(call) after the end of the archive")
    case .failed(let error): error
    }
  }
}
