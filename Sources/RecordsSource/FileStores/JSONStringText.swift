import JSONReading

/// The text of a JSON string, its escapes resolved. The bytes' memory is used again.
struct JSONStringText: JSONEventHandler {
  /// The text of the last string that was read; bytes that are no UTF-8 where it holds half a surrogate pair.
  private(set) var bytes: [UInt8] = []

  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) throws(JSONError) { bytes.append(contentsOf: utf8) }

  /// Reads a string with its quotes.
  mutating func read(_ text: UnsafeRawBufferPointer) throws(JSONError) {
    bytes.removeAll(keepingCapacity: true)
    var scanner = JSONScanner()
    do throws(JSONError) {
      try scanner.feed(text, handler: &self)
      try scanner.finish(handler: &self)
    } catch {
      guard error.code == .unpairedSurrogate else { throw error }
      // JSON can spell it and UTF-8 can't hold it: its bytes are kept.
      guard case .invalidString(let kept) = try JSONParser.parse(text) else { throw error }
      bytes = kept
    }
  }
}
