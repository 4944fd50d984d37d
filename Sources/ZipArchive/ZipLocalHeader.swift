/// A local header's fields (APPNOTE 4.3.7), the 64-bit ones where they apply.
struct ZipLocalHeader {
  var version: UInt16
  var flags: UInt16
  var method: UInt16
  var dosTime: UInt32
  var crc: UInt32
  var compressedSize: UInt64
  var size: UInt64
  var pathCount: Int
  /// Whether the descriptor's sizes have 64 bits.
  var isZip64: Bool
  var timestamp: Int64?
  var timestampFlags: UInt8
  /// What is wrong with the extra fields.
  var complaint: String?

  /// Reads a header of which all bytes are there.
  init(_ raw: UnsafeRawBufferPointer) {
    version = raw.number(at: 4)
    flags = raw.number(at: 6)
    method = raw.number(at: 8)
    dosTime = raw.number(at: 10)
    crc = raw.number(at: 14)
    pathCount = Int(raw.number(UInt16.self, at: 26))
    var extra = ZipExtraFields(raw.part(30 + pathCount, raw.count - 30 - pathCount))
    var sizes = [UInt64(raw.number(UInt32.self, at: 22)), UInt64(raw.number(UInt32.self, at: 18))]
    isZip64 = extra.zip64 != nil
    extra.widen(&sizes)
    (size, compressedSize) = (sizes[0], sizes[1])
    timestamp = extra.modified
    timestampFlags = extra.timestampFlags
    complaint = extra.complaint
  }

  var hasDescriptor: Bool { flags & ZipFlags.descriptor != 0 }
  var isDeflated: Bool { method == 8 }
  var modified: Int64? { timestamp ?? seconds(dosTime: dosTime) }

  /// What makes it impossible to read the data.
  var obstacle: String? {
    if flags & ZipFlags.unreadable != 0 { return "encrypted or patched data (flags 0x\(String(flags, radix: 16)))" }
    if method != 0 && method != 8 { return "compression method \(method)" }
    if version & 0xff > 45 { return "version \(version & 0xff) of the format" }
    if !isDeflated && hasDescriptor && compressedSize == 0 { return "stored data whose size comes after it" }
    return nil
  }

  func record(offset: UInt64) -> ZipRecords.Record {
    ZipRecords.Record(
      offset: offset, timestamp: timestamp, pathStart: 0, dosTime: dosTime, pathCount: 0, flags: flags, method: method,
      version: version, timestampFlags: timestampFlags)
  }
}

/// An entry whose data is being read: what its header says, and what has been found.
struct EntryInProgress: Sendable {
  var isDeflated = false
  var hasDescriptor = false
  var isZip64 = false
  /// What the header says, where it says it: with a descriptor to come, 0 says nothing.
  var saidSize: UInt64?
  var saidCompressedSize: UInt64?
  var saidCRC: UInt32?
  var size: UInt64 = 0
  var compressedSize: UInt64 = 0
  var crc: UInt32 = 0
  var isSound = true

  init() {}

  init(_ header: ZipLocalHeader) {
    isDeflated = header.isDeflated
    hasDescriptor = header.hasDescriptor
    isZip64 = header.isZip64
    saidSize = hasDescriptor && header.size == 0 ? nil : header.size
    saidCompressedSize = hasDescriptor && header.compressedSize == 0 ? nil : header.compressedSize
    saidCRC = hasDescriptor && header.crc == 0 ? nil : header.crc
  }

  /// How much of the data is left, where that is known rather than to be found by inflating.
  var left: UInt64? {
    guard let saidCompressedSize, !(hasDescriptor && isDeflated) else { return nil }
    return saidCompressedSize - compressedSize
  }
}
