extension UnsafeRawBufferPointer {
  /// Whether these bytes, one at least, are a number or a literal of JSON (RFC 8259, sections 3 and 6).
  var isJSONScalar: Bool {
    if self[0] >= UInt8(ascii: "a") {
      return elementsEqual("null".utf8) || elementsEqual("true".utf8) || elementsEqual("false".utf8)
    }
    var place = self[0] == UInt8(ascii: "-") ? 1 : 0
    let isZero = place < count && self[place] == UInt8(ascii: "0")
    let whole = passDigits(&place)
    if whole == 0 || isZero && whole > 1 { return false }
    if place < count, self[place] == UInt8(ascii: ".") {
      place += 1
      if passDigits(&place) == 0 { return false }
    }
    if place < count, self[place] | 0x20 == UInt8(ascii: "e") {
      place += 1
      if place < count, self[place] == UInt8(ascii: "+") || self[place] == UInt8(ascii: "-") { place += 1 }
      if passDigits(&place) == 0 { return false }
    }
    return place == count
  }

  /// Goes behind the digits at a place, and says how many they are.
  private func passDigits(_ place: inout Int) -> Int {
    let begin = place
    while place < count, self[place] &- 0x30 < 10 { place += 1 }
    return place - begin
  }
}
