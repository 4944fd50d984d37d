import AccountExport

/// A timestamp as PostgreSQL prints it in UTC and ISO style: `2024-02-01 08:00:00.5+00`, years of four digits or more, ` BC` at the end.
struct PrintedTime {
  let moment: Timestamp
  /// Whether RFC 3339 can write its year.
  let isPlain: Bool

  /// nil for what is no such text: `infinity`.
  init?(_ text: Printed) {
    var place = 0
    guard let year = Self.number(text, &place, digits: 4...7), let month = Self.field(text, &place, "-"), (1...12).contains(month),
      let day = Self.field(text, &place, "-"), (1...31).contains(day), let hour = Self.field(text, &place, " "), hour < 25,
      let minute = Self.field(text, &place, ":"), minute < 60, let second = Self.field(text, &place, ":"), second < 61
    else { return nil }
    var nanoseconds = 0
    if place < text.count, text[place] == UInt8(ascii: ".") {
      place += 1
      let start = place
      guard let fraction = Self.number(text, &place, digits: 1...9) else { return nil }
      nanoseconds = (place - start..<9).reduce(fraction) { value, _ in value * 10 }
    }
    if text[place...].starts(with: "+00".utf8) { place += 3 }
    let isBefore = text[place...].elementsEqual(" BC".utf8)
    guard isBefore || place == text.count else { return nil }
    // The year before 1 is 1 BC.
    let days = Self.days(isBefore ? 1 - year : year, month, day)
    moment = Timestamp(seconds: Int64(days * 86_400 + hour * 3600 + minute * 60 + second), nanoseconds: UInt32(nanoseconds))
    isPlain = !isBefore && (1...9999).contains(year)
  }

  private static func number(_ text: Printed, _ place: inout Int, digits: ClosedRange<Int>) -> Int? {
    var (value, count) = (0, 0)
    while place < text.count, count < digits.upperBound, case let digit = text[place] &- 0x30, digit < 10 {
      value = value * 10 + Int(digit)
      count += 1
      place += 1
    }
    return count >= digits.lowerBound ? value : nil
  }

  /// Two digits behind a separator.
  private static func field(_ text: Printed, _ place: inout Int, _ separator: Unicode.Scalar) -> Int? {
    guard place < text.count, text[place] == UInt8(ascii: separator) else { return nil }
    place += 1
    return number(text, &place, digits: 2...2)
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that a leap day ends one.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
