import AccountExport

/// What a written value is, as its bytes tell.
struct JSONForm {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The value's kind for the table's schema; nil for null.
  var kind: ValueKinds? {
    switch bytes.first {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .text
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"), nil: nil
    default: bytes.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } ? .number : .integer
    }
  }

  /// Whether it can be a secret: null, true, false and what is empty hold none.
  var isMaskable: Bool {
    switch bytes.first {
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"), nil: false
    case UInt8(ascii: "\""), UInt8(ascii: "["): bytes.count > 2
    case UInt8(ascii: "{"): bytes.count > 2 && !isEmptyBytes
    default: true
    }
  }

  private var isEmptyBytes: Bool {
    let empty: StaticString = #"{"$base64":""}"#
    return empty.withUTF8Buffer { bytes.elementsEqual($0) }
  }

  /// Calls a body with the text of a string; it is not called for what is none.
  func withText(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard bytes.first == UInt8(ascii: "\""), bytes.count >= 2 else { return }
    let inner = UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
    if !inner.contains(UInt8(ascii: "\\")) { return body(inner.bindMemory(to: UInt8.self)) }
    unescaped(inner).withUnsafeBufferPointer(body)
  }

  /// A string's bytes without its escapes, of which our own writer has the short ones and `\u00…`.
  private func unescaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        text.append(bytes[index])
        index += 1
        continue
      }
      let escape = bytes[index + 1]
      if escape == UInt8(ascii: "u") {
        text.append(bytes[(index + 4)..<(index + 6)].reduce(0) { $0 << 4 | ($1 & 15) + ($1 > 0x39 ? 9 : 0) })
        index += 6
      } else {
        let controls: [UInt8: UInt8] = [0x62: 8, 0x74: 9, 0x6E: 10, 0x66: 12, 0x72: 13]
        text.append(controls[escape] ?? escape)
        index += 2
      }
    }
    return text
  }
}
