#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CArchive

extension UnsafeRawBufferPointer {
  /// Whether both hold the same bytes.
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let mine = baseAddress, let others = other.baseAddress else { return count == other.count }
    return memcmp(mine, others, count) == 0
  }

  /// The little-endian number at a place that is known to be inside.
  func number<N: FixedWidthInteger & UnsignedInteger>(_ type: N.Type = N.self, at offset: Int) -> N {
    N(littleEndian: loadUnaligned(fromByteOffset: offset, as: N.self))
  }

  /// A part, its places counted from 0.
  func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[start..<start + count])
  }
}

/// The records of a ZIP: signatures and sizes without what varies (APPNOTE 4.3).
enum ZipRecord: UInt32 {
  case local = 0x0403_4b50
  case central = 0x0201_4b50
  case zip64End = 0x0606_4b50
  case zip64Locator = 0x0706_4b50
  case end = 0x0605_4b50

  static let descriptorSignature: UInt32 = 0x0807_4b50

  var fixedBytes: Int {
    switch self {
    case .local: 30
    case .central: 46
    case .zip64End: 56
    case .zip64Locator: 20
    case .end: 22
    }
  }

  /// The bytes of the whole record, once the fixed ones are there.
  func wholeBytes(_ fixed: UnsafeRawBufferPointer) -> Int {
    func length(_ offset: Int) -> Int { Int(fixed.number(UInt16.self, at: offset)) }
    return switch self {
    case .local: fixedBytes + length(26) + length(28)
    case .central: fixedBytes + length(28) + length(30) + length(32)
    case .zip64End, .zip64Locator: fixedBytes
    case .end: fixedBytes + length(20)
    }
  }
}

/// The general purpose bits that are known here.
enum ZipFlags {
  static let encrypted: UInt16 = 1 << 0
  static let descriptor: UInt16 = 1 << 3
  static let patched: UInt16 = 1 << 5
  static let strongEncryption: UInt16 = 1 << 6
  static let utf8: UInt16 = 1 << 11
  static let maskedHeaders: UInt16 = 1 << 13

  /// Which bits say something that would have to be understood to read the data.
  static let unreadable = encrypted | patched | strongEncryption | maskedHeaders
  /// Bits 1 and 2 only tell how hard a deflater tried.
  static let known = descriptor | utf8 | 1 << 1 | 1 << 2
}

/// What the extra fields of a header say (APPNOTE 4.5), as far as it is used here.
struct ZipExtraFields {
  /// The 64-bit numbers, in their order; nil without the field.
  var zip64: UnsafeRawBufferPointer?
  /// The extended timestamp's time of modification.
  var modified: Int64?
  /// The extended timestamp's flags: which times the local header holds. 0 without the field.
  var timestampFlags: UInt8 = 0
  /// What is wrong with the fields.
  var complaint: String?

  init(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while rest.count >= 4, complaint == nil {
      let (kind, length) = (rest.number(UInt16.self, at: 0), Int(rest.number(UInt16.self, at: 2)))
      guard length <= rest.count - 4 else { break }
      take(kind, rest.part(4, length))
      rest = rest.part(4 + length, rest.count - 4 - length)
    }
    if !rest.isEmpty, complaint == nil { complaint = "an extra field is cut off" }
  }

  private mutating func take(_ kind: UInt16, _ value: UnsafeRawBufferPointer) {
    switch kind {
    case 0x0001:
      if zip64 != nil { complaint = "two ZIP64 fields" }
      zip64 = value
    case 0x5455:
      guard let flags = value.first else {
        complaint = "an extended timestamp without flags"
        return
      }
      timestampFlags = flags
      guard flags & 1 != 0 else { return }
      guard value.count >= 5 else {
        complaint = "an extended timestamp is cut off"
        return
      }
      modified = Int64(Int32(bitPattern: value.number(UInt32.self, at: 1)))
    case 0x7075: complaint = "another path in an extra field"
    default: break
    }
  }

  /// Puts 64-bit numbers in place of fields that say 0xffffffff, in their order. Without the field such a number stands for
  /// itself: libarchive writes that for exactly 4,294,967,295.
  mutating func widen(_ numbers: inout [UInt64]) {
    guard let zip64 else { return }
    var used = 0
    for index in numbers.indices where numbers[index] == 0xffff_ffff {
      guard zip64.count - used >= 8 else {
        complaint = "the ZIP64 field is cut off"
        return
      }
      numbers[index] = zip64.number(UInt64.self, at: used)
      used += 8
    }
    if used != zip64.count && !repeats(numbers) { complaint = complaint ?? "the ZIP64 field has more than it needs" }
  }

  /// Whether the ZIP64 field only says again what the fields hold: Python before 3.11.4 writes that where it can't know the sizes yet.
  private func repeats(_ numbers: [UInt64]) -> Bool {
    guard let zip64, zip64.count == 16, numbers.count >= 2 else { return false }
    return (0..<2).allSatisfy { numbers[$0] == zip64.number(UInt64.self, at: $0 * 8) }
  }
}

/// A DOS date and time (date in the upper half), taken as UTC; nil where it isn't one.
func seconds(dosTime: UInt32) -> Int64? {
  let (date, time) = (dosTime >> 16, dosTime & 0xffff)
  let (year, month, day) = (Int64(date >> 9) + 1980, Int64(date >> 5 & 15), Int64(date & 31))
  let (hour, minute, second) = (Int64(time >> 11), Int64(time >> 5 & 63), Int64(time & 31) * 2)
  guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60 else { return nil }
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  guard day <= lengths[Int(month) - 1] else { return nil }
  let past = year - 1
  let days =
    past * 365 + past / 4 - past / 100 + past / 400 - 719_162 + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1
  return days * 86_400 + hour * 3600 + minute * 60 + second
}

/// The CRC-32 of earlier bytes, continued over more.
func crc32(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 { chunk_crc32(crc, bytes.baseAddress, bytes.count) }
