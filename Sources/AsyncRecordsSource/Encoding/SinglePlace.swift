import JSONStreaming

/// The value of a place itself, as a value writes it.
struct SinglePlace: SingleValueEncodingContainer {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() throws { place.scalar(try place.beginItself(), masked: false) { $0.null() } }
  func encode(_ value: Bool) throws { try plain(value) }
  func encode(_ value: String) throws { try plain(value) }
  func encode(_ value: Double) throws { try plain(value) }
  func encode(_ value: Float) throws { try plain(value) }
  func encode(_ value: Int) throws { try plain(value) }
  func encode(_ value: Int8) throws { try plain(value) }
  func encode(_ value: Int16) throws { try plain(value) }
  func encode(_ value: Int32) throws { try plain(value) }
  func encode(_ value: Int64) throws { try plain(value) }
  func encode(_ value: UInt) throws { try plain(value) }
  func encode(_ value: UInt8) throws { try plain(value) }
  func encode(_ value: UInt16) throws { try plain(value) }
  func encode(_ value: UInt32) throws { try plain(value) }
  func encode(_ value: UInt64) throws { try plain(value) }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encode(_ value: Int128) throws { try plain(value) }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encode(_ value: UInt128) throws { try plain(value) }

  @inline(__always)
  private func plain<Value: PlainValue>(_ value: Value) throws {
    if place.row.hasPlainForms && place.row.hasForm(of: Value.self) { return try place.encodeItself(value) }
    try value.put(try place.beginItself(), in: place)
  }

  func encode<Value: Encodable>(_ value: Value) throws { try place.encodeItself(value) }
}
