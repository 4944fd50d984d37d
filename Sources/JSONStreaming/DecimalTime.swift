/// 0001-01-01T00:00:00Z and 10000-01-01T00:00:00Z in seconds since 1970: what RFC 3339 can write lies between.
let yearOne: Int64 = -62_135_596_800
let yearTenThousand: Int64 = 253_402_300_800

/// A time in whole seconds since 1970 and a decimal fraction that counts upwards, before 1970 too.
struct DecimalTime {
  /// Wide enough for any 64-bit number of seconds since any epoch.
  private(set) var seconds: Int128
  /// The last digits of the fraction, ``fractionWidth`` of them; the last one is not zero.
  private(set) var fraction: UInt64 = 0
  private(set) var fractionWidth = 0
  /// How many zeros or nines stand before those digits: a stored double may be as close to a whole second as 10^-324.
  private(set) var fillWidth = 0
  private(set) var fillsWithNines = false

  init(seconds: Int64, nanoseconds: UInt32, since epoch: Int64) {
    self.seconds = Int128(seconds) + Int128(epoch) + Int128(nanoseconds / 1_000_000_000)
    fraction = UInt64(nanoseconds % 1_000_000_000)
    if fraction == 0 { return }
    fractionWidth = 9
    while fraction % 10 == 0 {
      fraction /= 10
      fractionWidth -= 1
    }
  }

  /// For a double below 2^104: the shortest decimal number that reads back as it, plus the epoch, exactly.
  init(seconds stored: Double, since epoch: Int64) {
    let decimal = ShortestDecimal(stored.magnitude)
    let isNegative = stored < 0
    guard decimal.exponent < 0 else {
      let whole = Int128(decimal.digits) * Int128(powerOfTen(min(decimal.exponent, 9))) * Int128(powerOfTen(max(decimal.exponent - 9, 0)))
      seconds = (isNegative ? -whole : whole) + Int128(epoch)
      return
    }
    let places = -decimal.exponent
    // Seventeen digits at most: with more than eighteen places the whole part is zero.
    fractionWidth = min(places, 18)
    fillWidth = places - fractionWidth
    let unit = powerOfTen(fractionWidth)
    let whole = fillWidth == 0 ? Int128(decimal.digits / unit) : 0
    fraction = fillWidth == 0 ? decimal.digits % unit : decimal.digits
    seconds = Int128(epoch) + (isNegative ? -whole : whole)
    if isNegative {
      complementFraction()
      seconds -= 1
    }
  }

  /// Makes the fraction count from the other side: 0.25 becomes 0.75.
  private mutating func complementFraction() {
    if fractionWidth == 0 { return }
    fraction = powerOfTen(fractionWidth) - fraction
    fillsWithNines.toggle()
  }

  /// The same time with a fraction that counts away from 1970, as a signed decimal number is written.
  var asSignedNumber: (isNegative: Bool, magnitude: DecimalTime) {
    guard seconds < 0 else { return (false, self) }
    var magnitude = self
    magnitude.seconds = -seconds
    if fractionWidth > 0 {
      magnitude.seconds -= 1
      magnitude.complementFraction()
    }
    return (true, magnitude)
  }
}

/// 10^exponent, up to 19.
private func powerOfTen(_ exponent: Int) -> UInt64 {
  var power: UInt64 = 1
  for _ in 0..<exponent {
    power *= 10
  }
  return power
}
