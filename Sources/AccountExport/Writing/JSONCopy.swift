internal import JSONReading

extension NestedWriter {
  /// One value that is JSON text already (RFC 8259, UTF-8): checked, keys with `$` doubled, secrets masked, every digit of a number kept. What is no JSON is an
  /// error, and the whole value of the column is to be taken back (`RowWriter.nested` does).
  /// - Parameters:
  ///   - text: The JSON text, borrowed.
  ///   - depth: How deep its values may lie in one another.
  public mutating func json(_ text: UnsafeRawBufferPointer, depth: Int) throws {
    try json(depth: depth) { take in try take(text) }
  }

  /// The same of a text that comes in pieces, of which `body` hands over each.
  public mutating func json(depth: Int, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
    try JSONCopy.write(limits: JSONScanner.Limits(depth: max(1, depth)), to: &self, body)
  }
}

/// The way of a JSON text into a row: checked, keys with `$` doubled, secrets masked, every digit of a number kept. Memory is that of one key, number or
/// part of a string, whatever the text's length.
struct JSONCopy: ~Copyable, JSONEventHandler {
  private var sink: NestedWriter
  private var text: [UInt8] = []
  /// Whether the string is so long that it goes on in pieces.
  private var isLong = false
  private var failure: (any Error)?

  /// Texts up to this many bytes are looked at as a whole, since they may be a secret by their form.
  private static let wholeText = 64 << 10

  private init(_ sink: consuming NestedWriter) { self.sink = sink }

  private consuming func release() -> NestedWriter { sink }

  /// Copies a text that comes in pieces: `body` hands each over.
  static func write(
    limits: JSONScanner.Limits, to sink: inout NestedWriter, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    var copy = JSONCopy(sink)
    var scanner = JSONScanner(limits: limits)
    var thrown: (any Error)?
    do {
      try body { piece in try scanner.feed(piece, handler: &copy) }
      try scanner.finish(handler: &copy)
    } catch { thrown = error }
    let failure = copy.failure
    sink = copy.release()
    if let thrown { throw failure ?? thrown }
  }

  /// What the writer throws ends the scan; it is thrown on afterwards.
  private mutating func passing(_ body: (inout NestedWriter) throws -> Void) throws(JSONError) {
    do { try body(&sink) } catch {
      failure = error
      throw JSONError(code: .refused, message: "it can't be written")
    }
  }

  mutating func beginObject() throws(JSONError) { try passing { (sink) throws in try sink.beginObject() } }
  mutating func endObject() throws(JSONError) { sink.endObject() }
  mutating func beginArray() throws(JSONError) { try passing { (sink) throws in try sink.beginArray() } }
  mutating func endArray() throws(JSONError) { sink.endArray() }
  mutating func key(_ utf8: UnsafeRawBufferPointer) throws(JSONError) { sink.key(utf8.bindMemory(to: UInt8.self)) }
  mutating func number(_ text: UnsafeRawBufferPointer) throws(JSONError) { try passing { (sink) throws in try sink.number(digits: text) } }
  mutating func bool(_ value: Bool) throws(JSONError) { sink.boolean(value) }
  mutating func null() throws(JSONError) { sink.null() }

  mutating func beginString() throws(JSONError) {
    text.removeAll(keepingCapacity: true)
    isLong = false
  }

  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) throws(JSONError) {
    let part = utf8.bindMemory(to: UInt8.self)
    if isLong { return try passing { (sink) throws in try sink.appendText(part) } }
    text += part
    if text.count <= Self.wholeText { return }
    isLong = true
    let begun = text
    try passing { (sink) throws in
      sink.beginText()
      try begun.withUnsafeBufferPointer { try sink.appendText($0) }
    }
  }

  mutating func endString() throws(JSONError) {
    if isLong { return try passing { (sink) throws in try sink.endText() } }
    let whole = text
    try passing { (sink) throws in try whole.withUnsafeBufferPointer { try sink.text($0) } }
  }
}
