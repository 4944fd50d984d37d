extension JSONWriter {
  /// Writes `null`.
  public mutating func null() {
    beginValue()
    append("null")
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    beginValue()
    append(value ? "true" : "false")
  }

  /// Writes an integer, exactly.
  public mutating func integer(_ value: Int64) {
    beginValue()
    appendInteger(value)
  }

  /// Writes an integer, exactly.
  public mutating func integer(_ value: UInt64) {
    beginValue()
    appendDigits(value)
  }

  /// Writes an integer, exactly.
  public mutating func integer(_ value: Int) {
    integer(Int64(value))
  }

  /// Writes the shortest number that reads back the same, always with a `.` or an `e`; NaN and the infinities as `{"$number":"NaN"}`.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return nonFinite(isNaN: value.isNaN, isNegative: value < 0) }
    beginValue()
    appendDouble(value)
  }

  /// Writes the shortest number that reads back the same as a `Float`, else as ``double(_:)``.
  public mutating func float(_ value: Float) {
    guard value.isFinite else { return nonFinite(isNaN: value.isNaN, isNegative: value < 0) }
    beginValue()
    if value.sign == .minus {
      append(UInt8(ascii: "-"))
    }
    appendDecimal(ShortestDecimal(value.magnitude))
  }

  /// Writes a number given as JSON number text (RFC 8259, section 6), with all its digits. Throws `.invalidNumber` for any other text.
  public mutating func number(digits: UnsafeRawBufferPointer) throws(JSONWriterError) {
    let length = numberPrefix(digits)
    guard length == digits.count, length > 0 else { throw JSONWriterError(code: .invalidNumber, offset: length) }
    beginValue()
    append(digits)
  }

  private mutating func nonFinite(isNaN: Bool, isNegative: Bool) {
    beginValue()
    append(isNaN ? "{\"$number\":\"NaN\"}" : isNegative ? "{\"$number\":\"-Infinity\"}" : "{\"$number\":\"Infinity\"}")
  }

  // MARK: - Digits

  mutating func appendInteger(_ value: Int64) {
    if value < 0 {
      append(UInt8(ascii: "-"))
    }
    appendDigits(value.magnitude)
  }

  mutating func appendDigits(_ value: UInt64) {
    appendDigits(value, width: digitCount(value))
  }

  /// Appends exactly `width` digits: zeros in front, or the lowest ones only.
  mutating func appendDigits(_ value: UInt64, width: Int) {
    let out = reserve(width)
    var left = value
    var index = width
    while index >= 2 {
      let (quotient, pair) = left.quotientAndRemainder(dividingBy: 100)
      left = quotient
      index &-= 2
      let tens = pair / 10
      out[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
      out[index &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair &- tens &* 10)
    }
    if index == 1 {
      out[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: left % 10)
    }
    count &+= width
  }

  mutating func appendZeros(_ zeros: Int) {
    appendRepeated(UInt8(ascii: "0"), zeros)
  }

  mutating func appendRepeated(_ byte: UInt8, _ times: Int) {
    reserve(times).update(repeating: byte, count: times)
    count &+= times
  }

  mutating func appendDouble(_ value: Double) {
    if value.sign == .minus {
      append(UInt8(ascii: "-"))
    }
    let magnitude = value.magnitude
    // Whole numbers that a double holds exactly, which most are, need no search.
    if magnitude < 0x1p53, case let whole = UInt64(magnitude), Double(whole) == magnitude {
      appendDigits(whole)
      append(".0")
    } else {
      appendDecimal(ShortestDecimal(magnitude))
    }
  }

  /// Appends digits × 10^exponent: written out from 0.0001 up to 10^16, else with an exponent.
  private mutating func appendDecimal(_ decimal: ShortestDecimal) {
    let digits = decimal.digits
    let length = digitCount(digits)
    let point = length + decimal.exponent
    switch point {
    case ...(-4), 17...:
      let start = count
      appendDigits(digits)
      if length > 1 {
        // Room for the point behind the first digit.
        append(UInt8(ascii: "0"))
        (storage + start + 2).update(from: storage + start + 1, count: length - 1)
        storage[start + 1] = UInt8(ascii: ".")
      }
      append(UInt8(ascii: "e"))
      appendInteger(Int64(point - 1))
    case ...0:
      append("0.")
      appendZeros(-point)
      appendDigits(digits)
    case length...:
      appendDigits(digits)
      appendZeros(point - length)
      append(".0")
    default:
      let start = count
      appendDigits(digits)
      append(UInt8(ascii: "0"))
      (storage + start + point + 1).update(from: storage + start + point, count: length - point)
      storage[start + point] = UInt8(ascii: ".")
    }
  }
}

/// How many decimal digits a number has; 1 for zero.
func digitCount(_ value: UInt64) -> Int {
  var left = value
  var digits = 1
  while left >= 10000 {
    left /= 10000
    digits += 4
  }
  return digits + (left >= 1000 ? 3 : left >= 100 ? 2 : left >= 10 ? 1 : 0)
}

/// How many bytes at the begin are a JSON number; 0 for none, and the place of the fault where one breaks off.
private func numberPrefix(_ text: UnsafeRawBufferPointer) -> Int {
  var index = 0
  func isDigit(_ at: Int) -> Bool { at < text.count && text[at] &- UInt8(ascii: "0") < 10 }
  func skipDigits() {
    while isDigit(index) { index += 1 }
  }
  if index < text.count && text[index] == UInt8(ascii: "-") { index += 1 }
  guard isDigit(index) else { return 0 }
  if text[index] == UInt8(ascii: "0") {
    index += 1
  } else {
    skipDigits()
  }
  if index < text.count && text[index] == UInt8(ascii: ".") {
    guard isDigit(index + 1) else { return index }
    index += 1
    skipDigits()
  }
  if index < text.count && text[index] | 0x20 == UInt8(ascii: "e") {
    let sign = index + 1 < text.count && (text[index + 1] == UInt8(ascii: "+") || text[index + 1] == UInt8(ascii: "-"))
    let first = index + (sign ? 2 : 1)
    guard isDigit(first) else { return index }
    index = first
    skipDigits()
  }
  return index
}
