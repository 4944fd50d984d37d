/// How `Encodable` values are written, where their own `encode(to:)` doesn't say enough.
///
/// Without anything set: dates are RFC 3339, `Data` is `$base64` or a file of its own, `Decimal` an exact number, a `URL` its text; everything
/// else is what its `encode(to:)` says.
public struct RecordEncoding: Sendable {
  /// What `Encoder.userInfo` holds.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  private(set) var forms: [ObjectIdentifier: any ValueForm] = [:]
  /// Whether a type has a form that is written without being asked for one: text, a number, a truth value.
  private(set) var hasPlainForms = false

  /// Nothing special.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

  /// Has all values of a type written as another value, wherever they stand: as members, elements, by themselves, and where another
  /// type's `encode(to:)` writes itself as one, as an enum of texts does. A form of `String` has nothing to do with keys, nor with what
  /// another form gives; types that have a form of the bundle's own (dates, `Data`, `Decimal`, `URL`) are asked for by their own name.
  ///
  /// ```swift
  /// encoding.write(Money.self) { .number(digits: $0.text) }
  /// ```
  public mutating func write<Value: Encodable>(_ type: Value.Type, as form: @escaping @Sendable (Value) throws -> RecordValue) {
    forms[ObjectIdentifier(type)] = FormOf(make: form)
    if type is any PlainValue.Type { hasPlainForms = true }
  }
}

/// What values of one type are written as.
protocol ValueForm: Sendable {
  func form(of value: Any) throws -> RecordValue
}

private struct FormOf<Value>: ValueForm {
  let make: @Sendable (Value) throws -> RecordValue

  func form(of value: Any) throws -> RecordValue {
    guard let value = value as? Value else { throw RecordFault(.form) }
    return try make(value)
  }
}
