extension JSONWriter {
  /// Writes a string of the program's own.
  public mutating func string(_ text: StaticString) {
    beginValue()
    text.withUTF8Buffer { appendString($0) }
  }

  /// Writes a string.
  public mutating func string(_ text: String) {
    beginValue()
    var text = text
    text.withUTF8 { appendString($0) }
  }

  /// Writes bytes that should be text: a string where they are valid UTF-8, else `{"$base64":"…"}`.
  public mutating func text(utf8: UnsafeBufferPointer<UInt8>) {
    beginValue()
    let start = count
    append(UInt8(ascii: "\""))
    if appendEscaped(utf8) == utf8.count {
      append(UInt8(ascii: "\""))
    } else {
      count = start
      appendBase64Object(UnsafeRawBufferPointer(utf8))
    }
  }

  /// Appends a string known to be valid UTF-8, with its quotes.
  mutating func appendString(_ utf8: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    _ = appendEscaped(utf8)
    append(UInt8(ascii: "\""))
  }

  /// Appends UTF-8 with `"`, `\` and control characters escaped, up to the first place that is no whole code point.
  ///
  /// Returns how many bytes were taken: fewer than there are only where a code point is wrong or cut off by the end.
  mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) -> Int {
    guard let bytes = utf8.baseAddress else { return 0 }
    let length = utf8.count
    var index = 0
    // There is always room for all that is left, unescaped, and for a whole word or escape beyond it.
    var out = reserve(length &+ 8)
    scan: while index < length {
      while length &- index >= 8 {
        let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
        UnsafeMutableRawPointer(out).storeBytes(of: word, as: UInt64.self)
        let special = specialBytes(UInt64(littleEndian: word))
        if special != 0 {
          let plain = special.trailingZeroBitCount &>> 3
          index &+= plain
          out += plain
          break
        }
        index &+= 8
        out += 8
      }
      if index == length { break }
      var byte = bytes[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C {
        count = out - storage
        appendEscape(byte)
        index &+= 1
        out = reserve(length &- index &+ 8)
        continue
      }
      if byte < 0x80 {
        out.pointee = byte
        out += 1
        index &+= 1
        continue
      }
      repeat {
        guard case .valid(let size) = UTF8Sequence(at: bytes + index, count: length &- index) else { break scan }
        for offset in 0..<size {
          out[offset] = bytes[index &+ offset]
        }
        out += size
        index &+= size
        if index == length { break scan }
        byte = bytes[index]
      } while byte >= 0x80
    }
    count = out - storage
    return index
  }

  /// Appends the escape of `"`, `\` or a control character: the short form where there is one.
  private mutating func appendEscape(_ byte: UInt8) {
    let short: UInt8
    switch byte {
    case 0x22, 0x5C: short = byte
    case 0x08: short = UInt8(ascii: "b")
    case 0x09: short = UInt8(ascii: "t")
    case 0x0A: short = UInt8(ascii: "n")
    case 0x0C: short = UInt8(ascii: "f")
    case 0x0D: short = UInt8(ascii: "r")
    default:
      append("\\u00")
      append(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 15
      append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
      return
    }
    append(UInt8(ascii: "\\"))
    append(short)
  }
}
