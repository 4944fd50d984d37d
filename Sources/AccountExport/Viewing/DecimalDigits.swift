extension UnsafeRawBufferPointer {
  /// The number that decimal digits at some places make; nil where one of them is no digit.
  package func decimal(_ places: Range<Int>) -> Int? {
    var number = 0
    for place in places {
      let digit = self[place] &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }
}
