/// What a finished collection's Table Schema is made from.
struct TableDraft: Sendable {
  /// The source's folder.
  var source: String
  var description: CollectionDescription
  var rows: Int
  /// The kinds of values that each column holds.
  var kinds: [ValueKinds]
}

/// The kinds of values that were written in one place. A field names a type only if all its values fit.
package struct ValueKinds: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let integer = ValueKinds(rawValue: 1)
  package static let number = ValueKinds(rawValue: 2)
  package static let text = ValueKinds(rawValue: 4)
  package static let boolean = ValueKinds(rawValue: 8)
  package static let object = ValueKinds(rawValue: 16)
  package static let array = ValueKinds(rawValue: 32)
  package static let moment = ValueKinds(rawValue: 64)

  /// The Table Schema's type for them (Data Package v2).
  var fieldType: StaticString {
    switch self {
    case .integer: "integer"
    case .number, [.number, .integer]: "number"
    case .text, [.text, .moment]: "string"
    case .boolean: "boolean"
    case .object: "object"
    case .array: "array"
    case .moment: "datetime"
    default: "any"
    }
  }
}
