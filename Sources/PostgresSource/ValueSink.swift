import AccountExport

/// What takes single values: a row's column, or a place inside a value.
protocol ValueSink: ~Copyable {
  mutating func null()
  mutating func boolean(_ value: Bool)
  mutating func integer(_ value: Int64)
  mutating func real(_ value: Double)
  mutating func number(digits: UnsafeRawBufferPointer) throws
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) throws
  mutating func moment(_ value: Timestamp)
  mutating func bytes(_ value: UnsafeRawBufferPointer) throws
}

extension RowWriter: ValueSink {}
extension NestedWriter: ValueSink {}
