/// Turns text of any encoding into UTF-8, chunk by chunk: a chunk may end inside a character.
///
/// Nothing is replaced. Bytes that are no text stay recognisable: half a surrogate pair becomes its three bytes (WTF-8), which are no valid UTF-8, and
/// what claims to be UTF-8 passes as it is. So whoever takes the result sees what was wrong, and can keep it as bytes.
public struct TextDecoder: Sendable {
  /// The encoding that is read.
  public let encoding: TextEncoding
  /// The first byte of a UTF-16 unit that a chunk's end has cut.
  private var cutUnit: UInt8?
  /// The first half of a surrogate pair, until the second comes.
  private var firstHalf: UInt32?

  /// A decoder at the begin of a text, behind its byte order mark.
  public init(_ encoding: TextEncoding) { self.encoding = encoding }

  /// How many bytes of room the result of a chunk needs at most.
  public static func room(for count: Int) -> Int { 3 * count + 8 }

  /// Decodes a chunk to its end, but for a cut character, and says how many bytes were written.
  /// - Parameter output: At least `room(for:)` of the chunk's bytes.
  public mutating func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
    precondition(output.count >= Self.room(for: input.count), "too little room for what is decoded")
    switch encoding.form {
    case .utf8:
      output.copyMemory(from: input)
      return input.count
    case .latin1: return Self.decode(input, into: output) { UInt32($0) }
    case .windows1252: return Self.decode(input, into: output) { $0 & 0xE0 == 0x80 ? UInt32(windows1252Upper[Int($0 & 0x1F)]) : UInt32($0) }
    case .utf16LittleEndian: return decodeUnits(input, into: output, highFirst: false)
    case .utf16BigEndian: return decodeUnits(input, into: output, highFirst: true)
    }
  }

  /// Whether what was decoded so far ends within a UTF-16 unit. At the text's end, half a unit is nothing that could be written.
  public var isWithinUnit: Bool { cutUnit != nil }

  /// Ends the text: half a surrogate pair is written as it is, half a unit is left out (``isWithinUnit`` tells before). Needs 4 bytes of room.
  public mutating func finish(into output: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    if let half = firstHalf { Self.append(half, to: output, &count) }
    (firstHalf, cutUnit) = (nil, nil)
    return count
  }

  @inline(__always)
  private static func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, _ point: (UInt8) -> UInt32
  ) -> Int {
    var count = 0
    for byte in input { append(point(byte), to: output, &count) }
    return count
  }

  private mutating func decodeUnits(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, highFirst: Bool) -> Int {
    var count = 0
    var place = 0
    if let first = cutUnit, let second = input.first {
      cutUnit = nil
      place = 1
      take(highFirst ? UInt32(first) << 8 | UInt32(second) : UInt32(second) << 8 | UInt32(first), output, &count)
    }
    while place + 1 < input.count {
      let (first, second) = (UInt32(input[place]), UInt32(input[place + 1]))
      take(highFirst ? first << 8 | second : second << 8 | first, output, &count)
      place += 2
    }
    if place < input.count { cutUnit = input[place] }
    return count
  }

  /// Takes one UTF-16 unit.
  @inline(__always)
  private mutating func take(_ unit: UInt32, _ output: UnsafeMutableRawBufferPointer, _ count: inout Int) {
    if let half = firstHalf {
      firstHalf = nil
      if unit & 0xFC00 == 0xDC00 {
        return Self.append(0x10000 + (half - 0xD800) << 10 + (unit - 0xDC00), to: output, &count)
      }
      Self.append(half, to: output, &count)
    }
    if unit & 0xFC00 == 0xD800 {
      firstHalf = unit
    } else {
      Self.append(unit, to: output, &count)
    }
  }

  @inline(__always)
  private static func append(_ point: UInt32, to output: UnsafeMutableRawBufferPointer, _ count: inout Int) {
    func put(_ byte: UInt32) {
      output[count] = UInt8(truncatingIfNeeded: byte)
      count += 1
    }
    switch point {
    case ..<0x80: put(point)
    case ..<0x800:
      put(0xC0 | point >> 6)
      put(0x80 | point & 0x3F)
    case ..<0x10000:
      put(0xE0 | point >> 12)
      put(0x80 | point >> 6 & 0x3F)
      put(0x80 | point & 0x3F)
    default:
      put(0xF0 | point >> 18)
      put(0x80 | point >> 12 & 0x3F)
      put(0x80 | point >> 6 & 0x3F)
      put(0x80 | point & 0x3F)
    }
  }
}

/// What windows-1252 has in the places 0x80 … 0x9F.
private let windows1252Upper: [UInt16] = [
  0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
  0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
]
