/// How `Encodable` values are written, where their own `encode(to:)` doesn't say enough.
///
/// Without anything set: dates are RFC 3339, `Data` is `$base64` or a file of its own, `Decimal` an exact number, a `URL` its text; everything
/// else is what its `encode(to:)` says.
public struct RecordEncoding: Sendable {
  /// What `Encoder.userInfo` holds.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  private(set) var forms: [ObjectIdentifier: any ValueForm] = [:]

  /// Nothing special.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

  /// Has all values of a type written as another value, wherever they stand.
  ///
  /// ```swift
  /// encoding.write(Money.self) { .number(digits: $0.text) }
  /// ```
  public mutating func write<Value: Encodable>(_ type: Value.Type, as form: @escaping @Sendable (Value) throws -> RecordValue) {
    forms[ObjectIdentifier(type)] = FormOf(make: form)
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
