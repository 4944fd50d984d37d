/// How a CSV text is written: RFC 4180, and what else there is. All marks are ASCII characters.
public struct CSVDialect: Hashable, Sendable {
  /// What stands between two fields.
  public var delimiter: UInt8
  /// What a field may be enclosed in; nil where nothing is: then every quote is text.
  public var quote: UInt8?
  /// Whether two quotes inside quotes are one (RFC 4180). Else the first of them ends the field.
  public var doublesQuotes: Bool
  /// What takes the meaning from the character behind it, in quotes and outside; nil where there is none.
  public var escape: UInt8?

  /// A dialect, by default that of RFC 4180.
  public init(delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8? = UInt8(ascii: "\""), doublesQuotes: Bool = true, escape: UInt8? = nil) {
    (self.delimiter, self.quote, self.doublesQuotes, self.escape) = (delimiter, quote, doublesQuotes, escape)
  }
}

/// How much is read at most, so that no text can make a reader take memory or time without bound.
public struct CSVLimits: Hashable, Sendable {
  /// So many bytes of a record are kept in memory; of a longer one, only the places of its fields.
  public var recordBytes: Int
  /// So many fields of a record are told; those beyond are left out, and the record says so.
  public var fields: Int
  /// A quoted field whose end doesn't come within so many bytes is taken for one that was never ended.
  public var quotedBytes: Int
  /// So many bytes are read again because of quotes that never end, if there are more than a few of them. Beyond, quotes are text.
  public var repeatedBytes: Int

  /// Limits, by default 1 MiB, 16,384 fields, 256 MiB and 256 MiB.
  public init(recordBytes: Int = 1 << 20, fields: Int = 16384, quotedBytes: Int = 256 << 20, repeatedBytes: Int = 256 << 20) {
    self.recordBytes = max(recordBytes, 64)
    self.fields = max(fields, 1)
    (self.quotedBytes, self.repeatedBytes) = (quotedBytes, repeatedBytes)
  }
}

/// What is odd in a record that is read nevertheless.
public enum CSVProblem: Hashable, Sendable {
  /// A quote that begins a field and never ends: the field goes to the end of its line.
  case unterminatedQuote
  /// More fields than the limit allows.
  case tooManyFields
  /// From this record on quotes are text: too many of them had no end.
  case quotesGivenUp
}
