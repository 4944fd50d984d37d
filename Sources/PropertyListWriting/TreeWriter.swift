public import AccountExport

/// What a property list is written with: a file of one value, or a value within a record.
public protocol TreeWriter: ~Copyable {
  /// Begins an object.
  mutating func beginObject() throws
  /// Ends it.
  mutating func endObject()
  /// Begins an array.
  mutating func beginArray() throws
  /// Ends it.
  mutating func endArray()
  /// A key of the account's own, which may name a secret.
  mutating func key(_ utf8: UnsafeBufferPointer<UInt8>)
  /// A key that the bundle's format gives.
  mutating func formatKey(_ name: StaticString)
  /// What the next value is named by where no key stands before it.
  mutating func name(_ utf8: UnsafeBufferPointer<UInt8>)
  /// Nothing.
  mutating func null()
  /// A truth value.
  mutating func boolean(_ value: Bool)
  /// A number without a fraction.
  mutating func integer(_ value: Int64)
  /// A number without a fraction or sign.
  mutating func unsigned(_ value: UInt64)
  /// A floating-point number.
  mutating func real(_ value: Double)
  /// Text in UTF-8, or bytes where it is none.
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) throws
  /// Bytes.
  mutating func bytes(_ value: UnsafeRawBufferPointer) throws
  /// A date without a schema, in seconds since `epoch`, which counts from 1970.
  mutating func date(seconds: Double, since epoch: Int64)
  /// A property list's UID.
  mutating func uid(_ value: UInt64)
  /// 16 bytes as a UUID.
  mutating func uuid(_ bytes: UnsafeRawBufferPointer)
  /// Bytes that are an archive, which `decode` writes; taken back where it throws, and the bytes are written alone.
  mutating func keyedArchive(_ value: UnsafeRawBufferPointer, decode: (inout Self) throws -> Void) throws
}

extension ValueWriter: TreeWriter {
  /// A key of the account's own, which may name a secret.
  public mutating func key(_ utf8: UnsafeBufferPointer<UInt8>) { key(String(decoding: utf8, as: UTF8.self)) }

  /// What the next value is named by where no key stands before it.
  public mutating func name(_ utf8: UnsafeBufferPointer<UInt8>) { name(String(decoding: utf8, as: UTF8.self)) }

  /// Bytes that are an archive. What is too deep for JSON here stays as its bytes: nothing is lost, so there is nothing to tell.
  public mutating func keyedArchive(_ value: UnsafeRawBufferPointer, decode: (inout ValueWriter) throws -> Void) throws {
    try archive(value, decode: decode)
  }
}

extension NestedWriter: TreeWriter {
  /// Bytes that are an archive. What is too deep for JSON here stays as its bytes: nothing is lost, so there is nothing to tell.
  public mutating func keyedArchive(_ value: UnsafeRawBufferPointer, decode: (inout NestedWriter) throws -> Void) throws {
    try archive(value, decode: decode)
  }
}
