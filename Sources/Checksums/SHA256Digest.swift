/// The 32 bytes of a SHA-256 digest, kept inline.
public struct SHA256Digest: Hashable, Sendable {
  /// The bytes in their order, whatever the machine's byte order.
  typealias Words = (UInt64, UInt64, UInt64, UInt64)

  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// The number of bytes of a digest.
  public static var byteCount: Int { 32 }

  init(words: Words) {
    (first, second, third, fourth) = words
  }

  /// The digest with these bytes; nil unless there are 32 of them.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: Words = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
    self.init(words: words)
  }

  /// Reads 64 hexadecimal digits, upper or lower case (BagIt allows both); nil for anything else.
  public init?(hex: some StringProtocol) {
    var text = String(hex)
    let parsed = text.withUTF8 { Self.words(hex: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self.init(words: parsed)
  }

  /// Reads 64 ASCII hexadecimal digits, upper or lower case; nil for anything else.
  public init?(hexBytes: UnsafeRawBufferPointer) {
    guard let parsed = Self.words(hex: hexBytes) else { return nil }
    self.init(words: parsed)
  }

  /// The 32 bytes, for the time of the call.
  public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let words: Words = (first, second, third, fourth)
    return try Swift.withUnsafeBytes(of: words) { (raw) throws(E) -> R in try body(raw) }
  }

  /// The digest as 64 lower-case hexadecimal ASCII digits, for the time of the call, without allocating.
  public func withHex<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    var digits: (Words, Words) = ((0, 0, 0, 0), (0, 0, 0, 0))
    withUnsafeMutableBytes(of: &digits) { writeHex(into: $0) }
    return try Swift.withUnsafeBytes(of: digits) { (raw) throws(E) -> R in try body(raw) }
  }

  /// Writes the digest as 64 lower-case hexadecimal ASCII digits to the start of a buffer.
  ///
  /// - Precondition: the buffer has room for 64 bytes.
  public func writeHex(into buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= 2 * Self.byteCount, "64 bytes are needed for the digits of a digest")
    withUnsafeBytes { bytes in
      for (index, byte) in bytes.enumerated() {
        buffer[2 * index] = Self.digit(byte >> 4)
        buffer[2 * index + 1] = Self.digit(byte & 15)
      }
    }
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hex: String {
    withHex { digits in String(decoding: digits, as: UTF8.self) }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func words(hex: UnsafeRawBufferPointer) -> Words? {
    guard hex.count == 2 * byteCount else { return nil }
    var words: Words = (0, 0, 0, 0)
    let sound = withUnsafeMutableBytes(of: &words) { bytes in
      for index in 0..<byteCount {
        guard let high = value(hex[2 * index]), let low = value(hex[2 * index + 1]) else { return false }
        bytes[index] = high << 4 | low
      }
      return true
    }
    return sound ? words : nil
  }
}

extension SHA256Digest: CustomStringConvertible {
  /// The same as `hex`.
  public var description: String { hex }
}
