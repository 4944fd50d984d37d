extension JSONWriter {
  /// The Core Data and Foundation reference date, 2001-01-01T00:00:00Z, in seconds since 1970.
  public static let referenceDate2001: Int64 = 978_307_200

  /// Writes a time as an RFC 3339 string in UTC, with as many fraction digits as it has: `"2026-11-30T10:15:00.25Z"`.
  ///
  /// `nanoseconds` are added to `secondsSince1970`, and count upwards before 1970 too. Outside the years 0001 to 9999 `{"$date":<seconds since 1970>}`.
  public mutating func date(secondsSince1970: Int64, nanoseconds: UInt32 = 0) {
    appendDate(DecimalTime(seconds: secondsSince1970, nanoseconds: nanoseconds, since: 0), tagged: false)
  }

  /// Writes a time as `{"$date":"…"}`, for places without a schema; else as ``date(secondsSince1970:nanoseconds:)``.
  public mutating func taggedDate(secondsSince1970: Int64, nanoseconds: UInt32 = 0) {
    appendDate(DecimalTime(seconds: secondsSince1970, nanoseconds: nanoseconds, since: 0), tagged: true)
  }

  /// Writes a whole number of seconds since `epoch` (seconds since 1970) as ``date(secondsSince1970:nanoseconds:)`` does, whatever its size.
  public mutating func date(seconds: Int64, since epoch: Int64) {
    appendDate(DecimalTime(seconds: seconds, nanoseconds: 0, since: epoch), tagged: false)
  }

  /// As ``date(seconds:since:)-(Int64,_)``, tagged.
  public mutating func taggedDate(seconds: Int64, since epoch: Int64) {
    appendDate(DecimalTime(seconds: seconds, nanoseconds: 0, since: epoch), tagged: true)
  }

  /// Writes a time that is stored as a double of seconds since `epoch` (itself in seconds since 1970, at most 10^15 from it).
  ///
  /// The text has the fewest fraction digits with which it reads back, less the epoch, as exactly the stored double.
  /// Outside the years 0001 to 9999 `{"$date":<seconds since 1970>}`; NaN and the infinities `{"$date":{"$number":"NaN"}}`.
  public mutating func date(seconds: Double, since epoch: Int64 = 0) {
    appendDate(seconds, since: epoch, tagged: false)
  }

  /// As ``date(seconds:since:)-(Double,_)``, but `{"$date":"…"}` inside the years 0001 to 9999 too, for places without a schema.
  public mutating func taggedDate(seconds: Double, since epoch: Int64 = 0) {
    appendDate(seconds, since: epoch, tagged: true)
  }

  private mutating func appendDate(_ seconds: Double, since epoch: Int64, tagged: Bool) {
    precondition(epoch.magnitude <= 1_000_000_000_000_000, "the epoch is too far away")
    let lowest = Double(yearOne - epoch)
    let end = Double(yearTenThousand - epoch)
    if seconds >= lowest && seconds < end {
      return appendDate(DecimalTime(seconds: seconds, since: epoch), tagged: tagged)
    }
    beginObject()
    key("$date")
    let shifted = seconds + Double(epoch)
    if !seconds.isFinite || shifted - Double(epoch) == seconds {
      double(shifted)
    } else {
      // The sum isn't a double that gives the stored one back: its exact decimal digits do. (Below 2^104: beyond, the epoch is lost in the rounding and the stored double comes back.)
      beginValue()
      appendSeconds(DecimalTime(seconds: seconds, since: epoch))
    }
    endObject()
  }

  private mutating func appendDate(_ time: DecimalTime, tagged: Bool) {
    guard let seconds = Int64(exactly: time.seconds), seconds >= yearOne, seconds < yearTenThousand else {
      beginObject()
      key("$date")
      beginValue()
      appendSeconds(time)
      return endObject()
    }
    if tagged {
      beginObject()
      key("$date")
    }
    beginValue()
    append(UInt8(ascii: "\""))
    appendCalendar(seconds)
    appendFraction(time)
    append("Z\"")
    if tagged {
      endObject()
    }
  }

  /// Appends `2026-11-30T10:15:00` for seconds since 1970 inside the years 0001 to 9999.
  private mutating func appendCalendar(_ seconds: Int64) {
    // Days since 0000-03-01: years that begin in March have their leap day at their end, and eras of 400 years are all alike.
    let sinceYearOne = seconds - yearOne
    let days = sinceYearOne / 86400 + 306
    let time = UInt64(sinceYearOne % 86400)
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
    appendDigits(UInt64(year), width: 4)
    append(UInt8(ascii: "-"))
    appendDigits(UInt64(month < 10 ? month + 3 : month - 9), width: 2)
    append(UInt8(ascii: "-"))
    appendDigits(UInt64(day), width: 2)
    append(UInt8(ascii: "T"))
    appendDigits(time / 3600, width: 2)
    append(UInt8(ascii: ":"))
    appendDigits(time / 60 % 60, width: 2)
    append(UInt8(ascii: ":"))
    appendDigits(time % 60, width: 2)
  }

  /// Appends seconds since 1970 as a decimal number, exactly.
  private mutating func appendSeconds(_ time: DecimalTime) {
    let (isNegative, magnitude) = time.asSignedNumber
    if isNegative {
      append(UInt8(ascii: "-"))
    }
    let (high, low) = magnitude.seconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    if high > 0 {
      appendDigits(UInt64(high))
      appendDigits(UInt64(low), width: 18)
    } else {
      appendDigits(UInt64(low))
    }
    appendFraction(magnitude)
  }

  private mutating func appendFraction(_ time: DecimalTime) {
    if time.fractionWidth == 0 { return }
    append(UInt8(ascii: "."))
    appendRepeated(time.fillsWithNines ? UInt8(ascii: "9") : UInt8(ascii: "0"), time.fillWidth)
    appendDigits(time.fraction, width: time.fractionWidth)
  }
}
