public import AccountExport

/// A value in a form of the bundle that `Encodable` has no word for. It can stand in a model, or be what ``RecordEncoding`` makes of one.
public struct RecordValue: Encodable, Sendable, Hashable {
  enum Form: Sendable, Hashable {
    case null
    case text(String)
    case number(String)
    case moment(Timestamp)
    case bytes([UInt8])
  }

  let form: Form

  /// Nothing.
  public static let null = RecordValue(form: .null)

  /// Text.
  public static func text(_ text: String) -> RecordValue { RecordValue(form: .text(text)) }

  /// A number with all its digits, as it is: it must be a JSON number (RFC 8259, section 6), or the row fails.
  public static func number(digits: String) -> RecordValue { RecordValue(form: .number(digits)) }

  /// A moment, as RFC 3339 in UTC.
  public static func moment(_ moment: Timestamp) -> RecordValue { RecordValue(form: .moment(moment)) }

  /// Bytes: in the row up to the limit (4 KiB), else in a file of their own.
  public static func bytes(_ bytes: [UInt8]) -> RecordValue { RecordValue(form: .bytes(bytes)) }

  /// What other encoders make of it: null, text, the number's digits as text, seconds since 1970, an array of bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch form {
    case .null: try container.encodeNil()
    case .text(let text), .number(let text): try container.encode(text)
    case .moment(let moment): try container.encode(Double(moment.seconds) + Double(moment.nanoseconds) / 1e9)
    case .bytes(let bytes): try container.encode(bytes)
    }
  }
}
