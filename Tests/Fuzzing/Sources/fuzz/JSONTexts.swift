import JSONReading

/// Reads bytes that may be JSON: as a whole, in pieces, into a tree, and as JSON5. All must agree.
func checkJSON(_ bytes: UnsafeRawBufferPointer) {
  let whole = scan { scanner, recorder throws(JSONError) in try scanner.feed(bytes, handler: &recorder) }
  let cut = scan { scanner, recorder throws(JSONError) in
    var failure: JSONError?
    forEachPiece(of: bytes) { piece in
      do throws(JSONError) { try scanner.feed(piece, handler: &recorder) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
  require(whole == cut, "otherwise in pieces: \(whole) \(cut)")
  let strict = tree(bytes, .strict)
  let json5 = tree(bytes, .json5)
  guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
  switch (whole.error, strict) {
  case (nil, .success(let value)):
    require(whole.events == events(of: value), "another tree than the events tell")
    guard case .success(let lenient) = json5 else { return require(false, "JSON that is no JSON5: \(json5)") }
    require(whole.events == events(of: lenient), "another tree as JSON5")
  case (nil, .failure(let error)): require(false, "only the scanner takes it: \(error)")
  case (let error?, .success): require(error.code == .unpairedSurrogate, "only the parser takes it: \(error)")
  case (.some, .failure): break
  }
}

private func tree(_ bytes: UnsafeRawBufferPointer, _ dialect: JSONParser.Dialect) -> Result<JSONValue, JSONError> {
  Result { () throws(JSONError) in try JSONParser.parse(bytes, dialect: dialect, duplicateKeys: .kept) }
}

private struct Scan: Equatable {
  var events: [UInt8]
  var error: JSONError?
}

private func scan(_ feed: (inout JSONScanner, inout EventRecorder) throws(JSONError) -> Void) -> Scan {
  var scanner = JSONScanner()
  var recorder = EventRecorder()
  do throws(JSONError) {
    try feed(&scanner, &recorder)
    try scanner.finish(handler: &recorder)
    return Scan(events: recorder.events)
  } catch {
    return Scan(events: [], error: error)
  }
}

/// Writes all events down, in a form in which equal texts mean equal events.
private struct EventRecorder: JSONEventHandler {
  var events: [UInt8] = []

  mutating func beginObject() { events.append(UInt8(ascii: "{")) }
  mutating func endObject() { events.append(UInt8(ascii: "}")) }
  mutating func beginArray() { events.append(UInt8(ascii: "[")) }
  mutating func endArray() { events.append(UInt8(ascii: "]")) }
  mutating func key(_ utf8: UnsafeRawBufferPointer) {
    events.append(UInt8(ascii: ":"))
    events.append(contentsOf: utf8)
    events.append(0xFF)
  }
  mutating func beginString() { events.append(UInt8(ascii: "\"")) }
  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) {
    require(!utf8.isEmpty && String(validating: utf8, as: UTF8.self) != nil, "a part that is empty, or no text")
    events.append(contentsOf: utf8)
  }
  mutating func endString() { events.append(0xFF) }
  mutating func number(_ text: UnsafeRawBufferPointer) {
    events.append(UInt8(ascii: "#"))
    events.append(contentsOf: text)
    events.append(0xFF)
  }
  mutating func bool(_ value: Bool) { events.append(UInt8(ascii: value ? "t" : "f")) }
  mutating func null() { events.append(UInt8(ascii: "n")) }
}

/// The events of a tree, as the recorder writes them.
private func events(of value: JSONValue) -> [UInt8] {
  var recorder = EventRecorder()
  record(value, &recorder)
  return recorder.events
}

private func record(_ value: JSONValue, _ recorder: inout EventRecorder) {
  func bytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) { Array(text.utf8).withUnsafeBytes(body) }
  switch value {
  case .null: recorder.null()
  case .bool(let value): recorder.bool(value)
  case .number(let text): bytes(text) { recorder.number($0) }
  case .string(let text):
    recorder.beginString()
    if !text.isEmpty { bytes(text) { recorder.stringPart($0) } }
    recorder.endString()
  case .invalidString: require(false, "half a surrogate pair that the scanner let through")
  case .array(let elements):
    recorder.beginArray()
    for element in elements { record(element, &recorder) }
    recorder.endArray()
  case .object(let members):
    recorder.beginObject()
    for member in members {
      bytes(member.key) { recorder.key($0) }
      record(member.value, &recorder)
    }
    recorder.endObject()
  }
}
