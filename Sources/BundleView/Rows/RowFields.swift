/// Where the values of a row stand in its line: the line is compact JSON of the export's own, so that their ends are found without reading them.
struct RowFields {
  /// A value for each column, in their order; fewer where columns were added later.
  private(set) var values: [UnsafeRawBufferPointer] = []

  /// Finds the values of the next row. They are valid as long as the line is.
  mutating func split(_ line: UnsafeRawBufferPointer) {
    values.removeAll(keepingCapacity: true)
    guard let base = line.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let end = base + line.count
    var place = base + 1
    while place < end, place.pointee == UInt8(ascii: "\"") {
      place = JSONSpan.afterText(place, end) + 1  // the key, and its colon
      if place >= end { return }
      let start = place
      place = JSONSpan.afterValue(place, end)
      values.append(UnsafeRawBufferPointer(start: start, count: place - start))
      place += 1  // the comma
    }
  }
}

/// Ends of values in compact JSON.
enum JSONSpan {
  /// The place behind a text that begins here with its quote.
  static func afterText(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var place = start + 1
    while true {
      place = quoteOrBackslash(place, end)
      if place >= end { return end }
      if place.pointee == UInt8(ascii: "\"") { return place + 1 }
      place += 2
    }
  }

  /// The next quote or backslash, eight bytes at a time.
  @inline(__always)
  private static func quoteOrBackslash(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = start
    while end - place >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      // A borrow may set a bit too high up; only the lowest counts.
      let found = ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & (ones &* 0x80)
      if found != 0 { return place + found.trailingZeroBitCount &>> 3 }
      place += 8
    }
    while place < end, place.pointee != 0x22, place.pointee != 0x5C { place += 1 }
    return place
  }

  /// The place behind a value that begins here.
  static func afterValue(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    switch start.pointee {
    case UInt8(ascii: "\""): return afterText(start, end)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return afterContainer(start, end)
    default:
      var place = start
      while place < end, place.pointee != UInt8(ascii: ","), place.pointee != UInt8(ascii: "}"), place.pointee != UInt8(ascii: "]") {
        place += 1
      }
      return place
    }
  }

  private static func afterContainer(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var (place, depth) = (start, 0)
    while place < end {
      switch place.pointee {
      case UInt8(ascii: "\""):
        place = afterText(place, end)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return place + 1 }
      default: break
      }
      place += 1
    }
    return end
  }
}
