public import TextDecoding

/// The formats of files whose records are read as they stand there.
public enum FileStoreFormat: String, Sendable, CaseIterable {
  /// Lines of fields (RFC 4180 and its dialects).
  case csv
  /// One JSON text: an array of rows, an object of such arrays, or one row.
  case json
  /// JSON texts one after another, by lines as a rule.
  case ndjson
}

/// How a file store is read, where it isn't told by the file itself.
public struct FileStoreOptions: Sendable, Hashable {
  /// The format; nil to tell it by the content.
  public var format: FileStoreFormat?
  /// The text's encoding; nil to tell UTF-8 and UTF-16 by the first bytes.
  public var encoding: TextEncoding?
  /// CSV: what stands between two fields, an ASCII character; nil to tell it by the first records.
  public var delimiter: UInt8?
  /// CSV: what a field may be enclosed in, an ASCII character; nil where quotes are text.
  public var quote: UInt8? = UInt8(ascii: "\"")
  /// CSV: what takes the meaning from the character behind it, an ASCII character; nil where there is none.
  public var escape: UInt8?
  /// CSV: whether the first record names the columns.
  public var hasHeader = true

  /// Everything told by the file itself.
  public init() {}
}
