/// Reads a CSV text (RFC 4180 and other dialects) record by record: UTF-8, or any encoding whose bytes below 0x80 are ASCII. Lines end at LF, CR LF or CR, mixed as
/// they come; empty lines are passed over.
///
/// The bytes of a record lie in one buffer that is used again, and nothing is allocated for a record or a field. A record longer than the limit is told by the places
/// of its fields alone (``isLong``); ``CSVFieldReader`` reads those. Behind a quote that ends a field more text may follow, as in other readers: it belongs to the field.
///
/// `@unchecked Sendable`: the compiler can't see that the pointer is safe to hand over. It is: the struct can't be copied, never gives the pointer away beyond a call,
/// and is the only one that frees it.
public struct CSVReader: ~Copyable, @unchecked Sendable {
  /// Reads bytes of the text from a place on into a buffer, and says how many; 0 is the end.
  public typealias Source = @Sendable (UnsafeMutableRawBufferPointer, _ offset: UInt64) throws -> Int

  /// One field of the present record: offsets from the record's begin.
  struct Field {
    /// Where its content begins, behind the quote.
    var start: Int
    /// Where its content ends in the buffer, without the quotes and escapes that are no content.
    var end: Int
    /// Where it ends in the text: at the delimiter or the line's end.
    var rawEnd: Int
    var isQuoted: Bool
  }

  /// The dialect that is read.
  public let dialect: CSVDialect
  let limits: CSVLimits
  let source: Source

  // The window: bytes of the text from `windowOffset` on, of which those before `next` are taken.
  private(set) var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  var windowOffset: UInt64
  var filled = 0
  var next = 0
  /// Where the present record begins in the buffer, as long as it is there.
  var recordStart = 0
  private var isAtEnd = false

  // The present record.
  private(set) var fields: UnsafeMutablePointer<Field>
  private(set) var count = 0
  private var fieldCapacity = 32
  /// What makes a place in the buffer an offset from the record's begin.
  private var shift = 0
  /// Where the present record begins in the text.
  public internal(set) var recordOffset: UInt64 = 0
  /// The line on which the present record begins, counted from 1.
  public internal(set) var recordLine = 1
  /// What is odd in the present record.
  public internal(set) var problem: CSVProblem?
  /// Whether the present record is longer than the limit, so that only the places of its fields are known.
  public private(set) var isLong = false

  /// The line that is being read.
  var line = 1
  var offsetAfterReturn: UInt64 = .max
  /// The place of a quote that is known to have no end.
  var brokenQuote: UInt64 = .max
  var repeats = 0
  var repeatedBytes = 0
  var quotesAreText = false

  /// A reader of a text.
  /// - Parameters:
  ///   - offset: Where in the source the text begins.
  ///   - line: The number of the line there.
  public init(
    dialect: CSVDialect = CSVDialect(), limits: CSVLimits = CSVLimits(), at offset: UInt64 = 0, line: Int = 1, source: @escaping Source
  ) {
    (self.dialect, self.limits, self.source) = (dialect, limits, source)
    capacity = min(limits.recordBytes, 256 << 10)
    base = .allocate(capacity: capacity)
    windowOffset = offset
    self.line = line
    fields = .allocate(capacity: fieldCapacity)
  }

  deinit {
    base.deallocate()
    fields.deallocate()
  }

  /// Reads the next record; false at the end of the text.
  public mutating func nextRecord() throws -> Bool {
    repeat {
      guard try record() else { return false }
    } while isBlank
    return true
  }

  private var isBlank: Bool {
    count == 1 && fields[0].rawEnd == fields[0].start && !fields[0].isQuoted
  }

  // MARK: The window

  /// The place of the next byte in the text.
  @inline(__always)
  var offset: UInt64 { windowOffset &+ UInt64(truncatingIfNeeded: next) }

  /// The place of the next byte, counted from the record's begin.
  @inline(__always)
  var relative: Int { next &+ shift }

  /// Marks the next byte as a record's first.
  mutating func beginRecord() {
    recordStart = next
    shift = -next
    recordOffset = offset
    recordLine = line
    isLong = false
    problem = nil
    count = 0
  }

  /// Takes note of a field.
  @inline(__always)
  mutating func append(_ field: Field) {
    if count == limits.fields {
      if problem == nil { problem = .tooManyFields }
      return
    }
    if count == fieldCapacity { growFields() }
    fields[count] = field
    count &+= 1
  }

  @inline(never)
  private mutating func growFields() {
    let grown = UnsafeMutablePointer<Field>.allocate(capacity: fieldCapacity * 2)
    grown.update(from: fields, count: count)
    fields.deallocate()
    (fields, fieldCapacity) = (grown, fieldCapacity * 2)
  }

  /// Goes back to a place in the text, where a record begins.
  mutating func seek(to offset: UInt64, line: Int) {
    (windowOffset, filled, next, recordStart) = (offset, 0, 0, 0)
    (self.line, offsetAfterReturn, isAtEnd) = (line, .max, false)
  }

  /// Reads more bytes behind those in the window; false at the end of the text. What the record has in the window stays there, unless it is too long.
  mutating func fill() throws -> Bool {
    if isAtEnd { return false }
    if isLong || filled == capacity && recordStart == 0 && capacity >= limits.recordBytes {
      isLong = true
      windowOffset += UInt64(filled)
      shift += filled
      (filled, next, recordStart) = (0, 0, 0)
    } else if recordStart > 0 {
      base.update(from: base + recordStart, count: filled - recordStart)
      windowOffset += UInt64(recordStart)
      filled -= recordStart
      next -= recordStart
      shift += recordStart
      recordStart = 0
    } else if filled == capacity {
      grow()
    }
    let room = UnsafeMutableRawBufferPointer(start: base + filled, count: capacity - filled)
    let count = try source(room, windowOffset + UInt64(filled))
    filled += count
    isAtEnd = count == 0
    return count > 0
  }

  private mutating func grow() {
    let larger = min(capacity * 2, limits.recordBytes)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    grown.update(from: base, count: filled)
    base.deallocate()
    (base, capacity) = (grown, larger)
  }
}
