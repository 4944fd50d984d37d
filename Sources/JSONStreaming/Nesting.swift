/// Which objects and arrays are open, one bit each, and what may come next.
struct Nesting: Sendable {
  /// How many objects and arrays are open.
  private(set) var depth = 0
  /// The innermost levels, the lowest bit the innermost: 1 is an object, 0 an array.
  private var inner: UInt64 = 0
  /// Whole words of the levels further out: memory is needed once in 64 levels.
  private var outer: [UInt64] = []
  /// Whether a value or key that comes next in the innermost level needs a comma before it.
  var needsComma = false
  /// Whether a key was written, and its value not yet begun.
  var awaitsValue = false

  /// Whether the innermost open level is an object.
  @inline(__always)
  var isInObject: Bool { depth > 0 && inner & 1 == 1 }

  /// Whether the innermost open level is an array.
  @inline(__always)
  var isInArray: Bool { depth > 0 && inner & 1 == 0 }

  @inline(__always)
  mutating func open(object: Bool) {
    if depth & 63 == 0 && depth > 0 {
      outer.append(inner)
    }
    inner = inner << 1 | (object ? 1 : 0)
    depth &+= 1
    needsComma = false
  }

  @inline(__always)
  mutating func close() {
    depth &-= 1
    inner >>= 1
    if depth & 63 == 0 && depth > 0 {
      inner = outer.removeLast()
    }
    needsComma = true
  }
}
