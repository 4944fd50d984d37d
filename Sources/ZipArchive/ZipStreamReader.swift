/// Reads a ZIP front to back as its bytes come, and holds everything in it that is said twice against each other.
///
/// It is strict: local header, data, descriptor, next local header, without a gap, then the central directory in the same
/// order, then the end records, then nothing. So one pass sees what a reader that starts from the central directory unpacks as
/// well as what a streaming reader unpacks, and that both are the same. Read are files stored and deflated, with and without
/// data descriptors, and ZIP64.
///
/// What is wrong but lets it go on is listed in `problems`. What doesn't ends it: `feed` throws, and throws the same ever after.
/// Memory doesn't depend on the sizes of entries, only on their number: 60 bytes and the path each.
public struct ZipStreamReader: ~Copyable, Sendable {
  /// What is being read.
  enum Stage {
    /// A record of which the signature isn't known yet.
    case signature
    /// A record of which the fixed part, or the whole, is awaited.
    case record(ZipRecord, isFixed: Bool)
    /// An entry's data.
    case data
    /// Data that can't be inflated; so many bytes are left of it.
    case skipping(UInt64)
    /// The first bytes after an entry's data, then the whole descriptor.
    case descriptor(isWhole: Bool)
    /// Everything has been read.
    case done
    case failed(ZipError)
  }

  /// What kinds of records may come.
  enum Part {
    case entries, directory, afterZip64End, afterZip64Locator
  }

  let limits: ZipLimits
  var inflater: Inflater
  var stage = Stage.signature
  var part = Part.entries
  /// The bytes of the record that is being gathered, and how many are needed before something can be done with them.
  var held: [UInt8] = []
  var needed = 4
  /// Where the record, or the data, begins that is being read.
  var start: UInt64 = 0
  /// The number of bytes used.
  public internal(set) var position: UInt64 = 0

  var records = ZipRecords()
  var current = EntryInProgress()
  var totalInflated: UInt64 = 0
  var directory = DirectoryInProgress()

  /// What is wrong, in the order found, up to the limit.
  public private(set) var problems: [ZipProblem] = []
  /// The number of problems beyond the limit, which aren't listed.
  public private(set) var unlistedProblems = 0

  private init(limits: ZipLimits, inflater: consuming Inflater) {
    self.limits = limits
    self.inflater = inflater
  }

  /// Makes a reader at the start of a ZIP.
  ///
  /// - Throws: `ZipError` of code `outOfMemory`, or `library` when zlib refuses.
  public static func make(limits: ZipLimits = ZipLimits()) throws(ZipError) -> ZipStreamReader {
    ZipStreamReader(limits: limits, inflater: try Inflater.make())
  }

  /// Makes a reader of a ZIP that this package writes in the same process: it reads back as fast as it can.
  package static func makeForOwn(limits: ZipLimits = ZipLimits()) throws(ZipError) -> ZipStreamReader {
    ZipStreamReader(limits: limits, inflater: try Inflater.make(isOwn: true))
  }

  /// The number of entries that have begun.
  public var entryCount: Int { records.count }

  /// The number of bytes that all entries have given so far, inflated.
  public var inflatedBytes: UInt64 { totalInflated }

  /// Whether the last record has been read.
  public var isAtEnd: Bool { if case .done = stage { true } else { false } }

  /// Where the ZIP ends, once it has.
  public var end: UInt64 { directory.end }

  /// Takes the next bytes of the ZIP, in pieces of any size, and tells the handler what they hold.
  ///
  /// - Throws: `ZipError` of code `format`, `unsupported`, `limit`, `outOfMemory` or `library`, naming the entry.
  public mutating func feed(_ bytes: UnsafeRawBufferPointer, _ handler: (ZipEvent) -> Void) throws(ZipError) {
    if case .failed(let error) = stage { throw error }
    var rest = bytes
    do throws(ZipError) {
      while !rest.isEmpty {
        let used = try advance(rest, handler)
        position += UInt64(used)
        rest = rest.part(used, rest.count - used)
      }
    } catch {
      stage = .failed(error)
      throw error
    }
  }

  /// Says that no more bytes come.
  ///
  /// - Throws: `ZipError` of code `truncated` when the ZIP isn't at its end; the error that `feed` threw.
  public mutating func finish() throws(ZipError) {
    switch stage {
    case .done: return
    case .failed(let error): throw error
    default:
      let error = ZipError(.truncated, entry: entryInProgress, detail: "the ZIP ends after \(position) bytes, in \(awaited)")
      stage = .failed(error)
      throw error
    }
  }

  /// Does one step with the bytes at hand.
  ///
  /// - Returns: how many of them it has used. It may be none, but then the stage has changed.
  private mutating func advance(_ bytes: UnsafeRawBufferPointer, _ emit: (ZipEvent) -> Void) throws(ZipError) -> Int {
    switch stage {
    case .data: return try readData(bytes, emit)
    case .skipping(let left): return skipData(bytes, left: left, emit)
    case .done:
      if position == directory.end { report(.extraneous, entry: nil, at: position, "bytes after the end of the ZIP") }
      return bytes.count
    case .failed(let error): throw error
    case .signature, .record, .descriptor:
      let count = min(needed - held.count, bytes.count)
      held.append(contentsOf: bytes.prefix(count))
      guard held.count == needed else { return count }
      try gathered(endingAt: position + UInt64(count), emit)
      return count
    }
  }

  /// Goes on when as many bytes are held as were needed.
  private mutating func gathered(endingAt end: UInt64, _ emit: (ZipEvent) -> Void) throws(ZipError) {
    switch stage {
    case .signature:
      let record = try recordAhead()
      needed = record.fixedBytes
      stage = .record(record, isFixed: true)
    case .record(let record, isFixed: true):
      needed = held.withUnsafeBytes { record.wholeBytes($0) }
      stage = .record(record, isFixed: false)
      if needed == held.count { try take(record, endingAt: end, emit) }
    case .record(let record, isFixed: false): try take(record, endingAt: end, emit)
    case .descriptor(let isWhole): takeDescriptor(isWhole: isWhole, endingAt: end, emit)
    case .data, .skipping, .done, .failed: return
    }
  }

  /// The record whose signature is held, if it may come here.
  private func recordAhead() throws(ZipError) -> ZipRecord {
    let record = ZipRecord(rawValue: held.withUnsafeBytes { $0.number(at: 0) })
    switch (part, record) {
    case (.entries, .local), (.entries, .central), (.directory, .central), (.entries, .zip64End), (.directory, .zip64End),
      (.entries, .end), (.directory, .end), (.afterZip64End, .zip64Locator), (.afterZip64Locator, .end):
      if let record { return record }
    default: break
    }
    let place = records.count == 0 ? "the start" : "where a record must be"
    throw ZipError(.format, detail: "no ZIP record at \(place) (byte \(start))")
  }

  private mutating func take(_ record: ZipRecord, endingAt end: UInt64, _ emit: (ZipEvent) -> Void) throws(ZipError) {
    switch record {
    case .local: try takeLocalHeader(endingAt: end, emit)
    case .central: takeDirectoryEntry(endingAt: end, emit)
    case .zip64End: try takeZip64End(endingAt: end)
    case .zip64Locator: takeZip64Locator(endingAt: end)
    case .end: takeEnd(endingAt: end, emit)
    }
  }

  /// Awaits a record that begins here.
  mutating func awaitRecord(at offset: UInt64) {
    held.removeAll(keepingCapacity: true)
    needed = 4
    start = offset
    stage = .signature
  }

  /// Lists a problem, or counts it when there are enough.
  mutating func report(_ code: ZipProblem.Code, entry: String?, at offset: UInt64, _ detail: @autoclosure () -> String) {
    guard problems.count < limits.problems else {
      unlistedProblems += 1
      return
    }
    problems.append(ZipProblem(code: code, entry: entry, offset: offset, detail: detail()))
  }

  private var awaited: String {
    switch stage {
    case .signature: "front of the next record"
    case .record(.local, _): "a local header"
    case .record(.central, _): "the central directory"
    case .record: "the end records"
    case .data, .skipping: "an entry's data"
    case .descriptor: "a data descriptor"
    case .done, .failed: "nothing"
    }
  }

  private var entryInProgress: String? {
    switch stage {
    case .data, .skipping, .descriptor: currentPath
    default: nil
    }
  }

  /// The path of the entry being read, as far as it is text.
  var currentPath: String { path(records.count - 1) }

  func path(_ index: Int) -> String {
    records.withPath(index) { String(decoding: $0, as: UTF8.self) }
  }
}
