/// The decimal number with the fewest digits that reads back as a given binary one, and of those the nearest to it.
///
/// After R. Giulietti, "The Schubfach way to render doubles": the spacing of the binary numbers picks a power of ten 10^k of which at most two
/// multiples, s and s + 1 times 10^k, can lie in the rounding interval of the value next to it, and at most one of 10^(k+1). The value and the two
/// ends of its interval are scaled by 10^-k with a 126-bit power, precise enough to compare them exactly once a sticky bit is kept.
struct ShortestDecimal {
  /// The digits, without zeros at their end; 0 for zero.
  private(set) var digits: UInt64
  /// The value is `digits` × 10^`exponent`.
  private(set) var exponent: Int

  /// For a finite number that is zero or positive.
  init(_ value: Double) {
    let bits = value.bitPattern
    let fraction = bits & (1 << 52 - 1)
    let field = Int(bits >> 52)
    self.init(fraction: fraction, field: field, fractionBits: 52, bias: 1075)
  }

  /// For a finite number that is zero or positive.
  init(_ value: Float) {
    let bits = value.bitPattern
    let fraction = UInt64(bits & (1 << 23 - 1))
    self.init(fraction: fraction, field: Int(bits >> 23), fractionBits: 23, bias: 150)
  }

  private init(fraction: UInt64, field: Int, fractionBits: Int, bias: Int) {
    if field == 0 && fraction == 0 {
      (digits, exponent) = (0, 0)
      return
    }
    // The value is significand × 2^power.
    let significand = field == 0 ? fraction : fraction | 1 << fractionBits
    let power = (field == 0 ? 1 : field) - bias
    // Just above a power of two the neighbour below is nearer than the one above.
    let isLopsided = fraction == 0 && field > 1
    (digits, exponent) = Self.nearest(significand, power, isLopsided: isLopsided)
    dropZeros()
  }

  private static func nearest(_ significand: UInt64, _ power: Int, isLopsided: Bool) -> (UInt64, Int) {
    // An end of the interval reads back as the value only where its significand is even (ties go to even).
    let odd = significand & 1
    let k = isLopsided ? floorLog10ThreeQuartersPow2(power) : floorLog10Pow2(power)
    let shift = UInt64(power + floorLog2Pow10(-k) + 2)
    let scale = PowerOfTen.table[-k - PowerOfTen.lowest]
    let four = significand << 2
    let value = scale.scaled(four << shift)
    let lower = scale.scaled((four - (isLopsided ? 1 : 2)) << shift) + odd
    let upper = scale.scaled((four + 2) << shift)
    let s = value >> 2
    if s >= 10 {
      // One digit fewer, if one of the two multiples of ten around is inside.
      let tens = s / 10
      let below = lower <= tens * 40
      let above = tens * 40 + 40 + odd <= upper
      if below != above {
        return (below ? tens : tens + 1, k + 1)
      }
    }
    let below = lower <= s << 2
    let above = (s + 1) << 2 + odd <= upper
    if below != above {
      return (below ? s : s + 1, k)
    }
    // Both are inside: the nearer one, and the even one in the middle.
    let middle = s << 2 + 2
    let takesLower = value < middle || value == middle && s & 1 == 0
    return (takesLower ? s : s + 1, k)
  }

  private mutating func dropZeros() {
    while true {
      let (quotient, rest) = digits.quotientAndRemainder(dividingBy: 10)
      if rest != 0 { return }
      digits = quotient
      exponent += 1
    }
  }
}

/// floor(log10(2^power)), right for |power| up to 1100.
private func floorLog10Pow2(_ power: Int) -> Int {
  (power * 1_262_611) >> 22
}

/// floor(log10(3/4 × 2^power)), right for |power| up to 1100.
private func floorLog10ThreeQuartersPow2(_ power: Int) -> Int {
  (power * 1_262_611 - 524_031) >> 22
}

/// floor(log2(10^power)), right for |power| up to 340.
private func floorLog2Pow10(_ power: Int) -> Int {
  (power * 1_741_647) >> 19
}
