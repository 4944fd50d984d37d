/// Checks UTF-8 piece by piece (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
struct UTF8Check {
  /// Continuation bytes still missing, and the range that the next one must be in.
  private var missing = 0
  private var next: ClosedRange<UInt8> = 0x80...0xBF
  private(set) var isValid = true

  /// Takes the next piece.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count && isValid {
      if missing == 0 && index + 8 <= bytes.count
        && bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      } else {
        take(bytes[index])
        index += 1
      }
    }
  }

  private mutating func take(_ byte: UInt8) {
    if missing > 0 {
      isValid = next.contains(byte)
      missing -= 1
      next = 0x80...0xBF
      return
    }
    switch byte {
    case 0..<0x80: break
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, next) = (2, 0xA0...0xBF)
    case 0xED: (missing, next) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, next) = (3, 0x90...0xBF)
    case 0xF4: (missing, next) = (3, 0x80...0x8F)
    case 0xF1...0xF3: missing = 3
    default: isValid = false
    }
  }

  /// Whether everything was valid, and nothing is cut off at the end.
  var isComplete: Bool { isValid && missing == 0 }
}

/// Turns UTF-16 into UTF-8 piece by piece; what a piece cuts in two is kept for the next.
struct UTF16Transcoder {
  let isLittleEndian: Bool
  private var oddByte: UInt8?
  private var high: UInt16?
  private(set) var isValid = true

  init(isLittleEndian: Bool) { self.isLittleEndian = isLittleEndian }

  /// Whether everything was valid, and nothing is cut off at the end.
  var isComplete: Bool { isValid && oddByte == nil && high == nil }

  /// The room that `transcode` needs at most.
  static func room(for count: Int) -> Int { count / 2 * 3 + 8 }

  /// Writes a piece as UTF-8 and returns how many bytes that took. It stops at a lone surrogate.
  mutating func transcode(_ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer) -> Int {
    var written = 0
    var index = 0
    if let first = oddByte, let second = bytes.first {
      oddByte = nil
      index = 1
      take(unit(first, second), out, &written)
    }
    while index + 1 < bytes.count && isValid {
      take(unit(bytes[index], bytes[index + 1]), out, &written)
      index += 2
    }
    if index < bytes.count && isValid { oddByte = bytes[index] }
    return written
  }

  private func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
    isLittleEndian ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second)
  }

  private mutating func take(_ unit: UInt16, _ out: UnsafeMutableRawBufferPointer, _ written: inout Int) {
    let isLow = 0xDC00...0xDFFF ~= unit
    if isLow != (high != nil) {
      isValid = false
    } else if let first = high {
      high = nil
      put(0x10000 + (UInt32(first - 0xD800) << 10 | UInt32(unit - 0xDC00)), out, &written)
    } else if 0xD800...0xDBFF ~= unit {
      high = unit
    } else {
      put(UInt32(unit), out, &written)
    }
  }

  private func put(_ scalar: UInt32, _ out: UnsafeMutableRawBufferPointer, _ written: inout Int) {
    func add(_ byte: UInt32) {
      out[written] = UInt8(truncatingIfNeeded: byte)
      written += 1
    }
    func continuation(_ shift: UInt32) { add(0x80 | scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80: add(scalar)
    case 0x80..<0x800: add(0xC0 | scalar >> 6)
    case 0x800..<0x10000: add(0xE0 | scalar >> 12)
    default: add(0xF0 | scalar >> 18)
    }
    if scalar >= 0x10000 { continuation(12) }
    if scalar >= 0x800 { continuation(6) }
    if scalar >= 0x80 { continuation(0) }
  }
}

extension SQLiteCell {
  /// Whether a text's bytes are valid UTF-8.
  public static func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var check = UTF8Check()
    check.take(bytes)
    return check.isComplete
  }
}
