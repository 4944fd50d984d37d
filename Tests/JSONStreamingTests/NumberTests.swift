import JSONStreaming
import Testing

@Suite struct NumberTests {
  @Test(arguments: [0, 1, -1, 9, 10, 99, 100, 101, 12345, 99999, 100_000, Int64.max, Int64.min])
  func integers(value: Int64) {
    #expect(written { $0.integer(value) } == String(value))
    #expect(written { $0.integer(UInt64(bitPattern: value)) } == String(UInt64(bitPattern: value)))
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1, "-1.0"), (0.1, "0.1"), (0.0001, "0.0001"), (0.00001, "1e-5"), (0.000012345, "1.2345e-5"),
    (123.456, "123.456"), (1e15, "1000000000000000.0"), (1e16, "1e16"), (9007199254740991, "9007199254740991.0"),
    (9007199254740992, "9007199254740992.0"), (9007199254740994, "9007199254740994.0"), (1.2345e16, "1.2345e16"), (1e22, "1e22"),
    (1e23, "1e23"),
    (.leastNonzeroMagnitude, "5e-324"), (.leastNonzeroMagnitude * 2, "1e-323"), (2.2250738585072014e-308, "2.2250738585072014e-308"),
    (1.7976931348623157e308, "1.7976931348623157e308"),
    (.pi, "3.141592653589793"), (-1.5, "-1.5"), (4.35, "4.35"), (2.0e-3, "0.002"), (0x1p63, "9.223372036854776e18"),
  ])
  func doubles(value: Double, text: String) {
    #expect(written { $0.double(value) } == text)
  }

  @Test(arguments: [(Double.nan, "NaN"), (-Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")])
  func whatNoNumberCanSay(value: Double, name: String) {
    #expect(written { $0.double(value) } == #"{"$number":"\#(name)"}"#)
    #expect(written { $0.float(Float(value)) } == #"{"$number":"\#(name)"}"#)
  }

  /// Any bit pattern reads back, with the same digits as the standard library's own shortest text.
  @Test func randomDoubles() {
    var random = SeededGenerator(seed: 1)
    var wrong: [String] = []
    for round in 0..<100_000 {
      let value = Double(bitPattern: random.next())
      // Around powers of two the spacing changes; short decimals are what people store.
      let candidates = [value, Double(sign: .plus, exponent: round % 2045 - 1022, significand: 1), Double(round % 100_000) / 1000]
      for value in candidates where value.isFinite && wrong.count < 10 {
        let text = written { $0.double(value) }
        let isShortest = significantDigits(text) == significantDigits(value.description)
        if Double(text) != value || !isShortest || !text.contains(where: { $0 == "." || $0 == "e" }) {
          wrong.append("\(value) \(text)")
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test func randomFloats() {
    var random = SeededGenerator(seed: 2)
    var wrong: [String] = []
    for _ in 0..<50_000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard value.isFinite && wrong.count < 10 else { continue }
      let text = written { $0.float(value) }
      if Float(text) != value || significantDigits(text) != significantDigits(value.description) {
        wrong.append("\(value) \(text)")
      }
    }
    #expect(wrong.isEmpty)
    #expect(written { $0.float(0.1) } == "0.1")
    #expect(written { $0.float(-0.0) } == "-0.0")
    #expect(written { $0.float(16_777_216) } == "16777216.0")
  }

  @Test(arguments: [
    "0", "-0", "1.00", "123456789012345678901234567890.123456789012345678901234567890", "1e5", "1E+05", "-0.0e-0", "1e999999",
  ])
  func numbersKeepTheirDigits(text: String) throws {
    #expect(try written { try $0.number(text) } == text)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "1.e5", "0x1", "NaN", "1 ", " 1", "1,2", "--1", "1.2.3", "1e5.5", "\u{0661}",
  ])
  func whatIsNoNumberIsRefused(text: String) {
    let error = #expect(throws: JSONWriterError.self) { try written { try $0.number(text) } }
    #expect(error?.code == .invalidNumber)
  }
}

/// The digits of a number's text that count, as text.
func significantDigits(_ text: String) -> Substring {
  let mantissa = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
  return mantissa.prefix(mantissa.count - mantissa.reversed().prefix { $0 == "0" }.count)
}
