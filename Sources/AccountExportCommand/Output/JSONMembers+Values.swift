internal import JSONReading
internal import JSONStreaming

extension JSONWriter {
  /// A JSON value that others have made.
  mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let digits): Array(digits.utf8).withUnsafeBytes { rawValue($0) }
    case .string(let text): string(text)
    case .invalidString(let bytes): string(String(decoding: bytes, as: UTF8.self))
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }
}
