/// How many rows fall into each month, from 1900 to 2099.
package struct MonthCounts: Sendable, Equatable {
  private static let firstYear = 1900, years = 200

  private var counts: [UInt32] = []
  /// Rows that have a date.
  package private(set) var total = 0

  /// Counts a row.
  mutating func add(_ month: Month) {
    if counts.isEmpty { counts = [UInt32](repeating: 0, count: Self.years * 12) }
    counts[month.index] &+= 1
    total += 1
  }

  /// The months from the first to the last that has rows, each with how many it has.
  package var span: [(year: Int, month: Int, rows: Int)] {
    guard let first = counts.firstIndex(where: { $0 > 0 }), let last = counts.lastIndex(where: { $0 > 0 }) else { return [] }
    return (first...last).map { (Self.firstYear + $0 / 12, $0 % 12 + 1, Int(counts[$0])) }
  }

  /// A month that can be counted.
  struct Month: Sendable, Equatable {
    let index: Int

    init?(year: Int, month: Int) {
      guard (1...12).contains(month), (firstYear..<firstYear + years).contains(year) else { return nil }
      index = (year - firstYear) * 12 + month - 1
    }

    /// The month of a value as it is written in JSON: a text that begins as RFC 3339 does, or a number of seconds or milliseconds since 1970 that lies in
    /// this century. What names a column as a date is asked before.
    init?(json value: UnsafeRawBufferPointer) {
      if value.first == UInt8(ascii: "\"") {
        self.init(text: UnsafeRawBufferPointer(rebasing: value.dropFirst()))
      } else {
        self.init(number: value)
      }
    }

    private init?(text: UnsafeRawBufferPointer) {
      // A day at least: `2026-11` alone may be a number of something.
      guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return nil }
      guard let year = text.decimal(0..<4), let month = text.decimal(5..<7), text.decimal(8..<10) != nil else { return nil }
      self.init(year: year, month: month)
    }

    private init?(number: UnsafeRawBufferPointer) {
      let whole = number.prefix { $0 &- UInt8(ascii: "0") < 10 }.count
      guard whole == 10 || whole == 13 || whole == 9, let digits = number.decimal(0..<whole) else { return nil }
      let seconds = whole == 13 ? digits / 1000 : digits
      guard (946_684_800..<4_102_444_800).contains(seconds) else { return nil }
      let calendar = Timestamp(seconds: Int64(seconds)).calendar
      self.init(year: Int(calendar.year), month: calendar.month)
    }
  }
}
