import JSONStreaming

/// What `body` writes, as text.
func written(_ body: (inout JSONWriter) throws -> Void) rethrows -> String {
  var writer = JSONWriter(capacity: 1)
  try body(&writer)
  return writer.withBytes { String(decoding: $0, as: UTF8.self) }
}

extension JSONWriter {
  mutating func text(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { text(utf8: $0) }
  }

  mutating func bytes(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { self.bytes($0) }
  }

  mutating func number(_ text: String) throws {
    try Array(text.utf8).withUnsafeBytes { try number(digits: $0) }
  }
}

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
