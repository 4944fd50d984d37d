/// An encoder that only takes note of what a value of Foundation says of itself: a number, bytes, or a few fields.
final class CapturedValue: Encoder {
  private(set) var seconds: Double?
  private(set) var bytes: [UInt8]?
  private(set) var texts: [String: String] = [:]
  fileprivate(set) var numbers: [String: Int] = [:]
  fileprivate(set) var words: [UInt16] = []
  /// Whether something else came, so that this is no value as it is known.
  fileprivate(set) var isOther = false

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func reset() {
    (seconds, bytes, isOther) = (nil, nil, false)
    if !texts.isEmpty { texts = [:] }
    if !numbers.isEmpty { numbers = [:] }
    if !words.isEmpty { words = [] }
  }

  /// The fields of a decimal number, where they are all there.
  var decimal: StoredDecimal? {
    guard !isOther, let exponent = numbers["exponent"], let length = numbers["length"], let sign = numbers["isNegative"],
      words.count >= length, length >= 0, abs(exponent) < 1024
    else { return nil }
    return StoredDecimal(exponent: exponent, isNegative: sign != 0, mantissa: words, length: length)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(CapturedFields<Key>(value: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if bytes == nil { bytes = [] }
    return CapturedElements(value: self, isBytes: true)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { CapturedSingle(value: self) }

  fileprivate func take(_ number: Double) { seconds = number }
  fileprivate func take(_ text: String, _ key: String) { texts[key] = text }
  fileprivate func take(_ byte: UInt8) { bytes?.append(byte) }

  fileprivate func take(contentsOf more: some Sequence<UInt8>) {
    let isDone: Void? = more.withContiguousStorageIfAvailable { bytes?.append(contentsOf: $0) }
    if isDone == nil { bytes?.append(contentsOf: more) }
  }

  fileprivate func refuse() { isOther = true }
}

private struct CapturedSingle: SingleValueEncodingContainer {
  let value: CapturedValue
  var codingPath: [any CodingKey] { [] }

  func encode(_ number: Double) throws { value.take(number) }
  func encodeNil() throws { value.refuse() }
  func encode<Other: Encodable>(_ other: Other) throws { value.refuse() }
}

private struct CapturedFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let value: CapturedValue
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { value.refuse() }
  func encode(_ text: String, forKey key: Key) throws { value.take(text, key.stringValue) }

  func encode<Other: Encodable>(_ other: Other, forKey key: Key) throws {
    switch other {
    case let flag as Bool: value.numbers[key.stringValue] = flag ? 1 : 0
    case let number as any BinaryInteger: value.numbers[key.stringValue] = Int(clamping: number)
    // The base of a relative URL.
    default: value.take("", key.stringValue)
    }
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { CapturedElements(value: value, isBytes: false) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    value.refuse()
    return KeyedEncodingContainer(CapturedFields<Nested>(value: value))
  }

  func superEncoder() -> any Encoder { value }
  func superEncoder(forKey key: Key) -> any Encoder { value }
}

private struct CapturedElements: UnkeyedEncodingContainer {
  let value: CapturedValue
  let isBytes: Bool
  var count = 0
  var codingPath: [any CodingKey] { [] }

  init(value: CapturedValue, isBytes: Bool) { (self.value, self.isBytes) = (value, isBytes) }

  mutating func encode(_ byte: UInt8) throws { value.take(byte) }
  mutating func encode(_ word: UInt16) throws { value.words.append(word) }
  mutating func encode<Bytes: Sequence>(contentsOf bytes: Bytes) throws where Bytes.Element == UInt8 { value.take(contentsOf: bytes) }
  mutating func encodeNil() throws { value.refuse() }
  mutating func encode<Other: Encodable>(_ other: Other) throws { value.refuse() }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { CapturedElements(value: value, isBytes: isBytes) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    value.refuse()
    return KeyedEncodingContainer(CapturedFields<Nested>(value: value))
  }

  func superEncoder() -> any Encoder { value }
}
