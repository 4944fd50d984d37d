/// A media type (RFC 6838) of the built-in table, with what the table knows of it. It costs no memory: it is a place in the table.
public struct MediaType: Hashable, Sendable {
  private let start: UInt16
  private let length: UInt16
  private let flags: UInt32

  init(start: Int, length: Int, flags: Span<UInt8>) {
    (self.start, self.length) = (UInt16(start), UInt16(length))
    var bits: UInt32 = 0
    for index in flags.indices { bits |= Self.bit(flags[index]) }
    self.flags = bits
  }

  private static func bit(_ flag: UInt8) -> UInt32 {
    flag == UInt8(ascii: "-") ? 0 : 1 << UInt32(flag - UInt8(ascii: "a"))
  }

  func has(_ flag: Unicode.Scalar) -> Bool { flags & Self.bit(UInt8(ascii: flag)) != 0 }

  /// Its name: `image/png`.
  public var name: String {
    mediaTypeTable.withUTF8Buffer { String(decoding: $0[Int(start)..<Int(start + length)], as: UTF8.self) }
  }

  /// Calls `body` with its name in ASCII.
  public func withName<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    // The table is part of the program: it is never gone.
    let table = UnsafeBufferPointer(start: mediaTypeTable.utf8Start, count: mediaTypeTable.utf8CodeUnitCount)
    return try body(table.extracting(Int(start)..<Int(start + length)).span)
  }

  /// Whether files of this type are packed already, so that packing them again costs time and gains little.
  public var isCompressed: Bool { has("c") }
}

/// Media types by suffix, checked against the signatures of well-known formats.
public enum MediaTypes {
  /// How many of a file's first bytes are looked at.
  public static let headSize = 4096

  /// The type of a file with this name, `head` being its first bytes (up to `headSize`, `isWhole` where these are all).
  ///
  /// A signature of a well-known binary format wins, unless the suffix's format is built on the one that it names (a `.docx` is a ZIP).
  /// Then plain text wins against the suffix of a binary format, then the suffix counts; without one, text is `text/plain` and anything
  /// else `application/octet-stream`.
  public static func type(ofName name: Span<UInt8>, head: Span<UInt8>, isWhole: Bool) -> MediaType {
    let known = MediaTypeIndex.shared
    let suffix = known.type(forSuffixOf: name)
    if head.isEmpty { return suffix ?? known.octetStream }
    let text = TextGuess(head, isWhole: isWhole)
    if let signature = known.signature(of: head, isText: text == .utf8) {
      if let suffix, signature.isBase(of: suffix) { return suffix }
      return signature.type
    }
    if let suffix { return text == .utf8 && !suffix.has("t") ? known.text : suffix }
    switch text {
    case .utf8, .utf16: return known.markup(head) ?? known.text
    case .none: return known.weakSignature(of: head) ?? known.octetStream
    }
  }
}

/// Whether bytes are plainly text.
enum TextGuess {
  case utf8, utf16, none

  init(_ head: Span<UInt8>, isWhole: Bool) {
    if head.count >= 2, (head[0], head[1]) == (0xFF, 0xFE) || (head[0], head[1]) == (0xFE, 0xFF) {
      self = .utf16
    } else {
      self = Self.isUTF8(head, isWhole: isWhole) ? .utf8 : .none
    }
  }

  /// Valid, and without controls but those that stand in texts. A character that the end cuts is fine where more follows.
  private static func isUTF8(_ head: Span<UInt8>, isWhole: Bool) -> Bool {
    var decoder = UTF8Check()
    for index in head.indices {
      let byte = head[unchecked: index]
      let isControl = byte < 0x20 && !(0x08...0x0D).contains(byte) && byte != 0x1B || byte == 0x7F
      if isControl || !decoder.accepts(byte) { return false }
    }
    return decoder.isBetweenCharacters || !isWhole
  }
}

/// Checks UTF-8 byte by byte (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
struct UTF8Check {
  private var missing = 0
  private var range: ClosedRange<UInt8> = 0x80...0xBF

  var isBetweenCharacters: Bool { missing == 0 }

  mutating func accepts(_ byte: UInt8) -> Bool {
    if missing > 0 {
      let fits = range.contains(byte)
      missing -= 1
      range = 0x80...0xBF
      return fits
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF:
      missing = 2
      if byte == 0xE0 { range = 0xA0...0xBF }
      if byte == 0xED { range = 0x80...0x9F }
    case 0xF0...0xF4:
      missing = 3
      if byte == 0xF0 { range = 0x90...0xBF }
      if byte == 0xF4 { range = 0x80...0x8F }
    default: return false
    }
    return true
  }
}
