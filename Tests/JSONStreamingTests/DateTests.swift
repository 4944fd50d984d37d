import JSONStreaming
import TestSupport
import Testing

@Suite struct DateTests {
  @Test(
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (0, 250_000_000, "1970-01-01T00:00:00.25Z"), (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
      (1_796_033_700, 0, "2026-11-30T10:15:00Z"), (951_782_400, 0, "2000-02-29T00:00:00Z"), (-2_203_891_200, 0, "1900-03-01T00:00:00Z"),
      (-62_135_596_800, 0, "0001-01-01T00:00:00Z"), (253_402_300_799, 999_000_000, "9999-12-31T23:59:59.999Z"),
      (5, 1_500_000_000, "1970-01-01T00:00:06.5Z"),
    ] as [(Int64, UInt32, String)])
  func secondsAndNanoseconds(seconds: Int64, nanoseconds: UInt32, text: String) {
    #expect(written { $0.date(secondsSince1970: seconds, nanoseconds: nanoseconds) } == "\"\(text)\"")
    #expect(written { $0.taggedDate(secondsSince1970: seconds, nanoseconds: nanoseconds) } == "{\"$date\":\"\(text)\"}")
  }

  @Test(
    arguments: [
      (-62_135_596_801, 0, "-62135596801"), (-62_135_596_801, 750_000_000, "-62135596800.25"), (253_402_300_800, 0, "253402300800"),
      (253_402_300_800, 5, "253402300800.000000005"), (Int64.max, 1_000_000_000, "9223372036854775808"),
      (Int64.min, 0, "-9223372036854775808"),
      (Int64.min, 500_000_000, "-9223372036854775807.5"),
    ] as [(Int64, UInt32, String)])
  func outsideTheCalendar(seconds: Int64, nanoseconds: UInt32, number: String) {
    #expect(written { $0.date(secondsSince1970: seconds, nanoseconds: nanoseconds) } == "{\"$date\":\(number)}")
    #expect(written { $0.taggedDate(secondsSince1970: seconds, nanoseconds: nanoseconds) } == "{\"$date\":\(number)}")
  }

  @Test(
    arguments: [
      (0.0, "\"2001-01-01T00:00:00Z\""), (-0.0, "\"2001-01-01T00:00:00Z\""), (728_384_000.123, "\"2024-01-31T08:53:20.123Z\""),
      (-0.25, "\"2000-12-31T23:59:59.75Z\""),
      (1e-20, "\"2001-01-01T00:00:00.00000000000000000001Z\""), (-1e-20, "\"2000-12-31T23:59:59.99999999999999999999Z\""),
      (-63_113_904_000, "\"0001-01-01T00:00:00Z\""), (-63_113_904_000.00001, "{\"$date\":-62135596800.00001}"),
      (252_423_993_600, "{\"$date\":253402300800.0}"),
      (1e300, "{\"$date\":1e300}"), (.nan, "{\"$date\":{\"$number\":\"NaN\"}}"), (-.infinity, "{\"$date\":{\"$number\":\"-Infinity\"}}"),
    ] as [(Double, String)])
  func storedDoubles(seconds: Double, text: String) {
    #expect(written { $0.date(seconds: seconds, since: JSONWriter.referenceDate2001) } == text)
    let tagged = text.first == "{" ? text : "{\"$date\":\(text)}"
    #expect(written { $0.taggedDate(seconds: seconds, since: JSONWriter.referenceDate2001) } == tagged)
  }

  @Test(
    arguments: [
      (0, "\"2001-01-01T00:00:00Z\""), (-1, "\"2000-12-31T23:59:59Z\""), (Int64.max, "{\"$date\":9223372037833083007}"),
      (Int64.min, "{\"$date\":-9223372035876468608}"),
    ] as [(Int64, String)])
  func wholeSecondsSinceAnEpoch(seconds: Int64, text: String) {
    #expect(written { $0.date(seconds: seconds, since: JSONWriter.referenceDate2001) } == text)
    #expect(
      written { $0.taggedDate(seconds: seconds, since: JSONWriter.referenceDate2001) } == (text.first == "{" ? text : "{\"$date\":\(text)}")
    )
  }

  /// Python's calendar gives the same, and its exact arithmetic reads back the stored double from the fewest digits.
  @Test func pythonReadsTheStoredDoubleBack() throws {
    var random = SeededGenerator(seed: 6)
    var input = ""
    for round in 0..<20_000 {
      let magnitude: Double = [1e9, 63e9, 253e9, 300e9, 1e12, 1.0, 1e-12].randomElement(using: &random) ?? 1
      var seconds = Double.random(in: -magnitude...magnitude, using: &random)
      if round % 4 == 0 { seconds = (seconds * 1000).rounded() / 1000 }
      if round % 100 == 0 { seconds = Double(bitPattern: random.next()) }
      if !seconds.isFinite { continue }
      input += "\(seconds.bitPattern) " + written { $0.date(seconds: seconds, since: JSONWriter.referenceDate2001) } + "\n"
      let whole = Int64.random(in: -70_000_000_000...260_000_000_000, using: &random)
      input += "whole \(whole) " + written { $0.date(secondsSince1970: whole) } + "\n"
    }
    #expect(try python(datesScript, input: input) == [])
  }
}

private let datesScript = """
  import datetime, json, re, struct, sys
  from fractions import Fraction

  EPOCH = 978307200
  DAYS = datetime.date(1970, 1, 1).toordinal()

  def since_1970(text):
      year, month, day, hour, minute, second, fraction = re.fullmatch(
          r"(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d*[1-9]))?Z", text).groups()
      days = datetime.date(int(year), int(month), int(day)).toordinal() - DAYS
      whole = days * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second)
      return whole, fraction or ""

  def check(stored, value):
      exact = Fraction(stored) + EPOCH
      inside = -62135596800 <= exact < 253402300800
      if not inside:
          number = Fraction(value["$date"])
          return float(number) == stored + EPOCH or float(number - EPOCH) == stored
      whole, fraction = since_1970(value)
      if float(whole - EPOCH + Fraction(int(fraction or 0), 10 ** len(fraction))) != stored:
          return False
      # One digit fewer, up or down, must not do.
      if not fraction:
          return True
      unit = Fraction(1, 10 ** (len(fraction) - 1))
      below = Fraction(stored) // unit * unit
      return float(below) != stored and float(below + unit) != stored

  for line in open(sys.argv[1]):
      first, rest = line.split(" ", 1)
      if first == "whole":
          seconds, rest = rest.split(" ", 1)
          value = json.loads(rest, parse_float=str)
          if -62135596800 <= int(seconds) < 253402300800:
              good = since_1970(value) == (int(seconds), "")
          else:
              good = value == {"$date": int(seconds)}
      else:
          stored = struct.unpack("d", struct.pack("Q", int(first)))[0]
          good = check(stored, json.loads(rest, parse_float=str, parse_int=str))
      if not good:
          print(line.strip())
  """
