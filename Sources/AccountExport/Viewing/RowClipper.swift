/// Shortens a row that is too large for a page: texts are cut, and a value that is large all the same becomes `{"$cut":<bytes>}`.
///
/// It takes the row in pieces, as the writer has written it: compact, valid JSON.
struct RowClipper {
  /// Bytes of a text that stay. Even where each letter takes six, these are more letters than a page shows: it can tell that more follow.
  static let longestText = 64_000
  /// Bytes of one value, and of a row, that stay.
  static let longestValue = 96 << 10, longestRow = 256 << 10

  private(set) var row: [UInt8] = []
  private var depth = 0
  private var isInText = false
  private var textLength = 0
  /// Bytes of an escape that are still to come.
  private var escape = 0
  /// Where the value of the present column begins, in what is kept; how long it is.
  private var valueStart = 0, valueLength = 0

  /// Takes the next bytes of the row.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { isInText ? addInText(byte) : addBetween(byte) }
  }

  private mutating func addInText(_ byte: UInt8) {
    valueLength += 1
    if escape > 0 {
      if escape == 1 && byte == UInt8(ascii: "u") { escape = 5 }
      escape -= 1
      return keepOfText(byte, isBorder: false)
    }
    if byte == UInt8(ascii: "\"") {
      isInText = false
      row.append(byte)
    } else {
      let isBorder = byte & 0xC0 != 0x80
      if byte == UInt8(ascii: "\\") { escape = 1 }
      keepOfText(byte, isBorder: isBorder)
    }
  }

  /// Keeps a byte of a text that isn't too long yet; a letter or an escape is never divided.
  private mutating func keepOfText(_ byte: UInt8, isBorder: Bool) {
    if textLength == .max { return }
    if isBorder && textLength >= Self.longestText {
      textLength = .max
      return
    }
    textLength += 1
    row.append(byte)
  }

  private mutating func addBetween(_ byte: UInt8) {
    valueLength += 1
    switch byte {
    case UInt8(ascii: "\""): (isInText, textLength) = (true, 0)
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { endValue() }
    case UInt8(ascii: ",") where depth == 1: endValue()
    case UInt8(ascii: ":") where depth == 1:
      row.append(byte)
      (valueStart, valueLength) = (row.count, 0)
      return
    default: break
    }
    row.append(byte)
  }

  /// Replaces a column's value that is still too large.
  private mutating func endValue() {
    let kept = row.count - valueStart
    if valueStart == 0 || kept <= 64 || (kept <= Self.longestValue && row.count <= Self.longestRow) { return }
    row.removeSubrange(valueStart...)
    row.append(contentsOf: "{\"$cut\":\(valueLength - 1)}".utf8)
  }
}
