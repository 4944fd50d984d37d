/// What stands at the begin of some bytes that should be UTF-8.
enum UTF8Sequence: Equatable {
  /// A code point of that many bytes.
  case valid(Int)
  /// The bytes end inside a code point, and nothing is wrong so far.
  case cut
  /// No code point: that many bytes are the ill-formed part that a reader would replace as one.
  case invalid(Int)

  /// Looks at the first code point of `count` (at least one) bytes, by table 3-7 of the Unicode standard.
  @inline(__always)
  init(at bytes: UnsafePointer<UInt8>, count: Int) {
    let lead = bytes[0]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0x00...0x7F:
      self = .valid(1)
      return
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default:
      self = .invalid(1)
      return
    }
    if count < 2 {
      self = .cut
      return
    }
    if !(second ~= bytes[1]) {
      self = .invalid(1)
      return
    }
    for index in 2..<max(length, 2) {
      if index == count {
        self = .cut
        return
      }
      if bytes[index] & 0xC0 != 0x80 {
        self = .invalid(index)
        return
      }
    }
    self = .valid(length)
  }
}

/// Eight bytes at once, as a little-endian word: the first byte is the lowest.
@inline(__always)
func loadWord(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
}

let everyHighBit: UInt64 = 0x8080_8080_8080_8080
private let everyLowBit: UInt64 = 0x0101_0101_0101_0101

/// Marks, by their high bits, the bytes of a word that JSON text can't hold as they are or that need a look: `"`, `\`, below 0x20, non-ASCII.
///
/// A byte above a marked one may be marked wrongly (a borrow ran through it), so only the lowest mark counts. It is always right.
@inline(__always)
func specialBytes(_ word: UInt64) -> UInt64 {
  let quote = word ^ (everyLowBit &* 0x22)
  let backslash = word ^ (everyLowBit &* 0x5C)
  let control = (word &- (everyLowBit &* 0x20)) & ~word
  let quotes = (quote &- everyLowBit) & ~quote
  let backslashes = (backslash &- everyLowBit) & ~backslash
  return (control | quotes | backslashes | word) & everyHighBit
}
