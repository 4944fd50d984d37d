/// A set of bytes: what a class such as `[a-z[:digit:]_]` stands for.
struct ByteSet: Sendable {
  private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  func contains(_ byte: UInt8) -> Bool {
    let word =
      switch byte >> 6 {
      case 0: bits.0
      case 1: bits.1
      case 2: bits.2
      default: bits.3
      }
    return word & 1 << (byte & 63) != 0
  }

  private mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << (byte & 63)
    switch byte >> 6 {
    case 0: bits.0 |= bit
    case 1: bits.1 |= bit
    case 2: bits.2 |= bit
    default: bits.3 |= bit
    }
  }

  private mutating func insert(where isInside: (UInt8) -> Bool) {
    for byte in UInt8.min...UInt8.max where isInside(byte) { insert(byte) }
  }

  /// Reads a class whose `[` is behind, with its `]`. Nil where it isn't closed, or names a class that isn't there.
  init?(readingClass rest: inout ArraySlice<UInt8>) {
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest = rest.dropFirst() }
    var previous: UInt8?
    repeat {
      guard let byte = rest.popFirst() else { return nil }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        insert(escaped)
        previous = escaped
      } else if byte == UInt8(ascii: "-"), let first = previous, let end = rest.first, end != UInt8(ascii: "]") {
        guard let last = Self.popEnd(&rest) else { return nil }
        if first <= last { for inside in first...last { insert(inside) } }
        previous = nil
      } else if byte == UInt8(ascii: "["), rest.first == UInt8(ascii: ":"), let name = Self.popName(&rest) {
        guard let test = Self.named(name) else { return nil }
        insert(where: test)
        previous = nil
      } else {
        insert(byte)
        previous = byte
      }
    } while rest.first != UInt8(ascii: "]")
    rest = rest.dropFirst()
    if isNegated { bits = (~bits.0, ~bits.1, ~bits.2, ~bits.3) }
  }

  /// The end of a range, which may be escaped.
  private static func popEnd(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    let end = rest.popFirst()
    return end == UInt8(ascii: "\\") ? rest.popFirst() : end
  }

  /// The name in `[:name:]`, whose `[` is behind; nil, and nothing taken, where no `:]` ends it.
  private static func popName(_ rest: inout ArraySlice<UInt8>) -> String? {
    let inside = rest.dropFirst()
    guard let close = inside.firstIndex(of: UInt8(ascii: "]")), inside[..<close].last == UInt8(ascii: ":") else { return nil }
    rest = inside[(close + 1)...]
    return String(decoding: inside[..<(close - 1)], as: UTF8.self)
  }

  /// The classes of POSIX in ASCII, as git knows them: no vertical tab or form feed is a space.
  private static func named(_ name: String) -> ((UInt8) -> Bool)? {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let isUpper = { (byte: UInt8) in (0x41...0x5A).contains(byte) }
    let isLower = { (byte: UInt8) in (0x61...0x7A).contains(byte) }
    let isAlnum = { (byte: UInt8) in isDigit(byte) || isUpper(byte) || isLower(byte) }
    switch name {
    case "alnum": return isAlnum
    case "alpha": return { isUpper($0) || isLower($0) }
    case "blank": return { $0 == 0x20 || $0 == 0x09 }
    case "cntrl": return { $0 < 0x20 || $0 == 0x7F }
    case "digit": return isDigit
    case "graph": return { (0x21...0x7E).contains($0) }
    case "lower": return isLower
    case "print": return { (0x20...0x7E).contains($0) }
    case "punct": return { (0x21...0x7E).contains($0) && !isAlnum($0) }
    case "space": return { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    case "upper": return isUpper
    case "xdigit": return { isDigit($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) }
    default: return nil
    }
  }
}
