import JSONStreaming

/// The value of a place itself, as a value writes it.
struct SinglePlace: SingleValueEncodingContainer {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() throws { place.scalar(try place.beginItself(), masked: false) { $0.null() } }
  func encode(_ value: Bool) throws { place.scalar(try place.beginItself(), masked: false) { $0.bool(value) } }
  func encode(_ value: String) throws { place.text(try place.beginItself(), value) }
  func encode(_ value: Double) throws { place.scalar(try place.beginItself()) { $0.double(value) } }
  func encode(_ value: Float) throws { place.scalar(try place.beginItself()) { $0.float(value) } }
  func encode(_ value: Int) throws { place.scalar(try place.beginItself()) { $0.integer(Int64(value)) } }
  func encode(_ value: Int8) throws { place.scalar(try place.beginItself()) { $0.integer(Int64(value)) } }
  func encode(_ value: Int16) throws { place.scalar(try place.beginItself()) { $0.integer(Int64(value)) } }
  func encode(_ value: Int32) throws { place.scalar(try place.beginItself()) { $0.integer(Int64(value)) } }
  func encode(_ value: Int64) throws { place.scalar(try place.beginItself()) { $0.integer(Int64(value)) } }
  func encode(_ value: UInt) throws { place.scalar(try place.beginItself()) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt8) throws { place.scalar(try place.beginItself()) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt16) throws { place.scalar(try place.beginItself()) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt32) throws { place.scalar(try place.beginItself()) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt64) throws { place.scalar(try place.beginItself()) { $0.integer(UInt64(value)) } }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encode(_ value: Int128) throws { try place.number(try place.beginItself(), digits: String(value)) }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encode(_ value: UInt128) throws { try place.number(try place.beginItself(), digits: String(value)) }

  func encode<Value: Encodable>(_ value: Value) throws { try place.encodeItself(value) }
}
