/// The last lines of what a program says of itself, of bounded length and with nothing in them that could steer a terminal.
public struct ErrorTail: Sendable {
  private var bytes: [UInt8] = []

  static let longest = 8 << 10
  static let mostLines = 20

  /// An empty one.
  public init() {}

  /// Takes the next bytes, and forgets the oldest beyond the bound.
  public mutating func append(_ piece: UnsafeRawBufferPointer) {
    bytes += piece.suffix(Self.longest)
    if bytes.count > 2 * Self.longest { bytes.removeFirst(bytes.count - Self.longest) }
  }

  /// The last lines, each with controls shown as `\xNN`: tabs become spaces, empty lines are left out.
  public var lines: [String] {
    let kept = bytes.suffix(Self.longest)
    let all = kept.split { $0 == 0x0A || $0 == 0x0D }
    return all.suffix(Self.mostLines).map { Self.harmless(String(decoding: $0, as: UTF8.self)) }
  }

  /// A text without controls and without characters that change the direction of what stands around them.
  public static func harmless(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09: shown += " "
      case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: shown += "\u{FFFD}"
      case _ where scalar.properties.generalCategory == .control: shown += "\\x" + hexadecimal(scalar.value)
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }
}
