import JSONReading

@testable import AccountExport

/// A JSON text that a test writes value by value.
struct JSONTree: Sendable {
  private let root: JSONValue

  init(_ text: String) throws { root = try JSONParser.parse(Array(text.utf8)) }

  func write(to writer: inout ValueWriter) throws { try Self.write(root, &writer) }

  func write(to writer: inout NestedWriter) throws { try Self.write(root, &writer) }

  private static func write(_ value: JSONValue, _ writer: inout ValueWriter) throws {
    switch value {
    case .null: writer.null()
    case .bool(let value): writer.boolean(value)
    case .number(let digits): try Array(digits.utf8).withUnsafeBytes { try writer.number(digits: $0) }
    case .string(let text): writer.text(text)
    case .invalidString(let bytes): bytes.withUnsafeBufferPointer { writer.text($0) }
    case .array(let elements):
      try writer.beginArray()
      for element in elements { try write(element, &writer) }
      writer.endArray()
    case .object(let members):
      try writer.beginObject()
      for member in members {
        writer.key(member.key)
        try write(member.value, &writer)
      }
      writer.endObject()
    }
  }

  private static func write(_ value: JSONValue, _ writer: inout NestedWriter) throws {
    switch value {
    case .null: writer.null()
    case .bool(let value): writer.boolean(value)
    case .number(let digits): try Array(digits.utf8).withUnsafeBytes { try writer.number(digits: $0) }
    case .string(let text): try Array(text.utf8).withUnsafeBufferPointer { try writer.text($0) }
    case .invalidString(let bytes): try bytes.withUnsafeBufferPointer { try writer.text($0) }
    case .array(let elements):
      try writer.beginArray()
      for element in elements { try write(element, &writer) }
      writer.endArray()
    case .object(let members):
      try writer.beginObject()
      for member in members {
        Array(member.key.utf8).withUnsafeBufferPointer { writer.key($0) }
        try write(member.value, &writer)
      }
      writer.endObject()
    }
  }
}
