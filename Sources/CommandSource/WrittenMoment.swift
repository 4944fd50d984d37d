internal import AccountExport

/// A time as RFC 3339 writes it, in UTC: `2026-11-30T10:15:00.25Z`, in the years 0001 to 9999, with any number of fraction digits.
struct WrittenMoment {
  /// The time; nil where it has more than nine fraction digits, which no timestamp holds.
  let timestamp: Timestamp?
  /// Whether the timestamp is written as this text is: zeros at the end of the fraction would be lost.
  let isExact: Bool

  /// The time where the text can be told from it again; any other text stays as it is.
  var exactTimestamp: Timestamp? { isExact ? timestamp : nil }

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count >= 20, text.count <= 64, text.last == UInt8(ascii: "Z") else { return nil }
    let form: StaticString = "####-##-##T##:##:##"
    let isFormed = form.withUTF8Buffer { form in
      zip(text, form).allSatisfy { byte, wanted in wanted == UInt8(ascii: "#") ? Self.isDigit(byte) : byte == wanted }
    }
    guard isFormed else { return nil }
    func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard year >= 1, (1...12).contains(month), day >= 1, day <= Self.days(of: month, year), hour < 24, minute < 60, second < 60 else {
      return nil
    }
    let fraction = text[19..<(text.count - 1)]
    if !fraction.isEmpty {
      guard fraction.count > 1, fraction.first == UInt8(ascii: "."), fraction.dropFirst().allSatisfy(Self.isDigit) else { return nil }
    }
    let digits = fraction.dropFirst()
    let nanoseconds = digits.prefix(9).reduce(UInt32(0)) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
    let scale = (0..<max(0, 9 - digits.count)).reduce(UInt32(1)) { product, _ in product * 10 }
    let seconds = Int64(Self.dayNumber(year, month, day)) * 86400 + Int64(hour * 3600 + minute * 60 + second)
    timestamp = digits.count <= 9 ? Timestamp(seconds: seconds, nanoseconds: nanoseconds * scale) : nil
    isExact = digits.count <= 9 && digits.last != UInt8(ascii: "0")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func days(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Days since 1970-01-01. Years begin in March, so that a leap day ends one.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
  }
}

/// A whole number of 64 bits, as JSON writes it; nil for any other, `-0` among them, which stays as it is written.
enum WholeNumber {
  case signed(Int64)
  case unsigned(UInt64)

  init?(_ text: UnsafeRawBufferPointer) {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = UnsafeRawBufferPointer(rebasing: text[(isNegative ? 1 : 0)...])
    if digits.isEmpty || digits.count > 20 { return nil }
    var magnitude: UInt64 = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      let (product, isOver) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, isOverToo) = product.addingReportingOverflow(UInt64(digit))
      if isOver || isOverToo { return nil }
      magnitude = sum
    }
    if isNegative {
      guard magnitude > 0, magnitude <= UInt64(Int64.max) + 1 else { return nil }
      self = .signed(Int64(truncatingIfNeeded: 0 &- magnitude))
    } else {
      self = magnitude <= UInt64(Int64.max) ? .signed(Int64(magnitude)) : .unsigned(magnitude)
    }
  }
}
