internal import Files
internal import JSONStreaming

/// Members of the command's own JSON: what isn't known is null.
extension JSONWriter {
  mutating func member(_ key: StaticString, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  mutating func member(_ key: StaticString, _ value: Int?) {
    self.key(key)
    if let value { integer(value) } else { null() }
  }

  mutating func member(_ key: StaticString, _ value: UInt64?) {
    self.key(key)
    if let value { integer(value) } else { null() }
  }

  mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  /// A path: text, or its bytes where it is none.
  mutating func member(_ key: StaticString, _ path: PathBytes?) {
    self.key(key)
    guard let path else { return null() }
    path.bytes.withUnsafeBufferPointer { text(utf8: $0) }
  }

  mutating func member(_ key: StaticString, _ texts: [String]) {
    self.key(key)
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
