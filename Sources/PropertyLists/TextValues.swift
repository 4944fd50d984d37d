/// The values that text lists spell out. Each function takes the characters between the delimiters, without spaces at their ends.
enum TextValues {
  /// An integer: `-7`, `+7`, `0x1F`. nil where it is none.
  enum Integer {
    case signed(Int64)
    case unsigned(UInt64)
    case tooLarge
  }

  static func integer(_ text: ArraySlice<UInt8>) -> Integer? {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    var radix: UInt64 = 10
    if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
      radix = 16
      rest = rest.dropFirst(2)
    }
    if rest.isEmpty { return nil }
    var value: UInt64 = 0
    var isTooLarge = false
    for byte in rest {
      guard let digit = hexDigit(byte), digit < radix else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      isTooLarge = isTooLarge || overflow || carry
      value = sum
    }
    if isTooLarge || isNegative && value > UInt64(Int64.max) + 1 { return .tooLarge }
    if isNegative { return .signed(Int64(bitPattern: 0 &- value)) }
    return value > UInt64(Int64.max) ? .unsigned(value) : .signed(Int64(value))
  }

  /// A real: digits with point and exponent, or `nan`, `inf`, `infinity` in any case. nil where it is none, or beyond a double's range.
  static func real(_ text: ArraySlice<UInt8>) -> Double? {
    let unsigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
    let isNegative = text.first == UInt8(ascii: "-")
    switch String(decoding: unsigned, as: UTF8.self).lowercased() {
    case "nan": return .nan
    case "inf", "infinity": return isNegative ? -.infinity : .infinity
    default: break
    }
    guard unsigned.first != UInt8(ascii: "-"), unsigned.first != UInt8(ascii: "+"), unsigned.allSatisfy(isRealCharacter) else { return nil }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }

  private static func isRealCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Base64 with spaces anywhere; padding may be missing. Where it isn't, the offset of the first byte that doesn't fit.
  static func base64(_ text: ArraySlice<UInt8>, into data: inout [UInt8]) -> Int? {
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for (offset, byte) in zip(text.indices, text) where !isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        if padding > 2 || count % 4 < 2 { return offset }
        continue
      }
      guard padding == 0, let digit = base64Digit(byte) else { return offset }
      bits = bits << 6 | UInt32(digit)
      count += 1
      if count % 4 == 0 { for shift in [16, 8, 0] as [UInt32] { data.append(UInt8(truncatingIfNeeded: bits >> shift)) } }
    }
    switch count % 4 {
    case 0: break
    case 2: data.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      data.append(UInt8(truncatingIfNeeded: bits >> 10))
      data.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return text.endIndex
    }
    return nil
  }

  private static func base64Digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Space, tab, line feed, carriage return.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

/// A slice without spaces at its ends.
func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var result = text
  while let first = result.first, isSpace(first) { result = result.dropFirst() }
  while let last = result.last, isSpace(last) { result = result.dropLast() }
  return result
}
