extension ObjectTable {
  /// The bytes of a range found by `object(_:)`.
  func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// Appends a text object's UTF-8 to `buffer`. Returns whether it is well-formed; see `PropertyListVisitor.malformedText` for what else it can be.
  /// nil where the object is no text.
  func appendText(_ object: ListObject, to buffer: inout [UInt8]) -> Bool? {
    switch object {
    case .text(let range):
      let text = slice(range)
      buffer.append(contentsOf: text)
      return isWellFormedUTF8(text.span)
    case .utf16(let range):
      return appendUTF16(range, to: &buffer)
    default:
      return nil
    }
  }

  private func appendUTF16(_ range: Range<Int>, to buffer: inout [UInt8]) -> Bool {
    var isWellFormed = true
    var index = range.lowerBound
    while index < range.upperBound {
      let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      index += 2
      if unit < 0x80 {
        buffer.append(UInt8(unit))
      } else if unit & 0xF800 != 0xD800 {
        appendUTF8(UInt32(unit), to: &buffer)
      } else if unit & 0xFC00 == 0xD800, index < range.upperBound, bytes[index] & 0xFC == 0xDC {
        let low = UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1])
        appendUTF8(0x10000 + (UInt32(unit) & 0x3FF) << 10 + (low & 0x3FF), to: &buffer)
        index += 2
      } else {
        appendUTF8(UInt32(unit), to: &buffer)
        isWellFormed = false
      }
    }
    return isWellFormed
  }

  /// Whether a text object is a given ASCII text.
  func isText(_ object: ListObject, _ expected: StaticString) -> Bool {
    switch object {
    case .text(let range):
      return range.count == expected.utf8CodeUnitCount && expected.withUTF8Buffer { slice(range).elementsEqual($0) }
    case .utf16(let range):
      guard range.count == 2 * expected.utf8CodeUnitCount else { return false }
      return expected.withUTF8Buffer { ascii in
        ascii.indices.allSatisfy { bytes[range.lowerBound + 2 * $0] == 0 && bytes[range.lowerBound + 2 * $0 + 1] == ascii[$0] }
      }
    default:
      return false
    }
  }
}

/// Whether bytes are UTF-8 as Unicode defines it: no overlong forms, no surrogates.
func isWellFormedUTF8(_ bytes: Span<UInt8>) -> Bool {
  do {
    _ = try UTF8Span(validating: bytes)
    return true
  } catch {
    return false
  }
}

/// Appends a code point's UTF-8; of a surrogate, the three bytes that it would take.
func appendUTF8(_ point: UInt32, to buffer: inout [UInt8]) {
  func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | (point >> shift) & 0x3F) }
  switch point {
  case ..<0x80:
    buffer.append(UInt8(point))
  case ..<0x800:
    buffer.append(UInt8(0xC0 | point >> 6))
    buffer.append(tail(0))
  case ..<0x10000:
    buffer.append(UInt8(0xE0 | point >> 12))
    buffer.append(tail(6))
    buffer.append(tail(0))
  default:
    buffer.append(UInt8(0xF0 | (point >> 18) & 0x07))
    buffer.append(tail(12))
    buffer.append(tail(6))
    buffer.append(tail(0))
  }
}
