/// Receives a property list value by value, in the file's order: no tree is built. Whatever a method throws ends the walk and is passed on.
///
/// A dictionary comes as `beginDictionary`, then `key` and a value for each member, then `endDictionary`. One whose keys aren't all text,
/// aren't all well-formed, or aren't all different (binary lists can hold that, and other readers drop all but the last) comes as `beginPairs`, then
/// `beginPair`, the key as a value, `beginPairValue`, the value, `endPair` for each, then `endPairs`: nothing is lost. Spans are valid during the call only.
public protocol PropertyListVisitor: ~Copyable {
  /// The null of a binary list (or its `fill` byte), `$null` or `NSNull` of an archive.
  mutating func null() throws
  /// A truth value.
  mutating func boolean(_ value: Bool) throws
  /// An integer that an Int64 holds.
  mutating func integer(_ value: Int64) throws
  /// An integer larger than `Int64.max`.
  mutating func unsigned(_ value: UInt64) throws
  /// A double, as its bits stand in the file: NaN, infinities and -0.0 too.
  mutating func real(_ value: Double) throws
  /// A real of 32 bits. Where this isn't implemented it comes as the double that equals it.
  mutating func single(_ value: Float) throws
  /// A date in seconds since 2001-01-01T00:00:00Z; beyond any calendar, infinite or NaN too.
  mutating func date(secondsSince2001 seconds: Double) throws
  /// Data.
  mutating func data(_ bytes: Span<UInt8>) throws
  /// A UUID of an archive, 16 bytes.
  mutating func uuid(_ bytes: Span<UInt8>) throws
  /// Text, always well-formed UTF-8.
  mutating func text(_ utf8: Span<UInt8>) throws
  /// Text that isn't well-formed. UTF-16 with unpaired surrogates comes as UTF-8 with each of them as the three bytes it would take; a text of bytes
  /// that are neither ASCII nor UTF-8 comes as these bytes.
  mutating func malformedText(_ bytes: Span<UInt8>) throws
  /// A UID outside an archive, or one that leads nowhere inside.
  mutating func uid(_ value: UInt64) throws

  /// Begins an array or a set of `count` values.
  mutating func beginArray(_ kind: PropertyListArrayKind, count: Int) throws
  /// Ends the array or set begun last.
  mutating func endArray() throws
  /// Begins a dictionary of `count` keys, all different.
  mutating func beginDictionary(count: Int) throws
  /// The key of the member that follows, well-formed UTF-8, as it stands in the file.
  mutating func key(_ utf8: Span<UInt8>) throws
  /// Ends the dictionary begun last.
  mutating func endDictionary() throws
  /// Begins a dictionary whose keys no JSON object can have.
  mutating func beginPairs(count: Int) throws
  /// Begins a pair; its key follows as a value.
  mutating func beginPair() throws
  /// The pair's key has been passed, its value follows. `name` is the key where that is well-formed text.
  mutating func beginPairValue(named name: Span<UInt8>?) throws
  /// Ends a pair.
  mutating func endPair() throws
  /// Ends the pairs begun last.
  mutating func endPairs() throws

  /// A keyed archive. `decode` passes the one value that it holds; a visitor that wants only the bytes needn't call it.
  mutating func archive(_ bytes: Span<UInt8>, decode: (inout Self) throws -> Void) throws
  /// Begins an archived object of a class that is no plain value; `count` fields follow as `key` and value.
  mutating func beginObject(class name: Span<UInt8>, count: Int) throws
  /// Ends the archived object begun last.
  mutating func endObject() throws
  /// An archived object that came before, or that holds this place: its index among the archive's objects.
  mutating func reference(_ index: Int) throws
}

extension PropertyListVisitor where Self: ~Copyable {
  /// Passes the double that equals the 32-bit real.
  public mutating func single(_ value: Float) throws { try real(Double(value)) }
}

/// What kind of array a list holds. Only binary lists and archives know sets.
public enum PropertyListArrayKind: Hashable, Sendable {
  case array, set, orderedSet
}

/// Takes everything and does nothing: what walks a list only to see whether it can be walked.
struct SilentVisitor: PropertyListVisitor {
  func null() {}
  func boolean(_ value: Bool) {}
  func integer(_ value: Int64) {}
  func unsigned(_ value: UInt64) {}
  func real(_ value: Double) {}
  func date(secondsSince2001 seconds: Double) {}
  func data(_ bytes: Span<UInt8>) {}
  func uuid(_ bytes: Span<UInt8>) {}
  func text(_ utf8: Span<UInt8>) {}
  func malformedText(_ bytes: Span<UInt8>) {}
  func uid(_ value: UInt64) {}
  func beginArray(_ kind: PropertyListArrayKind, count: Int) {}
  func endArray() {}
  func beginDictionary(count: Int) {}
  func key(_ utf8: Span<UInt8>) {}
  func endDictionary() {}
  func beginPairs(count: Int) {}
  func beginPair() {}
  func beginPairValue(named name: Span<UInt8>?) {}
  func endPair() {}
  func endPairs() {}
  mutating func archive(_ bytes: Span<UInt8>, decode: (inout SilentVisitor) throws -> Void) throws { try decode(&self) }
  func beginObject(class name: Span<UInt8>, count: Int) {}
  func endObject() {}
  func reference(_ index: Int) {}
}
