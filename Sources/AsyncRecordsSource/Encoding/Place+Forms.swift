import AccountExport
import JSONStreaming

extension Place {
  /// Writes a value in its own form.
  func write(_ value: RecordValue) throws {
    switch value.form {
    case .null: scalar(try beginItself(), masked: false) { $0.null() }
    case .text(let text): self.text(try beginItself(), text)
    case .number(let digits): try number(try beginItself(), digits: digits)
    case .moment(let moment):
      isMoment = true
      scalar(try beginItself()) { $0.date(secondsSince1970: moment.seconds, nanoseconds: moment.nanoseconds) }
    case .bytes(let bytes): try self.bytes(bytes)
    }
  }

  /// Writes a value of Foundation's from what it says of itself; false where that isn't what is known of its type.
  func write(_ value: CapturedValue, as type: ForeignType) throws -> Bool {
    switch type {
    case .date:
      guard let seconds = value.seconds else { return false }
      isMoment = true
      scalar(try beginItself()) { $0.date(seconds: seconds, since: JSONWriter.referenceDate2001) }
    case .data:
      guard let bytes = value.bytes else { return false }
      try self.bytes(bytes)
    case .decimal:
      guard let number = value.decimal else { return false }
      guard let digits = number.digits else {
        scalar(try beginItself()) { $0.double(.nan) }
        return true
      }
      try self.number(try beginItself(), digits: digits)
    case .url:
      guard let text = value.texts["relative"], value.texts.count == 1 else { return false }
      self.text(try beginItself(), text)
    }
    return true
  }

  private func bytes(_ bytes: [UInt8]) throws {
    let member = try beginItself()
    if bytes.count > row.inlineBytes {
      fragment.dig(.file(bytes))
      return end(member)
    }
    bytes.withUnsafeBytes { bytes in scalar(member) { $0.bytes(bytes) } }
  }
}

/// A decimal number as it is stored: a whole number and a power of ten.
struct StoredDecimal {
  var exponent: Int
  var isNegative: Bool
  /// The lowest 16 bits first.
  var mantissa: [UInt16]
  /// How many words of the mantissa count; none of a negative number is the one that is no number.
  var length: Int

  /// All digits, as a JSON number; nil where it is none.
  var digits: String? {
    if length == 0 && isNegative { return nil }
    var digits = wholeDigits
    if exponent > 0 && digits != [UInt8(ascii: "0")] { digits += [UInt8](repeating: UInt8(ascii: "0"), count: exponent) }
    if exponent < 0 {
      let missing = 1 - exponent - digits.count
      if missing > 0 { digits.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "0"), count: missing), at: 0) }
      digits.insert(UInt8(ascii: "."), at: digits.count + exponent)
    }
    return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  private var wholeDigits: [UInt8] {
    var words = Array(mantissa.prefix(length))
    var digits: [UInt8] = []
    repeat {
      var rest: UInt32 = 0
      for index in words.indices.reversed() {
        let value = rest << 16 | UInt32(words[index])
        words[index] = UInt16(value / 10)
        rest = value % 10
      }
      digits.append(UInt8(ascii: "0") + UInt8(rest))
    } while words.contains { $0 != 0 }
    return digits.reversed()
  }
}
