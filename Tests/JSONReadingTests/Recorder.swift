import JSONReading

/// Writes down all events, with the parts of a string put together.
struct Recorder: JSONEventHandler {
  var events: [String] = []
  private var string: [UInt8]?

  mutating func beginObject() { events.append("{") }
  mutating func endObject() { events.append("}") }
  mutating func beginArray() { events.append("[") }
  mutating func endArray() { events.append("]") }
  mutating func key(_ utf8: UnsafeRawBufferPointer) { events.append("key " + decoded(Array(utf8))) }
  mutating func beginString() { string = [] }
  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) throws(JSONError) {
    guard string != nil, !utf8.isEmpty, String(validating: utf8, as: UTF8.self) != nil else {
      throw JSONError(code: .refused, message: "a part that is empty, no text, or outside a string")
    }
    string?.append(contentsOf: utf8)
  }
  mutating func endString() {
    events.append("string " + decoded(string ?? []))
    string = nil
  }
  mutating func number(_ text: UnsafeRawBufferPointer) { events.append("number " + decoded(Array(text))) }
  mutating func bool(_ value: Bool) { events.append("\(value)") }
  mutating func null() { events.append("null") }

  private func decoded(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// What a scanner makes of a text.
struct ScanResult: Equatable {
  var events: [String] = []
  var error: JSONError?
}

/// Scans bytes that come in chunks with the given ends.
func scan(_ bytes: [UInt8], cutAt cuts: [Int] = [], limits: JSONScanner.Limits = .init()) -> ScanResult {
  var scanner = JSONScanner(limits: limits)
  var recorder = Recorder()
  do throws(JSONError) {
    var start = 0
    for end in cuts + [bytes.count] {
      // A buffer of its own for each chunk, so that nothing can look back or ahead.
      let chunk = Array(bytes[start..<end])
      let result = chunk.withUnsafeBytes { chunk in Result { () throws(JSONError) in try scanner.feed(chunk, handler: &recorder) } }
      try result.get()
      start = end
    }
    try scanner.finish(handler: &recorder)
    return ScanResult(events: recorder.events)
  } catch {
    return ScanResult(events: recorder.events, error: error)
  }
}

/// The events of a tree.
func events(of value: JSONValue) -> [String] {
  switch value {
  case .null: ["null"]
  case .bool(let value): ["\(value)"]
  case .number(let text): ["number " + text]
  case .string(let text): ["string " + text]
  case .invalidString: ["half a surrogate pair"]
  case .array(let elements): ["["] + elements.flatMap { events(of: $0) } + ["]"]
  case .object(let members): ["{"] + members.flatMap { ["key " + $0.key] + events(of: $0.value) } + ["}"]
  }
}
