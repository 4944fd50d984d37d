extension SafeHTML {
  /// A path of the bundle as it stands in an address: what isn't plain is percent-encoded.
  mutating func path(utf8: UnsafeRawBufferPointer) {
    for byte in utf8 { addressByte(byte, allowed: "-_.~/") }
  }

  mutating func path(_ path: String) {
    var copy = path
    copy.withUTF8 { self.path(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// A mail address behind `mailto:`.
  mutating func mail(_ address: String) {
    markup("mailto:")
    for byte in address.utf8 { addressByte(byte, allowed: "-_.~@+") }
  }

  private mutating func addressByte(_ byte: UInt8, allowed: StaticString) {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: plain(byte)
    default:
      if allowed.withUTF8Buffer({ $0.contains(byte) }) { return plain(byte) }
      plain(UInt8(ascii: "%"))
      plain(Self.digit(byte >> 4))
      plain(Self.digit(byte & 15))
    }
  }

  /// A byte that means nothing in HTML.
  private mutating func plain(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { text(utf8: $0) }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

  /// A link to a whole address of the web, if that is what a text is and nothing in it can be taken in two ways; shown whole.
  /// - Returns: whether it was one.
  mutating func webLink(json text: UnsafeRawBufferPointer) -> Bool {
    guard Self.isWebAddress(text) else { return false }
    markup("<a href=\"")
    self.text(utf8: text)
    markup("\" rel=\"noreferrer noopener\">")
    self.text(utf8: text)
    markup("</a>")
    return true
  }

  /// Whether the whole of a text is an address that can't be taken for another: a host of letters, digits, points and hyphens, no name before it.
  static func isWebAddress(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count <= 2000, let scheme = ["https://", "http://"].first(where: { begins(text, with: $0) }) else { return false }
    let host = text[scheme.utf8CodeUnitCount...].prefix { isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    if host.isEmpty { return false }
    var rest = text[host.endIndex...]
    if rest.first == UInt8(ascii: ":") {
      let port = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
      if port.isEmpty { return false }
      rest = text[port.endIndex...]
    }
    guard let first = rest.first else { return true }
    return beginsPath.withUTF8Buffer { $0.contains(first) } && isPath(rest, of: text)
  }

  private static func isPath(_ path: Slice<UnsafeRawBufferPointer>, of text: UnsafeRawBufferPointer) -> Bool {
    var fragments = 0
    for place in path.indices {
      let byte = path[place]
      if byte == UInt8(ascii: "%") {
        guard place + 2 < text.count, isHexadecimal(text[place + 1]), isHexadecimal(text[place + 2]) else { return false }
      } else if byte == UInt8(ascii: "#") {
        fragments += 1
      } else if !isLetterOrDigit(byte) && !plainInPath.withUTF8Buffer({ $0.contains(byte) }) {
        return false
      }
    }
    return fragments < 2
  }

  private static let beginsPath: StaticString = "/?#"
  private static let plainInPath: StaticString = "._~:/?@!$&'()*+,;=-"

  private static func begins(_ text: UnsafeRawBufferPointer, with prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { text.count > $0.count && text[..<$0.count].elementsEqual($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x41...0x5A ~= byte & ~0x20 }
  private static func isHexadecimal(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x41...0x46 ~= byte & ~0x20 }
}
