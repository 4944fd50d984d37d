import JSONStreaming

/// The members of an object, as a value writes them.
struct KeyedPlace<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: Place

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) throws { place.scalar(try place.begin(key: key.stringValue), masked: false) { $0.null() } }
  func encode(_ value: Bool, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try plain(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try plain(value, key) }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encode(_ value: Int128, forKey key: Key) throws { try plain(value, key) }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encode(_ value: UInt128, forKey key: Key) throws { try plain(value, key) }

  @inline(__always)
  private func plain<Value: PlainValue>(_ value: Value, _ key: Key) throws {
    if place.row.hasPlainForms && place.row.hasForm(of: Value.self) { return try place.encode(value, key: key) }
    try value.put(try place.begin(key: key.stringValue), in: place)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try place.encode(value, key: key) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(KeyedPlace<Nested>(place: place.nested(.object, key: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { UnkeyedPlace(place: place.nested(.array, key: key)) }

  func superEncoder() -> any Encoder { place.nested(.empty, key: SuperKey()) }

  func superEncoder(forKey key: Key) -> any Encoder { place.nested(.empty, key: key) }
}

/// Optional members: nil is null in a row, which has every key, and nothing in other objects.
extension KeyedPlace {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try plainIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try plainIfPresent(value, key) }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try plainIfPresent(value, key) }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try plainIfPresent(value, key) }

  @inline(__always)
  private func plainIfPresent<Value: PlainValue>(_ value: Value?, _ key: Key) throws {
    if let value { try plain(value, key) } else { try place.absent(key: key.stringValue) }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try place.absent(key: key.stringValue) }
  }
}

/// The key of what a superclass writes for itself.
struct SuperKey: CodingKey {
  init() {}
  init?(intValue: Int) { return nil }
  init?(stringValue: String) { return nil }

  var stringValue: String { "super" }
  var intValue: Int? { nil }
}
