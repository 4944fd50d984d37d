internal import AccountExport
internal import JSONReading

extension ValueWriter {
  /// Writes a JSON text's value: numbers with all their digits, members in their order.
  mutating func write(_ value: JSONValue) throws {
    switch value {
    case .null: null()
    case .bool(let value): boolean(value)
    case .number(let digits):
      var digits = digits
      try digits.withUTF8 { try number(digits: UnsafeRawBufferPointer($0)) }
    case .string(let value): text(value)
    case .invalidString(let bytes): bytes.withUnsafeBufferPointer { text($0) }
    case .array(let elements):
      try beginArray()
      for element in elements { try write(element) }
      endArray()
    case .object(let members):
      if members.contains(where: { $0.invalidKey != nil }) { try writePairs(members) } else { try writeMembers(members) }
    }
  }

  private mutating func writeMembers(_ members: [JSONValue.Member]) throws {
    try beginObject()
    for member in members {
      key(member.key)
      try write(member.value)
    }
    endObject()
  }

  /// Half a surrogate pair, which an escape can spell, can't stand in a key here.
  private mutating func writePairs(_ members: [JSONValue.Member]) throws {
    try beginPairs()
    for member in members {
      try beginArray()
      if let bytes = member.invalidKey { bytes.withUnsafeBufferPointer { text($0) } } else { text(member.key) }
      name(member.key)
      try write(member.value)
      endArray()
    }
    endPairs()
  }

  /// Begins `{"$pairs": [`.
  mutating func beginPairs() throws {
    try beginObject()
    formatKey("$pairs")
    try beginArray()
  }

  mutating func endPairs() {
    endArray()
    endObject()
  }
}
