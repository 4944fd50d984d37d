/// What takes the events of a ``JSONScanner``.
///
/// All bytes are valid UTF-8 with escapes resolved, and their pointers are valid during the call only. A handler refuses what it doesn't like by throwing a
/// ``JSONError`` (code ``JSONError/Code/refused``); the scanner adds the place.
///
/// What a handler doesn't implement, it passes over. The scanner is generic over its handler and inlinable, so that a concrete handler costs no dynamic call per event.
public protocol JSONEventHandler: ~Copyable {
  /// `{`
  mutating func beginObject() throws(JSONError)
  /// `}`
  mutating func endObject() throws(JSONError)
  /// `[`
  mutating func beginArray() throws(JSONError)
  /// `]`
  mutating func endArray() throws(JSONError)
  /// A key, whole. That it may come twice in an object is the handler's to find.
  mutating func key(_ utf8: UnsafeRawBufferPointer) throws(JSONError)
  /// The begin of a string value.
  mutating func beginString() throws(JSONError)
  /// A part of a string, never empty, never ending inside a code point. How a string is cut into parts depends on the chunks fed.
  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) throws(JSONError)
  /// The end of a string value.
  mutating func endString() throws(JSONError)
  /// A number, whole, as it is written.
  mutating func number(_ text: UnsafeRawBufferPointer) throws(JSONError)
  /// `true` or `false`
  mutating func bool(_ value: Bool) throws(JSONError)
  /// `null`
  mutating func null() throws(JSONError)
  /// A value begins at this byte of the whole text; its own events follow.
  mutating func valueBegins(at offset: Int)
  /// A value has ended before this byte of the whole text; its own events are over.
  mutating func valueEnds(at offset: Int)
}

extension JSONEventHandler where Self: ~Copyable {
  /// Does nothing.
  @inlinable public mutating func beginObject() throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func endObject() throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func beginArray() throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func endArray() throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func key(_ utf8: UnsafeRawBufferPointer) throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func beginString() throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func stringPart(_ utf8: UnsafeRawBufferPointer) throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func endString() throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func number(_ text: UnsafeRawBufferPointer) throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func bool(_ value: Bool) throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func null() throws(JSONError) {}
  /// Does nothing.
  @inlinable public mutating func valueBegins(at offset: Int) {}
  /// Does nothing.
  @inlinable public mutating func valueEnds(at offset: Int) {}
}

/// Passes over all events: for asking only whether a text is JSON.
public struct JSONValidityHandler: JSONEventHandler {
  /// A handler.
  @inlinable public init() {}
}
