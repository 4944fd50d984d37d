/// A pattern with `*`, `?`, `**`, classes and escapes, ready to be matched.
///
/// It is run as a set of places that the pattern may be at, byte after byte: time grows with text × places at worst, and no pattern, however
/// hostile, makes it try combinations.
struct WildcardPattern: Sendable {
  private enum Place: Sendable {
    case byte(UInt8)
    /// `?`
    case anyByte
    case oneOf(ByteSet)
    /// `*`: any bytes but `/`.
    case name
    /// `**`: any bytes.
    case all
    /// Where `**/` begins: nothing, or what the next place takes.
    case foldersBegin
    /// Any bytes up to and with a `/`.
    case folders
    /// A class or an escape that isn't closed: nothing matches.
    case never
  }

  private var places: [Place] = []

  static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\\")
  }

  /// `crossingSlashes` gives `**` its meaning; without, it is a `*`.
  init(_ pattern: ArraySlice<UInt8>, crossingSlashes: Bool) {
    var rest = pattern
    var previous: UInt8?
    while let byte = rest.popFirst() {
      let beginsName = previous == nil || previous == UInt8(ascii: "/")
      switch byte {
      case UInt8(ascii: "\\"): places.append(rest.popFirst().map(Place.byte) ?? .never)
      case UInt8(ascii: "?"): places.append(.anyByte)
      case UInt8(ascii: "["): places.append(ByteSet(readingClass: &rest).map(Place.oneOf) ?? .never)
      case UInt8(ascii: "*"): appendStars(&rest, canCross: crossingSlashes && beginsName)
      default: places.append(.byte(byte))
      }
      previous = pattern[rest.startIndex - 1]
    }
  }

  private mutating func appendStars(_ rest: inout ArraySlice<UInt8>, canCross: Bool) {
    let isDouble = rest.first == UInt8(ascii: "*")
    rest = rest.drop { $0 == UInt8(ascii: "*") }
    let ends = rest.isEmpty || rest.starts(with: "/".utf8) || rest.starts(with: "\\/".utf8)
    if !(isDouble && canCross && ends) {
      places.append(.name)
    } else if rest.first == UInt8(ascii: "/") {
      rest = rest.dropFirst()
      places += [.foldersBegin, .folders]
    } else {
      places.append(.all)
    }
  }

  /// Whether the bytes from `start` on match as a whole.
  func matches(_ text: Span<UInt8>, from start: Int) -> Bool {
    let words = places.count / 64 + 1
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words * 2) { buffer in
      var now = PlaceSet(words: UnsafeMutableBufferPointer(rebasing: buffer[..<words]))
      var next = PlaceSet(words: UnsafeMutableBufferPointer(rebasing: buffer[words...]))
      now.removeAll()
      enter(0, &now)
      for index in start..<text.count {
        next.removeAll()
        let byte = text[unchecked: index]
        now.forEach { step(from: $0, byte, into: &next) }
        if next.isEmpty { return false }
        swap(&now, &next)
      }
      return now.contains(places.count)
    }
  }

  private func step(from place: Int, _ byte: UInt8, into next: inout PlaceSet) {
    if place == places.count { return }
    switch places[place] {
    case .byte(let wanted): if byte == wanted { enter(place + 1, &next) }
    case .anyByte: if byte != UInt8(ascii: "/") { enter(place + 1, &next) }
    case .oneOf(let set): if byte != UInt8(ascii: "/") && set.contains(byte) { enter(place + 1, &next) }
    case .name: if byte != UInt8(ascii: "/") { enter(place, &next) }
    case .all: enter(place, &next)
    case .folders:
      enter(place, &next)
      if byte == UInt8(ascii: "/") { enter(place + 1, &next) }
    case .foldersBegin, .never: break
    }
  }

  /// Adds a place, and those that are reached from it without a byte.
  private func enter(_ place: Int, _ set: inout PlaceSet) {
    var place = place
    while set.insert(place), place < places.count {
      switch places[place] {
      case .name, .all: place += 1
      case .foldersBegin:
        _ = set.insert(place + 1)
        place += 2
      default: return
      }
    }
  }
}

/// A set of places, a bit each.
private struct PlaceSet {
  var words: UnsafeMutableBufferPointer<UInt64>

  func removeAll() { words.update(repeating: 0) }
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
  func contains(_ place: Int) -> Bool { words[place / 64] & 1 << (place % 64) != 0 }

  /// Whether it was not inside before.
  func insert(_ place: Int) -> Bool {
    if contains(place) { return false }
    words[place / 64] |= 1 << (place % 64)
    return true
  }

  func forEach(_ body: (Int) -> Void) {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        body(index * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}
