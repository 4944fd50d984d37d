/// Reads a string of base64 (RFC 4648, section 4, with or without its padding) out of a line, in pieces.
struct Base64Decoding {
  private var group: UInt32 = 0
  private var digits = 0
  private var padding = 0
  private var rest: [UInt8] = []
  private var isAtEnd = false

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
      values[Int(byte)] = UInt8(value)
    }
    return values
  }()

  /// The next bytes; 0 at the end. The cursor stands behind the string's opening quote before the first call, behind the closing one after the last.
  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, from cursor: inout LineCursor, _ scratch: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    var filled = 0
    while filled == 0 && !isAtEnd {
      // Three bytes come from four characters at most, and one more group may be waiting.
      let wanted = min(scratch.count, max(8, buffer.count - 3))
      let count = try cursor.text(into: UnsafeMutableRawBufferPointer(rebasing: scratch[..<wanted]))
      if count == 0 {
        isAtEnd = true
        return try finish(into: buffer)
      }
      for index in 0..<count { try add(scratch[index], to: buffer, &filled) }
    }
    return filled
  }

  private mutating func add(_ byte: UInt8, to buffer: UnsafeMutableRawBufferPointer, _ filled: inout Int) throws {
    if byte == UInt8(ascii: "=") {
      padding += 1
      return
    }
    let value = Self.values[Int(byte)]
    guard value != 0xFF, padding == 0 else { throw RecordProblem("its $base64 is no base64") }
    group = group << 6 | UInt32(value)
    digits += 1
    if digits < 4 { return }
    buffer[filled] = UInt8(truncatingIfNeeded: group >> 16)
    buffer[filled + 1] = UInt8(truncatingIfNeeded: group >> 8)
    buffer[filled + 2] = UInt8(truncatingIfNeeded: group)
    filled += 3
    (group, digits) = (0, 0)
  }

  private mutating func finish(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let isSound = padding == 0 || digits > 0 && digits + padding == 4
    // A single digit, or bits beyond the last byte, are no whole bytes.
    let surplus: UInt32 = digits == 2 ? 0xF : digits == 3 ? 0x3 : 0
    guard isSound, digits != 1, group & surplus == 0 else { throw RecordProblem("its $base64 is no base64") }
    if digits == 0 { return 0 }
    let bits = group << (digits == 2 ? 12 : 6)
    buffer[0] = UInt8(truncatingIfNeeded: bits >> 16)
    if digits == 3 { buffer[1] = UInt8(truncatingIfNeeded: bits >> 8) }
    return digits - 1
  }
}

/// Why a record can't be taken. It names places and forms, never what is in the record.
struct RecordProblem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
