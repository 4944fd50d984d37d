import PropertyLists

/// Writes down what a list passes, in a JSON-like notation: `date(0.0)`, `data(00ff)`, `uid(7)`, `set[…]`, `pairs[k: v]`, `ref(3)`, `Name{…}`, `archive(…)`.
struct Transcript: PropertyListVisitor {
  private(set) var text = ""
  private var needsComma = false

  /// The text of a whole list; throws what the list throws.
  static func of(_ bytes: [UInt8], limits: PropertyListLimits = .standard, decodingArchives: Bool = true) throws -> String {
    var transcript = Transcript()
    try PropertyList(bytes, limits: limits).visit(&transcript, decodingArchives: decodingArchives)
    return transcript.text
  }

  private mutating func put(_ value: String) {
    if needsComma { text += "," }
    text += value
    needsComma = true
  }

  private mutating func open(_ value: String) {
    put(value)
    needsComma = false
  }

  private mutating func close(_ value: String) {
    text += value
    needsComma = true
  }

  private static func hex(_ bytes: Span<UInt8>) -> String {
    var result = ""
    for index in bytes.indices { result += (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16) }
    return result
  }

  private static func string(_ utf8: Span<UInt8>) -> String {
    utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  mutating func null() { put("null") }
  mutating func boolean(_ value: Bool) { put("\(value)") }
  mutating func integer(_ value: Int64) { put("\(value)") }
  mutating func unsigned(_ value: UInt64) { put("unsigned(\(value))") }
  mutating func real(_ value: Double) { put("\(value)") }
  mutating func single(_ value: Float) { put("single(\(value))") }
  mutating func date(secondsSince2001 seconds: Double) { put("date(\(seconds))") }
  mutating func data(_ bytes: Span<UInt8>) { put("data(\(Self.hex(bytes)))") }
  mutating func uuid(_ bytes: Span<UInt8>) { put("uuid(\(Self.hex(bytes)))") }
  mutating func text(_ utf8: Span<UInt8>) { put("'\(Self.string(utf8))'") }
  mutating func malformedText(_ bytes: Span<UInt8>) { put("malformed(\(Self.hex(bytes)))") }
  mutating func uid(_ value: UInt64) { put("uid(\(value))") }
  mutating func beginArray(_ kind: PropertyListArrayKind, count: Int) { open(kind == .array ? "[" : "\(kind)[") }
  mutating func endArray() { close("]") }
  mutating func beginDictionary(count: Int) { open("{") }
  mutating func key(_ utf8: Span<UInt8>) { open("\(Self.string(utf8)):") }
  mutating func endDictionary() { close("}") }
  mutating func beginPairs(count: Int) { open("pairs[") }
  mutating func beginPair() { open("[") }
  mutating func beginPairValue(named name: Span<UInt8>?) {
    if name != nil { text += ":" }
  }
  mutating func endPair() { close("]") }
  mutating func endPairs() { close("]") }
  mutating func archive(_ bytes: Span<UInt8>, decode: (inout Transcript) throws -> Void) throws {
    open("archive(")
    try decode(&self)
    close(")")
  }
  mutating func beginObject(class name: Span<UInt8>, count: Int) { open("\(Self.string(name)){") }
  mutating func endObject() { close("}") }
  mutating func reference(_ index: Int) { put("ref(\(index))") }
}
