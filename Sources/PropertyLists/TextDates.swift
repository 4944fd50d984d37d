extension TextValues {
  /// `2024-02-29T12:30:05Z`, with a fraction where there is one, as seconds since 2001. Years have four digits or more. nil where it is no such date.
  static func xmlDate(_ text: ArraySlice<UInt8>) -> Double? {
    var scanner = DateScanner(text)
    let isNegative = scanner.skip("-")
    guard let year = scanner.number(4...9), scanner.skip("-"), let month = scanner.number(2...2), scanner.skip("-"),
      let day = scanner.number(2...2), scanner.skip("T"), let seconds = scanner.time(), scanner.skip("Z"), scanner.isAtEnd,
      let days = days(isNegative ? -year : year, month, day)
    else { return nil }
    return seconds.since(days)
  }

  /// GNUstep's `2011-11-28 09:21:30 +0000` as seconds since 2001. nil where it is no such date.
  static func gnustepDate(_ text: ArraySlice<UInt8>) -> Double? {
    var scanner = DateScanner(text)
    guard let year = scanner.number(4...9), scanner.skip("-"), let month = scanner.number(2...2), scanner.skip("-"),
      let day = scanner.number(2...2), scanner.skip(" "), var seconds = scanner.time(), scanner.skip(" "),
      let days = days(year, month, day)
    else { return nil }
    let isWest = scanner.skip("-")
    guard isWest || scanner.skip("+"), let hours = scanner.number(2...2), let minutes = scanner.number(2...2), minutes < 60, scanner.isAtEnd
    else { return nil }
    seconds.whole -= (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    return seconds.since(days)
  }

  /// Days since 2001-01-01 of a date in the proleptic Gregorian calendar (year 0 is 1 BC); nil where there is no such day.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard 1...12 ~= month, 1...lengths[Int(month) - 1] ~= day else { return nil }
    // Years that begin in March have their leap day at the end, in eras of 400 years.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }
}

/// A time of day: whole seconds, and the fraction of one.
private struct DaySeconds {
  var whole: Int64
  let fraction: Double

  func since(_ days: Int64) -> Double { Double(days * 86_400 + whole) + fraction }
}

private struct DateScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func digits() -> ArraySlice<UInt8> {
    let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(found.count)
    return found
  }

  mutating func number(_ lengths: ClosedRange<Int>) -> Int64? {
    let found = rest.prefix(lengths.upperBound).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard found.count >= lengths.lowerBound else { return nil }
    rest = rest.dropFirst(found.count)
    return found.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  mutating func time() -> DaySeconds? {
    guard let hour = number(2...2), skip(":"), let minute = number(2...2), skip(":"), let second = number(2...2),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction = 0.0
    if skip(".") {
      let text = digits()
      guard !text.isEmpty, let value = Double("0." + String(decoding: text, as: UTF8.self)) else { return nil }
      fraction = value
    }
    return DaySeconds(whole: hour * 3600 + minute * 60 + second, fraction: fraction)
  }
}
