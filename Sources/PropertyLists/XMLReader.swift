/// Reads an XML property list (Apple's PropertyList-1.0.dtd) into an `ObjectBuilder`. Without recursion: depth costs memory, not stack.
struct XMLReader {
  private var markup: XMLMarkup
  private var builder: ObjectBuilder
  private var open: [Frame] = []
  private var characters: [UInt8] = []
  private var data: [UInt8] = []

  private struct Frame {
    let isDictionary: Bool
    /// In a dictionary: whether a key waits for its value.
    var hasKey = false
  }

  private init(_ text: [UInt8], _ limits: PropertyListLimits) {
    markup = XMLMarkup(text)
    builder = ObjectBuilder(limits)
  }

  /// The list as a binary list. Errors give offsets in the file as it is encoded.
  static func read(_ source: [UInt8], _ limits: PropertyListLimits) throws(PropertyListError) -> [UInt8] {
    let text = try XMLEncoding.decode(source)
    var reader = XMLReader(text.bytes, limits)
    do {
      try reader.document()
    } catch {
      throw PropertyListError(error.code, at: text.origin(of: error.offset))
    }
    return reader.builder.finish()
  }

  private mutating func document() throws(PropertyListError) {
    try markup.skipMisc()
    try markup.skipDocumentType()
    try markup.skipMisc()
    var tag = try markup.tag()
    let isWrapped = tag.element == .plist && !tag.isClosing
    if isWrapped {
      if tag.isEmpty { throw PropertyListError(.missingValue, at: tag.offset) }
      try markup.skipMisc()
      tag = try markup.tag()
      if tag.element == .plist, tag.isClosing { throw PropertyListError(.missingValue, at: tag.offset) }
    }
    try root(tag)
    try markup.skipMisc()
    if isWrapped {
      let end = try markup.tag()
      guard end.element == .plist, end.isClosing else { throw PropertyListError(.unexpectedElement, at: end.offset) }
      try markup.skipMisc()
    }
    if !markup.isAtEnd { throw PropertyListError(.trailingContent, at: markup.position) }
  }

  /// Reads the value that begins with a tag, and all that it holds.
  private mutating func root(_ first: XMLMarkup.Tag) throws(PropertyListError) {
    var tag = first
    while true {
      if tag.isClosing { try close(tag) } else { try begin(tag) }
      if open.isEmpty { return }
      try markup.skipMisc()
      tag = try markup.tag()
    }
  }

  private mutating func close(_ tag: XMLMarkup.Tag) throws(PropertyListError) {
    guard let frame = open.popLast(), tag.element == (frame.isDictionary ? .dict : .array) else {
      throw PropertyListError(.unexpectedElement, at: tag.offset)
    }
    if frame.hasKey { throw PropertyListError(.missingValue, at: tag.offset) }
    try builder.close(at: tag.offset)
  }

  private mutating func begin(_ tag: XMLMarkup.Tag) throws(PropertyListError) {
    if let frame = open.last, frame.isDictionary {
      // By turns: a key, then anything else.
      guard (tag.element == .key) != frame.hasKey else { throw PropertyListError(.unexpectedElement, at: tag.offset) }
      open[open.count - 1].hasKey.toggle()
    } else if tag.element == .key {
      throw PropertyListError(.unexpectedElement, at: tag.offset)
    }
    switch tag.element {
    case .plist: throw PropertyListError(.unexpectedElement, at: tag.offset)
    case .dict, .array:
      try builder.open(dictionary: tag.element == .dict, at: tag.offset)
      if tag.isEmpty { try builder.close(at: tag.offset) } else { open.append(Frame(isDictionary: tag.element == .dict)) }
    default: try leaf(tag)
    }
  }

  private mutating func leaf(_ tag: XMLMarkup.Tag) throws(PropertyListError) {
    let start = markup.position
    characters.removeAll(keepingCapacity: true)
    if !tag.isEmpty {
      try markup.characters(into: &characters)
      let end = try markup.tag()
      guard end.isClosing, end.element == tag.element else { throw PropertyListError(.unexpectedElement, at: end.offset) }
    }
    switch tag.element {
    case .key, .string: try builder.add(text: characters, at: tag.offset)
    case .true, .false:
      guard trimmed(characters[...]).isEmpty else { throw PropertyListError(.unexpectedCharacter, at: start) }
      try builder.add(tag.element == .true, at: tag.offset)
    case .integer: try integer(tag, start)
    case .real:
      guard let value = TextValues.real(trimmed(characters[...])) else { throw PropertyListError(.badReal, at: start) }
      try builder.add(value, at: tag.offset)
    case .date:
      guard let seconds = TextValues.xmlDate(trimmed(characters[...])) else { throw PropertyListError(.badDate, at: start) }
      try builder.add(secondsSince2001: seconds, at: tag.offset)
    case .data:
      data.removeAll(keepingCapacity: true)
      if TextValues.base64(characters[...], into: &data) != nil { throw PropertyListError(.badData, at: start) }
      try builder.add(data: data, at: tag.offset)
    case .plist, .dict, .array: throw PropertyListError(.unexpectedElement, at: tag.offset)
    }
  }

  private mutating func integer(_ tag: XMLMarkup.Tag, _ start: Int) throws(PropertyListError) {
    switch TextValues.integer(trimmed(characters[...])) {
    case .signed(let value): try builder.add(value, at: tag.offset)
    case .unsigned(let value): try builder.add(value, at: tag.offset)
    case .tooLarge: throw PropertyListError(.integerTooLarge, at: start)
    case nil: throw PropertyListError(.badInteger, at: start)
    }
  }
}

/// Which encoding an XML list is in: its byte order mark or first characters say it, else its declaration.
enum XMLEncoding {
  static func decode(_ source: [UInt8]) throws(PropertyListError) -> DecodedText {
    let declared = declaration(source)
    switch declared {
    case nil, "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "utf-32":
      // The bytes know better than a declaration whether there are two or four to a character.
      return try DecodedText(source, fallback: nil)
    case "iso-8859-1", "latin1", "latin-1":
      return try DecodedText(source, encoding: .latin1, mark: 0)
    default:
      throw PropertyListError(.unsupportedEncoding, at: 0)
    }
  }

  /// The encoding's name in `<?xml … encoding="…"?>`, lower case. nil where there is none, or where a character takes more than one byte.
  private static func declaration(_ source: [UInt8]) -> String? {
    let head = source.prefix(256)
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let label = "encoding".utf8
    guard let place = head[..<end].indices.first(where: { head[$0..<end].starts(with: label) }) else { return nil }
    let rest = head[(place + label.count)..<end].drop { isSpace($0) || $0 == UInt8(ascii: "=") }
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    return String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self).lowercased()
  }
}
