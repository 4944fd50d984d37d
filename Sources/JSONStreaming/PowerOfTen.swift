/// A power of ten as its highest 126 bits plus one: 10^e is just below (`high` × 2^64 + `low`) × 2^(floor(log2(10^e)) − 125).
struct PowerOfTen: Sendable {
  let high: UInt64
  let low: UInt64

  /// The lowest and highest exponents that doubles need.
  static let lowest = -292
  static let highest = 324

  /// All of them by exponent, from ``lowest`` on: 10 KB, worked out once in a process, before the first number that needs it.
  static let table = makeTable()

  /// `factor` × power, divided by 2^127, with the lowest bit set if anything was cut off there ("rounded to odd").
  ///
  /// The power is too large by less than one in its last place, so that with factors below 2^60 a product that ought to be whole has a fraction below
  /// 2^-63; the fractions of all others are above that, as the paper shows. So 63 bits of fraction tell them apart.
  @inline(__always)
  func scaled(_ factor: UInt64) -> UInt64 {
    let lower = factor.multipliedFullWidth(by: low).high
    let upper = factor.multipliedFullWidth(by: high)
    let (middle, carry) = upper.low.addingReportingOverflow(lower)
    let top = upper.high &+ (carry ? 1 : 0)
    let whole = top &<< 1 | middle &>> 63
    return whole | (middle & (1 << 63 - 1) != 0 ? 1 : 0)
  }

  private static func makeTable() -> [PowerOfTen] {
    var table = [PowerOfTen](repeating: PowerOfTen(high: 0, low: 0), count: highest - lowest + 1)
    // 10^e has the bits of 5^e. Upwards by multiplying, exactly (324 × 2.33 bits).
    var power = [UInt64](repeating: 0, count: 12)
    power[0] = 1
    for exponent in 0...highest {
      table[exponent - lowest] = PowerOfTen(topBitsOf: power)
      multiplyByFive(&power)
    }
    // Downwards by dividing 2^960 by five again and again: rounding down each time is the same as rounding down once.
    power = [UInt64](repeating: 0, count: 16)
    power[15] = 1
    for exponent in stride(from: -1, through: lowest, by: -1) {
      divideByFive(&power)
      table[exponent - lowest] = PowerOfTen(topBitsOf: power)
    }
    return table
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The highest 126 bits of a number given as words, the lowest first, plus one.
  private init(topBitsOf words: [UInt64]) {
    let top = words.lastIndex { $0 != 0 } ?? 0
    func word(_ index: Int) -> UInt64 { index < 0 ? 0 : words[index] }
    let shift = UInt64(word(top).leadingZeroBitCount)
    // 128 bits with the highest one set; a shift by 64 gives zero.
    let high = word(top) << shift | word(top - 1) >> (64 - shift)
    let low = word(top - 1) << shift | word(top - 2) >> (64 - shift)
    let (next, carry) = (low >> 2 | high << 62).addingReportingOverflow(1)
    self.init(high: high >> 2 + (carry ? 1 : 0), low: next)
  }

  private static func multiplyByFive(_ words: inout [UInt64]) {
    var carry: UInt64 = 0
    for index in words.indices {
      let product = words[index].multipliedFullWidth(by: 5)
      let (sum, overflow) = product.low.addingReportingOverflow(carry)
      words[index] = sum
      carry = product.high + (overflow ? 1 : 0)
    }
    precondition(carry == 0)
  }

  private static func divideByFive(_ words: inout [UInt64]) {
    var rest: UInt64 = 0
    for index in words.indices.reversed() {
      (words[index], rest) = UInt64(5).dividingFullWidth((rest, words[index]))
    }
  }
}
