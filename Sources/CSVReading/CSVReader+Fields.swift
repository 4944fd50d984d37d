/// Where a field stands in the text.
public struct CSVExtent: Hashable, Sendable {
  /// The place of its first byte, which is its quote where it is quoted.
  public let offset: UInt64
  /// How many bytes it takes in the text, quotes and escapes included.
  public let rawCount: Int
  /// How many bytes its content has.
  public let count: Int
  let isQuoted: Bool
  /// Whether its quote has no end: what follows the quote is content as it is.
  let isBroken: Bool
}

extension CSVReader {
  /// How many fields the present record has, up to the limit.
  public var fieldCount: Int { count }

  /// Whether a field was in quotes, at least at its begin.
  public func isQuoted(_ index: Int) -> Bool { field(index).isQuoted }

  /// Whether a field has no content.
  public func isEmpty(_ index: Int) -> Bool { field(index).end == field(index).start }

  private func field(_ index: Int) -> Field {
    precondition(index >= 0 && index < count, "a field that isn't there")
    return fields[index]
  }

  /// How many fields there are up to the last that has content or quotes.
  public var usedFieldCount: Int {
    var used = count
    while used > 0, isEmpty(used - 1), !isQuoted(used - 1) { used -= 1 }
    return used
  }

  /// Calls `body` with a field's content, without quotes and escapes. The record must not be long. The pointer is valid during the call only.
  public func withField<Result, Failure: Error>(
    _ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!isLong, "a long record's fields are not in memory")
    let field = field(index)
    return try body(UnsafeBufferPointer(start: base + recordStart + field.start, count: field.end - field.start))
  }

  /// Where a field stands in the text, for a ``CSVFieldReader``.
  public func extent(_ index: Int) -> CSVExtent {
    let field = field(index)
    let begin = field.isQuoted ? field.start - 1 : field.start
    let offset = recordOffset + UInt64(begin)
    return CSVExtent(
      offset: offset, rawCount: field.rawEnd - begin, count: field.end - field.start, isQuoted: field.isQuoted,
      isBroken: field.isQuoted && offset == brokenQuote)
  }
}

/// Reads the content of one field that is too long to be kept, piece by piece.
public struct CSVFieldReader {
  private let dialect: CSVDialect
  private let source: CSVReader.Source
  private var place: UInt64
  private var left: Int
  private var isBroken: Bool
  private var state: State

  private enum State { case quoted, quoteInQuoted, plain, escaped(inQuotes: Bool) }

  /// A reader of a field of a text of this dialect.
  public init(_ extent: CSVExtent, dialect: CSVDialect, source: @escaping CSVReader.Source) {
    (self.dialect, self.source, isBroken) = (dialect, source, extent.isBroken)
    let skipped = extent.isQuoted ? 1 : 0
    place = extent.offset + UInt64(skipped)
    left = extent.rawCount - skipped
    state = extent.isQuoted && !extent.isBroken ? .quoted : .plain
  }

  /// Fills a buffer with the next bytes of the content, and says how many; 0 is the end. A text that ends before the field does ends the field.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while left > 0 {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)])
      let count = try source(room, place)
      if count == 0 { left = 0 }
      place += UInt64(count)
      left = max(0, left - count)
      let kept = isBroken ? count : content(in: room, count)
      if kept > 0 { return kept }
    }
    guard case .escaped = state, !buffer.isEmpty else { return 0 }
    // The text ends with an escape, which then is text.
    state = .plain
    buffer[0] = dialect.escape ?? 0
    return 1
  }

  /// Keeps of the bytes in a buffer what is content.
  private mutating func content(in buffer: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
    var kept = 0
    for index in 0..<count {
      let byte = buffer[index]
      switch state {
      case .quoted where byte == dialect.quote:
        state = dialect.doublesQuotes ? .quoteInQuoted : .plain
        continue
      case .quoteInQuoted where byte == dialect.quote: state = .quoted
      case .quoted where byte == dialect.escape:
        state = .escaped(inQuotes: true)
        continue
      case .plain where byte == dialect.escape:
        state = .escaped(inQuotes: false)
        continue
      case .escaped(let inQuotes): state = inQuotes ? .quoted : .plain
      case .quoteInQuoted: state = .plain
      case .quoted, .plain: break
      }
      buffer[kept] = byte
      kept += 1
    }
    return kept
  }
}
