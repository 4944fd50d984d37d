#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A moment: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds after that second.
public struct Timestamp: Hashable, Sendable, Comparable {
  /// Whole seconds since 1970, before it negative.
  public var seconds: Int64
  /// Nanoseconds after `seconds`, 0 ..< 1,000,000,000.
  public var nanoseconds: UInt32

  /// A moment.
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// This moment, to the second.
  public static func now() -> Timestamp {
    Timestamp(seconds: Int64(time(nil)))
  }

  /// Earlier or not.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  /// The date in the proleptic Gregorian calendar, UTC.
  package var calendar: (year: Int64, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let rest = Int(seconds - days * 86_400)
    // Days are counted from 0000-03-01, so that a leap day ends a year: 400 years have 146,097 days.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = Int64(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, rest / 3600, rest / 60 % 60, rest % 60)
  }

  /// `20261130T101500Z`
  var stamp: String {
    let c = calendar
    return "\(padded(c.year, 4))\(padded(c.month, 2))\(padded(c.day, 2))T\(padded(c.hour, 2))\(padded(c.minute, 2))\(padded(c.second, 2))Z"
  }

  /// `account-export-20261130T101500Z`: the one folder of a bundle of this time, and a good name for its file.
  public var bundleName: String { "account-export-" + stamp }

  /// `2026-11-30`
  public var day: String {
    let c = calendar
    return "\(padded(c.year, 4))-\(padded(c.month, 2))-\(padded(c.day, 2))"
  }

  /// `2026-11-30T10:15:00Z`, to the second (RFC 3339).
  public var rfc3339: String {
    let c = calendar
    return "\(day)T\(padded(c.hour, 2)):\(padded(c.minute, 2)):\(padded(c.second, 2))Z"
  }

  private func padded(_ number: some BinaryInteger, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
