public import AccountExport

/// How long a person can change their mind: whole days from the receipt of their request.
public struct GracePeriod: Hashable, Sendable {
  /// Days of 24 hours.
  public let days: Int

  /// Two weeks.
  public static let standard = GracePeriod(days: 14)
  /// The periods that are offered to a person.
  public static let offered = [0, 7, 14, 30].map { GracePeriod(days: $0) }
  /// How many days a period may have where nothing else is configured.
  public static let usualBounds = 0...30
  /// No bounds may be wider: a request that waits for longer than a quarter is none that was granted (Art. 12(3) GDPR, with its extension).
  public static let widestBounds = 0...90

  private init(days: Int) { self.days = days }

  /// A period of some days.
  ///
  /// - Throws: `DeletionError` of code `illegal` where there are more or fewer than the bounds allow.
  public init(days: Int, within bounds: ClosedRange<Int> = usualBounds) throws(DeletionError) {
    let allowed = bounds.clamped(to: Self.widestBounds)
    guard allowed.contains(days) else {
      throw DeletionError(
        .illegal, "a grace period of \(days) days is not allowed", hint: "\(allowed.lowerBound) to \(allowed.upperBound) days are")
    }
    self.days = days
  }

  /// When it is over, for a request that was received at some moment.
  public func deadline(received: Timestamp) -> Timestamp {
    Timestamp(seconds: received.seconds + Int64(days) * 86_400, nanoseconds: received.nanoseconds)
  }

  /// Whether it is over only after the month in which a request must be answered (Art. 12(3) GDPR): then the person has to be told why.
  public func passesOneMonth(received: Timestamp) -> Bool { deadline(received: received) > received.oneMonthLater }
}

extension Timestamp {
  /// The same time of the same day in the next month, or of its last day where it has no such day (Regulation 1182/71, Art. 3).
  var oneMonthLater: Timestamp {
    let date = calendar
    let (year, month) = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
    let day = min(date.day, Self.days(of: month, in: year))
    // Between the two lie what is left of this month and the days of the next.
    let days = Self.days(of: date.month, in: date.year) - date.day + day
    return Timestamp(seconds: seconds + Int64(days) * 86_400, nanoseconds: nanoseconds)
  }

  private static func days(of month: Int, in year: Int64) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
