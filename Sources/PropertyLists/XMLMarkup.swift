/// The markup of the part of XML that property lists are made of. Nothing is ever fetched, and no entity but XML's own five is known.
///
/// Raw control characters, which XML 1.0 forbids but CoreFoundation writes, are taken; NUL is not.
struct XMLMarkup {
  /// The elements of Apple's PropertyList-1.0.dtd.
  enum Element: String, CaseIterable {
    case plist, dict, array, key, string, data, date, integer, real, `true`, `false`
  }

  struct Tag {
    let element: Element
    let isClosing: Bool
    /// `<dict/>`
    let isEmpty: Bool
    let offset: Int
  }

  let text: [UInt8]
  private(set) var position = 0

  init(_ text: [UInt8]) { self.text = text }

  var isAtEnd: Bool { position >= text.count }

  func startsWith(_ expected: StaticString) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard text.count - position >= count else { return false }
    return expected.withUTF8Buffer { ascii in ascii.indices.allSatisfy { text[position + $0] == ascii[$0] } }
  }

  private mutating func skipSpaces() {
    while position < text.count, isSpace(text[position]) { position += 1 }
  }

  /// Skips to behind the next occurrence of `end`.
  private mutating func skip(past end: StaticString, from start: Int) throws(PropertyListError) {
    while !startsWith(end) {
      if isAtEnd { throw PropertyListError(.truncated, at: start) }
      position += 1
    }
    position += end.utf8CodeUnitCount
  }

  /// Skips a comment or a processing instruction, if there is one.
  private mutating func skipAside() throws(PropertyListError) -> Bool {
    let start = position
    if startsWith("<!--") {
      position += 4
      try skip(past: "-->", from: start)
    } else if startsWith("<?") {
      try skip(past: "?>", from: start)
    } else {
      return false
    }
    return true
  }

  /// Skips spaces, comments and processing instructions.
  mutating func skipMisc() throws(PropertyListError) {
    repeat { skipSpaces() } while try skipAside()
  }

  /// Skips the document type. Declarations of entities are refused, the rest of it means nothing to a property list.
  mutating func skipDocumentType() throws(PropertyListError) {
    guard startsWith("<!DOCTYPE") else { return }
    let start = position
    var brackets = 0
    while !isAtEnd {
      let byte = text[position]
      if startsWith("<!ENTITY") { throw PropertyListError(.entityDeclaration, at: position) }
      if try skipAside() { continue }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): try skip(past: "\"", from: start)
      case UInt8(ascii: "'"): try skip(past: "'", from: start)
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: ">") where brackets <= 0: return
      default: break
      }
    }
    throw PropertyListError(.truncated, at: start)
  }

  /// The tag that stands here; its attributes are skipped.
  mutating func tag() throws(PropertyListError) -> Tag {
    let start = position
    if isAtEnd { throw PropertyListError(.truncated, at: start) }
    guard text[position] == UInt8(ascii: "<") else { throw PropertyListError(.unexpectedCharacter, at: start) }
    position += 1
    let isClosing = startsWith("/")
    if isClosing { position += 1 }
    let nameStart = position
    while position < text.count, isNameCharacter(text[position]) { position += 1 }
    let name = text[nameStart..<position]
    guard let element = Element.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else {
      throw PropertyListError(isAtEnd ? .truncated : .unexpectedElement, at: start)
    }
    try skipAttributes(start)
    let isEmpty = startsWith("/")
    if isEmpty { position += 1 }
    guard startsWith(">"), !(isClosing && isEmpty) else {
      throw PropertyListError(isAtEnd ? .truncated : .unexpectedCharacter, at: position)
    }
    position += 1
    return Tag(element: element, isClosing: isClosing, isEmpty: isEmpty, offset: start)
  }

  private mutating func skipAttributes(_ start: Int) throws(PropertyListError) {
    skipSpaces()
    while position < text.count, isNameCharacter(text[position]) {
      while position < text.count, isNameCharacter(text[position]) { position += 1 }
      skipSpaces()
      guard startsWith("=") else { throw PropertyListError(isAtEnd ? .truncated : .unexpectedCharacter, at: position) }
      position += 1
      skipSpaces()
      let isDouble = startsWith("\"")
      guard isDouble || startsWith("'") else { throw PropertyListError(isAtEnd ? .truncated : .unexpectedCharacter, at: position) }
      position += 1
      if isDouble { try skip(past: "\"", from: start) } else { try skip(past: "'", from: start) }
      skipSpaces()
    }
  }

  private func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  /// Takes characters up to the next tag: entities and CDATA sections resolved, comments left out, line ends made line feeds.
  mutating func characters(into buffer: inout [UInt8]) throws(PropertyListError) {
    buffer.removeAll(keepingCapacity: true)
    let start = position
    while position < text.count {
      let run = position
      while position < text.count, !isMarkup(text[position]) { position += 1 }
      buffer.append(contentsOf: text[run..<position])
      if isAtEnd { break }
      switch text[position] {
      case UInt8(ascii: "&"): try entity(into: &buffer)
      case 0x0D: lineEnd(into: &buffer)
      case 0: throw PropertyListError(.unexpectedCharacter, at: position)
      default:
        if startsWith("<![CDATA[") { try section(into: &buffer) } else if try !skipAside() { return }
      }
    }
    throw PropertyListError(.truncated, at: start)
  }

  private func isMarkup(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0x0D || byte == 0
  }

  /// XML 1.0, 2.11: a carriage return, with or without a line feed after it, is a line feed.
  private mutating func lineEnd(into buffer: inout [UInt8]) {
    buffer.append(0x0A)
    position += 1
    if startsWith("\n") { position += 1 }
  }

  private mutating func section(into buffer: inout [UInt8]) throws(PropertyListError) {
    let start = position
    position += 9
    while !startsWith("]]>") {
      if isAtEnd { throw PropertyListError(.truncated, at: start) }
      if text[position] == 0 { throw PropertyListError(.unexpectedCharacter, at: position) }
      if text[position] == 0x0D {
        lineEnd(into: &buffer)
      } else {
        buffer.append(text[position])
        position += 1
      }
    }
    position += 3
  }

  private mutating func entity(into buffer: inout [UInt8]) throws(PropertyListError) {
    let start = position
    // The longest that means something is a character reference with leading zeros; nobody writes more than a few.
    guard let end = text[start..<min(start + 32, text.count)].firstIndex(of: UInt8(ascii: ";")) else {
      throw PropertyListError(.badEntity, at: start)
    }
    let name = text[start + 1..<end]
    switch String(decoding: name, as: UTF8.self) {
    case "lt": buffer.append(UInt8(ascii: "<"))
    case "gt": buffer.append(UInt8(ascii: ">"))
    case "amp": buffer.append(UInt8(ascii: "&"))
    case "quot": buffer.append(UInt8(ascii: "\""))
    case "apos": buffer.append(UInt8(ascii: "'"))
    default:
      guard name.first == UInt8(ascii: "#"), let point = Self.characterReference(name.dropFirst()) else {
        throw PropertyListError(.badEntity, at: start)
      }
      appendUTF8(point, to: &buffer)
    }
    position = end + 1
  }

  private static func characterReference(_ text: ArraySlice<UInt8>) -> UInt32? {
    let isHex = text.first == UInt8(ascii: "x")
    let digits = isHex ? text.dropFirst() : text
    if digits.isEmpty { return nil }
    var point: UInt32 = 0
    for byte in digits {
      guard let digit = TextValues.hexDigit(byte), isHex || digit < 10 else { return nil }
      point = point * (isHex ? 16 : 10) + UInt32(digit)
      if point > 0x10FFFF { return nil }
    }
    return point != 0 && Unicode.Scalar(point) != nil ? point : nil
  }
}
