/// The words of a piece of SQL, as far as it takes to know what a generated column is made from: names, texts and marks.
package struct SQLTokens {
  /// One token.
  package enum Token: Equatable, Sendable {
    /// A name or a keyword as it is written, or a name in quotes of any kind, without them.
    case name(String)
    /// A text in single quotes.
    case text(String)
    /// A number or anything else.
    case mark(UInt8)
  }

  private let bytes: [UInt8]
  private var place = 0

  /// The tokens of an expression or a statement; comments are passed over. What is cut off in the middle ends at the end.
  package init(_ sql: String) { bytes = Array(sql.utf8) }

  /// The next token; nil at the end.
  package mutating func next() -> Token? {
    while place < bytes.count {
      let byte = bytes[place]
      if byte <= 0x20 {
        place += 1
      } else if at("--") {
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
      } else if at("/*") {
        place += 2
        while place < bytes.count, !at("*/") { place += 1 }
        place = min(bytes.count, place + 2)
      } else {
        return token(byte)
      }
    }
    return nil
  }

  private mutating func token(_ byte: UInt8) -> Token {
    switch byte {
    case UInt8(ascii: "'"): return .text(quoted(by: byte))
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return .name(quoted(by: byte))
    case UInt8(ascii: "["):
      let start = place + 1
      while place < bytes.count, bytes[place] != UInt8(ascii: "]") { place += 1 }
      let name = String(decoding: bytes[min(start, place)..<place], as: UTF8.self)
      place = min(bytes.count, place + 1)
      return .name(name)
    case _ where Self.isWord(byte):
      let start = place
      while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
      return .name(String(decoding: bytes[start..<place], as: UTF8.self))
    default:
      place += 1
      return .mark(byte)
    }
  }

  /// A text up to its closing quote, of which two stand for one.
  private mutating func quoted(by quote: UInt8) -> String {
    var text: [UInt8] = []
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == quote {
        guard place < bytes.count, bytes[place] == quote else { break }
        place += 1
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func at(_ text: StaticString) -> Bool {
    place + 1 < bytes.count && bytes[place] == text.utf8Start[0] && bytes[place + 1] == text.utf8Start[1]
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }
}
