@testable import Checksums

/// A ZIP without compression, with everything in it as it should be.
struct StoredZip {
  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0
  /// 2026-11-30, noon.
  private static let dosTime: UInt32 = (46 << 25 | 11 << 21 | 30 << 16) | 12 << 11

  mutating func add(path: [UInt8], _ content: [UInt8]) {
    let offset = UInt32(bytes.count)
    var fields: [UInt8] = []
    fields.append(UInt16(10), UInt16(1 << 11), UInt16(0))
    fields.append(Self.dosTime, crc32(of: content), UInt32(content.count), UInt32(content.count))
    fields.append(UInt16(path.count), UInt16(0))
    bytes.append(UInt32(0x0403_4b50))
    bytes += fields + path + content
    directory.append(UInt32(0x0201_4b50))
    directory.append(UInt16(3 << 8 | 10))
    directory += fields
    directory.append(UInt16(0), UInt16(0), UInt16(0))
    directory.append(UInt32(0o100_644) << 16, offset)
    directory += path
    count &+= 1
  }

  consuming func finish() -> [UInt8] {
    let start = UInt32(bytes.count)
    bytes += directory
    bytes.append(UInt32(0x0605_4b50))
    bytes.append(UInt16(0), UInt16(0), count, count)
    bytes.append(UInt32(directory.count), start)
    bytes.append(UInt16(0))
    return bytes
  }
}

extension [UInt8] {
  /// Appends numbers, their lowest byte first.
  fileprivate mutating func append<N: FixedWidthInteger>(_ numbers: N...) {
    for number in numbers {
      for shift in stride(from: 0, to: N.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
  }
}

private let crcTable: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xEDB8_8320) }
}

private func crc32(of bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(~UInt32(0)) { crc, byte in crc >> 8 ^ crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
}

/// The SHA-256 of bytes as 64 hexadecimal digits.
func sha256(of bytes: [UInt8]) -> String {
  do {
    var hasher = try SHA256.make()
    bytes.withUnsafeBytes { hasher.update($0) }
    return try hasher.finish().hex
  } catch {
    preconditionFailure("\(error)")
  }
}
