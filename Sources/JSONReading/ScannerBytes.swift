/// What stands at a place of bytes that should be UTF-8.
@usableFromInline enum CodePoint {
  /// A code point of that many bytes.
  case valid(Int)
  /// The bytes end inside a code point, and nothing is wrong so far.
  case cut
  /// No code point.
  case invalid

  /// Looks at the bytes from `place`, which is before `end`, by table 3-7 of the Unicode standard.
  @inlinable
  @inline(__always)
  init(at place: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    let lead = place.pointee
    let length: Int
    // The second byte's lowest value, and how many there are from there on.
    var lowest: UInt8 = 0x80
    var values: UInt8 = 0x40
    switch lead {
    case 0..<0x80:
      self = .valid(1)
      return
    case 0xC2..<0xE0: length = 2
    case 0xE0: (length, lowest, values) = (3, 0xA0, 0x20)
    case 0xED: (length, values) = (3, 0x20)
    case 0xE1..<0xF0: length = 3
    case 0xF0: (length, lowest, values) = (4, 0x90, 0x30)
    case 0xF1..<0xF4: length = 4
    case 0xF4: (length, values) = (4, 0x10)
    default:
      self = .invalid
      return
    }
    let available = end - place
    if available > 1 && place[1] &- lowest >= values || available > 2 && length > 2 && place[2] & 0xC0 != 0x80
      || available > 3 && length > 3 && place[3] & 0xC0 != 0x80
    {
      self = .invalid
    } else {
      self = available >= length ? .valid(length) : .cut
    }
  }
}

/// The begin of a code point that a chunk's end has cut.
@usableFromInline struct CutCodePoint: Sendable {
  /// Its bytes, the first one lowest.
  @usableFromInline var word: UInt32 = 0
  @usableFromInline var count: UInt32 = 0

  @usableFromInline init() {}

  /// Keeps the bytes from `place` up to `end`, of which there are one to three.
  @usableFromInline
  init(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    for byte in UnsafeBufferPointer(start: place, count: end - place) {
      append(byte)
    }
  }

  private mutating func append(_ byte: UInt8) {
    word |= UInt32(byte) << (count * 8)
    count += 1
  }

  /// Takes bytes until the code point is whole, or wrong, or there are no more.
  @usableFromInline
  mutating func finish(_ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> CodePoint {
    while next < end {
      append(next.pointee)
      let found = withUnsafeBytes(of: word.littleEndian) { bytes in
        let first = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        return CodePoint(at: first, end: first + Int(count))
      }
      if case .invalid = found { return .invalid }
      next += 1
      if case .valid = found { return found }
    }
    return .cut
  }
}

/// UTF-8 of a code point as a word, the first byte lowest.
@usableFromInline
func utf8Word(_ value: UInt32) -> UInt32 {
  let low = 0x80 | value & 0x3F
  let middle = 0x80 | value >> 6 & 0x3F
  switch value {
  case ..<0x80: return value
  case ..<0x800: return 0xC0 | value >> 6 | low << 8
  case ..<0x10000: return 0xE0 | value >> 12 | middle << 8 | low << 16
  default: return 0xF0 | value >> 18 | (0x80 | value >> 12 & 0x3F) << 8 | middle << 16 | low << 24
  }
}

/// Passes over the bytes that stand for themselves in a string and are ASCII, eight at a time.
@inlinable
@inline(__always)
func skipPlain(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
  let ones: UInt64 = 0x0101_0101_0101_0101
  var place = start
  while end - place >= 8 {
    let word = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    // The high bit of a byte is set for `"`, `\`, below 0x20 and non-ASCII. A borrow may set it wrongly in a byte above such a one: only the lowest counts.
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let control = (word &- ones &* 0x20) & ~word
    let special = (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | word) & (ones &* 0x80)
    if special != 0 { return place + special.trailingZeroBitCount &>> 3 }
    place += 8
  }
  while place < end {
    let byte = place.pointee
    if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { break }
    place += 1
  }
  return place
}

/// Which levels are objects, one bit each.
@usableFromInline struct LevelStack: Sendable {
  @usableFromInline var depth = 0
  /// The innermost levels, the lowest bit the innermost: 1 is an object.
  @usableFromInline var inner: UInt64 = 0
  /// Whole words of the levels further out.
  @usableFromInline var outer: [UInt64] = []

  @usableFromInline init() {}

  @inlinable
  @inline(__always)
  var isInObject: Bool { inner & 1 == 1 }

  @inlinable
  @inline(__always)
  mutating func push(object: Bool) {
    if depth & 63 == 0 && depth > 0 {
      outer.append(inner)
    }
    inner = inner << 1 | (object ? 1 : 0)
    depth &+= 1
  }

  @inlinable
  @inline(__always)
  mutating func pop() {
    depth &-= 1
    inner >>= 1
    if depth & 63 == 0 && depth > 0 {
      inner = outer.removeLast()
    }
  }
}

/// Counts lines, which end at LF, CR LF or CR.
@usableFromInline struct LineCounter: Sendable {
  @usableFromInline var line = 1
  @usableFromInline var offsetAfterReturn = -1

  @usableFromInline init() {}

  @inlinable
  @inline(__always)
  mutating func lineEnd(_ byte: UInt8, at offset: Int) {
    if byte == 0x0D {
      offsetAfterReturn = offset &+ 1
    } else if offset == offsetAfterReturn {
      return
    }
    line &+= 1
  }
}
