import Foundation
import Testing

@testable import AccountExport

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (-62_135_596_800, "0001-01-01T00:00:00Z"), (-62_135_596_801, "0000-12-31T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"),
      (0, "1970-01-01T00:00:00Z"), (-86_400, "1969-12-31T00:00:00Z"), (-86_401, "1969-12-30T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"), (951_868_800, "2000-03-01T00:00:00Z"),
      (-2_203_891_200, "1900-03-01T00:00:00Z"), (-2_203_891_201, "1900-02-28T23:59:59Z"), (1_709_164_800, "2024-02-29T00:00:00Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (1_796_033_700, "2026-11-30T10:15:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
      (2_147_483_648, "2038-01-19T03:14:08Z"),
    ] as [(Int64, String)])
  func knownDates(_ date: (seconds: Int64, text: String)) {
    let timestamp = Timestamp(seconds: date.seconds)
    #expect(timestamp.rfc3339 == date.text)
    #expect(timestamp.day == String(date.text.prefix(10)))
    #expect(timestamp.stamp == date.text.replacing("-", with: "").replacing(":", with: ""))
  }

  @Test func everyDateAsFoundationHasIt() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var random = SeededGenerator(seed: 1)
    // Foundation's Gregorian calendar is the Julian one before 1582.
    for _ in 0..<5000 {
      let seconds = Int64.random(in: -12_219_292_800..<253_402_300_800, using: &random)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
      let found = Timestamp(seconds: seconds).calendar
      #expect(
        [Int(found.year), found.month, found.day, found.hour, found.minute, found.second]
          == [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second])
    }
  }

  @Test func order() {
    #expect(Timestamp(seconds: 1, nanoseconds: 5) < Timestamp(seconds: 1, nanoseconds: 6))
    #expect(Timestamp(seconds: -1, nanoseconds: 999_999_999) < Timestamp(seconds: 0))
    #expect(!(Timestamp(seconds: 2) < Timestamp(seconds: 1, nanoseconds: 999)))
  }
}
