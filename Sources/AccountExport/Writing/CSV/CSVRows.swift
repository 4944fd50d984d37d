/// Turns an array of rows, as `RowWriter` writes it, into lines of CSV (RFC 4180). It takes the JSON in pieces cut anywhere, and allocates nothing for a row.
///
/// A text stands in quotes, whatever it holds, so that it is told from a number, and an empty one from null, which is nothing. Numbers, true and false stand
/// as they are. Arrays and objects are their JSON, a text; a masked value is its reason in brackets. A text that a spreadsheet would take for a formula gets
/// an apostrophe before it. NUL, which most readers of CSV end at, becomes U+2400.
struct CSVRows {
  /// The lines so far; whoever takes them empties it.
  var output: [UInt8] = []

  private var place = Place.between
  /// Fields of the row that have begun, and whether the last is nothing.
  private var fields = 0, isNull = false

  // The text that is open.
  private var isAtStart = false
  private var unit: UInt16 = 0, digits = 0
  private var highSurrogate: UInt16?

  // The array or object that is open.
  private var depth = 0
  private var isInText = false, isEscaped = false
  /// How many bytes of it are as a marker's begin; nil once it is none.
  private var matched: Int?
  private var quotes = 0

  private enum Place {
    case between, key, keyText, keyEscape, colon, value, bare, null, text, escape, hexadecimal, nested, marker, afterValue
  }

  /// How a masked value begins. No key of the account's own does: it would have one `$` more.
  private static let marker: StaticString = #"{"$redacted":""#

  private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\"), comma = UInt8(ascii: ",")

  /// Takes the next bytes.
  mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count {
      switch place {
      case .text: index = takeText(bytes, index)
      case .keyText: index = skipKey(bytes, index)
      case .nested where matched == nil: index = takeNested(bytes, index)
      default:
        take(bytes[index])
        index += 1
      }
    }
  }

  private mutating func take(_ byte: UInt8) {
    switch place {
    case .between: if byte == UInt8(ascii: "{") { (place, fields) = (.key, 0) }
    case .key: if byte == Self.quote { place = .keyText } else { endRow() }
    case .keyEscape: place = .keyText
    case .colon: beginField()
    case .value: beginValue(byte)
    case .bare: if byte == Self.comma || byte == UInt8(ascii: "}") { endValue(byte) } else { output.append(byte) }
    case .null, .afterValue: if byte == Self.comma || byte == UInt8(ascii: "}") { endValue(byte) }
    case .escape: takeEscape(byte)
    case .hexadecimal: takeDigit(byte)
    case .nested: match(byte)
    case .marker: takeMarker(byte)
    case .text, .keyText: break  // taken in runs
    }
  }

  // MARK: Rows and fields

  /// The columns are in order, and the header has their names.
  private mutating func skipKey(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != Self.quote, bytes[end] != Self.backslash { end += 1 }
    if end == bytes.count { return end }
    place = bytes[end] == Self.quote ? .colon : .keyEscape
    return end + 1
  }

  private mutating func beginField() {
    if fields > 0 { output.append(Self.comma) }
    (fields, place, isNull) = (fields + 1, .value, false)
  }

  private mutating func beginValue(_ byte: UInt8) {
    switch byte {
    case Self.quote:
      output.append(Self.quote)
      (place, isAtStart) = (.text, true)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      output.append(Self.quote)
      (place, depth, isInText, isEscaped, matched) = (.nested, 0, false, false, 0)
      match(byte)
    case UInt8(ascii: "n"): (place, isNull) = (.null, true)
    default:
      output.append(byte)
      place = .bare
    }
  }

  private mutating func endValue(_ byte: UInt8) {
    if byte == Self.comma { place = .key } else { endRow() }
  }

  private mutating func endRow() {
    // An empty line is no row to most readers.
    output.append(contentsOf: fields == 1 && isNull ? "\"\"\r\n".utf8 : "\r\n".utf8)
    place = .between
  }

  // MARK: Texts

  private mutating func takeText(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != Self.quote, bytes[end] != Self.backslash { end += 1 }
    if end > start {
      begin(with: bytes[start])
      output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
    if end == bytes.count { return end }
    if bytes[end] == Self.quote {
      endSurrogate()
      output.append(Self.quote)
      place = .afterValue
    } else {
      place = .escape
    }
    return end + 1
  }

  /// What must stand before the next byte of the text.
  @inline(__always)
  private mutating func begin(with byte: UInt8) {
    if isAtStart {
      isAtStart = false
      if CSVText.isFormula(begin: byte) { output.append(CSVText.apostrophe) }
    }
    if highSurrogate != nil { endSurrogate() }
  }

  private mutating func put(_ byte: UInt8) {
    begin(with: byte)
    CSVText.append(byte, to: &output)
  }

  private mutating func takeEscape(_ byte: UInt8) {
    place = .text
    switch byte {
    case UInt8(ascii: "u"): (place, unit, digits) = (.hexadecimal, 0, 0)
    case UInt8(ascii: "n"): put(0x0A)
    case UInt8(ascii: "r"): put(0x0D)
    case UInt8(ascii: "t"): put(0x09)
    case UInt8(ascii: "b"): put(0x08)
    case UInt8(ascii: "f"): put(0x0C)
    default: put(byte)
    }
  }

  private mutating func takeDigit(_ byte: UInt8) {
    let value = byte <= UInt8(ascii: "9") ? byte &- UInt8(ascii: "0") : (byte | 0x20) &- UInt8(ascii: "a") &+ 10
    unit = unit << 4 | UInt16(value & 15)
    digits += 1
    if digits == 4 {
      place = .text
      takeUnit()
    }
  }

  /// Takes a unit of UTF-16.
  private mutating func takeUnit() {
    switch unit {
    case 0..<0x80: put(UInt8(unit))
    case 0xD800..<0xDC00:
      begin(with: 0xFF)
      highSurrogate = unit
    case 0xDC00..<0xE000:
      guard let high = highSurrogate else { return put(Unicode.Scalar(0xFFFD)) }
      highSurrogate = nil
      put(Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)))
    default: put(Unicode.Scalar(unit))
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar?) {
    begin(with: 0xFF)
    output.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}")!)
  }

  /// Half of a pair that lacks the other half is no character.
  private mutating func endSurrogate() {
    if highSurrogate == nil { return }
    highSurrogate = nil
    put(Unicode.Scalar(0xFFFD))
  }

  // MARK: Arrays, objects and masked values

  /// Takes the next byte of an array or object that may be a masked value.
  private mutating func match(_ byte: UInt8) {
    guard let count = matched else { return }
    if byte == Self.marker.utf8Start[count] {
      matched = count + 1
      if count + 1 < Self.marker.utf8CodeUnitCount { return }
      output.append(UInt8(ascii: "["))
      (place, quotes) = (.marker, 0)
      return
    }
    matched = nil
    // It is none: what was held back is part of the text.
    _ = takeNested(UnsafeRawBufferPointer(start: Self.marker.utf8Start, count: count), 0)
    _ = withUnsafeBytes(of: byte) { takeNested($0, 0) }
  }

  private mutating func takeNested(_ bytes: UnsafeRawBufferPointer, _ from: Int) -> Int {
    var (start, index) = (from, from)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if isEscaped {
        isEscaped = false
      } else if isInText {
        if byte == Self.backslash { isEscaped = true } else if byte == Self.quote { isInText = false }
      } else {
        switch byte {
        case Self.quote: isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: continue
        }
      }
      if byte == Self.quote {
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
        output.append(Self.quote)
        start = index
      } else if depth == 0 {
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
        output.append(Self.quote)
        place = .afterValue
        return index
      }
    }
    output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
    return index
  }

  /// The rest of a masked value: its reason up to the first quote, and a pseudonym, where it has one, between the fourth and the fifth.
  private mutating func takeMarker(_ byte: UInt8) {
    if byte == Self.quote {
      quotes += 1
      if quotes == 4 { output.append(UInt8(ascii: " ")) }
    } else if quotes == 0 || quotes == 4 {
      output.append(byte)
    } else if byte == UInt8(ascii: "}") {
      output.append(contentsOf: "]\"".utf8)
      place = .afterValue
    }
  }
}
