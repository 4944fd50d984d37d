/// A text list's characters as UTF-8, whatever its encoding, with the way back to the file's own offsets.
struct DecodedText {
  /// The encodings that can be told from the bytes or from an XML declaration.
  enum Encoding: Hashable {
    case utf8, utf16(isLittle: Bool), utf32(isLittle: Bool), latin1, nextStep
  }

  /// Well-formed UTF-8.
  let bytes: [UInt8]
  /// Bytes of the byte order mark in the file.
  let mark: Int
  let encoding: Encoding

  /// Decodes by the byte order mark, else by the zeros beside the first characters, which for both kinds of text list are ASCII, else as UTF-8.
  /// `fallback` is for bytes that are no UTF-8 and have no mark.
  init(_ source: [UInt8], fallback: Encoding?) throws(PropertyListError) {
    let (encoding, mark) = Self.guess(source)
    if encoding == .utf8, let invalid = firstInvalidUTF8(source) {
      guard mark == 0, let fallback else { throw PropertyListError(.invalidText, at: invalid) }
      try self.init(source, encoding: fallback, mark: 0)
    } else {
      try self.init(source, encoding: encoding, mark: mark)
    }
  }

  /// Decodes by a known encoding.
  init(_ source: [UInt8], encoding: Encoding, mark: Int) throws(PropertyListError) {
    (self.encoding, self.mark) = (encoding, mark)
    switch encoding {
    case .utf8: bytes = mark == 0 ? source : Array(source[mark...])
    case .utf16(let isLittle): bytes = try Self.utf16(source, mark, isLittle)
    case .utf32(let isLittle): bytes = try Self.utf32(source, mark, isLittle)
    case .latin1: bytes = Self.single(source) { UInt32($0) }
    case .nextStep:
      if let undefined = source.firstIndex(where: { nextStepPoint($0) == nil }) { throw PropertyListError(.invalidText, at: undefined) }
      bytes = Self.single(source) { nextStepPoint($0) ?? 0xFFFD }
    }
  }

  private static func guess(_ source: [UInt8]) -> (Encoding, mark: Int) {
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if source.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(isLittle: true), 4) }
    if source.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isLittle: false), 4) }
    if source.starts(with: [0xFF, 0xFE]) { return (.utf16(isLittle: true), 2) }
    if source.starts(with: [0xFE, 0xFF]) { return (.utf16(isLittle: false), 2) }
    guard source.count >= 4 else { return (.utf8, 0) }
    switch (source[0] == 0, source[1] == 0, source[2] == 0, source[3] == 0) {
    case (false, true, true, true): return (.utf32(isLittle: true), 0)
    case (true, true, true, false): return (.utf32(isLittle: false), 0)
    case (false, true, false, _): return (.utf16(isLittle: true), 0)
    case (true, false, _, false): return (.utf16(isLittle: false), 0)
    default: return (.utf8, 0)
    }
  }

  private static func utf16(_ source: [UInt8], _ mark: Int, _ isLittle: Bool) throws(PropertyListError) -> [UInt8] {
    if (source.count - mark) % 2 != 0 { throw PropertyListError(.invalidText, at: source.count - 1) }
    func unit(_ index: Int) -> UInt32 {
      let (a, b) = (UInt32(source[index]), UInt32(source[index + 1]))
      return isLittle ? b << 8 | a : a << 8 | b
    }
    var result: [UInt8] = []
    result.reserveCapacity(source.count / 2)
    var index = mark
    while index < source.count {
      let high = unit(index)
      if high & 0xF800 != 0xD800 {
        appendUTF8(high, to: &result)
        index += 2
      } else {
        guard high & 0xFC00 == 0xD800, index + 2 < source.count, unit(index + 2) & 0xFC00 == 0xDC00 else {
          throw PropertyListError(.invalidText, at: index)
        }
        appendUTF8(0x10000 + (high & 0x3FF) << 10 + (unit(index + 2) & 0x3FF), to: &result)
        index += 4
      }
    }
    return result
  }

  private static func utf32(_ source: [UInt8], _ mark: Int, _ isLittle: Bool) throws(PropertyListError) -> [UInt8] {
    if (source.count - mark) % 4 != 0 { throw PropertyListError(.invalidText, at: source.count - source.count % 4) }
    var result: [UInt8] = []
    for index in stride(from: mark, to: source.count, by: 4) {
      let four = source[index..<index + 4]
      let point = (isLittle ? Array(four.reversed()) : Array(four)).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard Unicode.Scalar(point) != nil else { throw PropertyListError(.invalidText, at: index) }
      appendUTF8(point, to: &result)
    }
    return result
  }

  private static func single(_ source: [UInt8], _ point: (UInt8) -> UInt32) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    for byte in source { appendUTF8(point(byte), to: &result) }
    return result
  }

  /// Where in the file the character lies that begins at an offset of the UTF-8.
  func origin(of offset: Int) -> Int {
    if encoding == .utf8 { return mark + offset }
    var place = mark
    for byte in bytes[..<min(offset, bytes.count)] where byte & 0xC0 != 0x80 {
      switch encoding {
      case .utf16: place += byte >= 0xF0 ? 4 : 2
      case .utf32: place += 4
      default: place += 1
      }
    }
    return place
  }
}

/// Where bytes stop being UTF-8; nil where they are UTF-8 to their end.
func firstInvalidUTF8(_ bytes: [UInt8]) -> Int? {
  do {
    _ = try UTF8Span(validating: bytes.span)
    return nil
  } catch {
    return error.byteOffsets.lowerBound
  }
}
