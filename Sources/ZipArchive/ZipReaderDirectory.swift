/// What has been read of the central directory and the end records.
struct DirectoryInProgress: Sendable {
  var count = 0
  /// Where its first record begins.
  var start: UInt64?
  /// Where the ZIP64 end record begins.
  var zip64End: UInt64?
  /// Where the ZIP ends.
  var end: UInt64 = 0
}

/// A record of the central directory (APPNOTE 4.3.12).
struct ZipCentralHeader {
  var version: UInt16
  var flags: UInt16
  var method: UInt16
  var dosTime: UInt32
  var crc: UInt32
  var compressedSize: UInt64
  var size: UInt64
  var offset: UInt64
  var disk: UInt16
  var pathCount: Int
  var commentCount: Int
  var mode: UInt16?
  /// What readers take for the type whatever system the entry says it is from: a Unix mode's type, and DOS's mark of a folder.
  var type: UInt16, isMarkedFolder: Bool
  var hasZip64: Bool
  var timestamp: Int64?
  var timestampFlags: UInt8
  var complaint: String?

  /// Reads a record of which all bytes are there.
  init(_ raw: UnsafeRawBufferPointer) {
    version = raw.number(at: 6)
    flags = raw.number(at: 8)
    method = raw.number(at: 10)
    dosTime = raw.number(at: 12)
    crc = raw.number(at: 16)
    pathCount = Int(raw.number(UInt16.self, at: 28))
    commentCount = Int(raw.number(UInt16.self, at: 32))
    disk = raw.number(at: 34)
    // The upper half of the external attributes is a Unix mode if the entry was made on Unix.
    let high = raw.number(UInt16.self, at: 40)
    (mode, type, isMarkedFolder) = (raw[5] == 3 ? high : nil, high & 0o170000, raw[38] & 0x10 != 0)
    var extra = ZipExtraFields(raw.part(46 + pathCount, Int(raw.number(UInt16.self, at: 30))))
    var numbers = [24, 20, 42].map { UInt64(raw.number(UInt32.self, at: $0)) }
    extra.widen(&numbers)
    (size, compressedSize, offset) = (numbers[0], numbers[1], numbers[2])
    hasZip64 = extra.zip64 != nil
    timestamp = extra.modified
    timestampFlags = extra.timestampFlags
    complaint = extra.complaint
  }

  /// What it says otherwise than the local header and the data.
  func contradictions(to record: ZipRecords.Record) -> [String] {
    var found: [String] = []
    if flags != record.flags { found.append("flags") }
    if method != record.method { found.append("method") }
    let hasSameTimestamp = timestamp == record.timestamp && timestampFlags == record.timestampFlags
    if dosTime != record.dosTime || !hasSameTimestamp { found.append("time") }
    if crc != record.crc { found.append("CRC-32") }
    if size != record.size { found.append("size") }
    if compressedSize != record.compressedSize { found.append("compressed size") }
    // An offset of 64 bits raises the version, in the directory only.
    if version != record.version, !(hasZip64 && version == 45) { found.append("version") }
    return found
  }

  /// Whether the file's type fits the path: a folder's ends with `/`.
  func isTypeSound(isFolder: Bool) -> Bool {
    if isMarkedFolder && !isFolder { return false }
    switch type {
    case 0: return true
    case 0o100000: return !isFolder
    case 0o040000: return isFolder
    default: return false
    }
  }
}

/// The central directory and the end records.
extension ZipStreamReader {
  mutating func takeDirectoryEntry(endingAt end: UInt64, _ emit: (ZipEvent) -> Void) {
    let header = held.withUnsafeBytes { ZipCentralHeader($0) }
    let path = held.withUnsafeBytes { String(decoding: $0.part(46, header.pathCount), as: UTF8.self) }
    part = .directory
    if directory.start == nil { directory.start = start }
    checkDirectoryFields(header, path: path)
    checkAgainstEntry(header, path: path)
    let index = directory.count
    directory.count += 1
    held.withUnsafeBytes { raw in
      let event = ZipDirectoryEntry(
        index: index, path: raw.part(46, header.pathCount), offset: header.offset, size: header.size,
        compressedSize: header.compressedSize, crc: header.crc, mode: header.mode)
      emit(.directoryEntry(event))
    }
    awaitRecord(at: end)
  }

  private mutating func checkDirectoryFields(_ header: ZipCentralHeader, path: String) {
    let offset = start
    if let complaint = header.complaint { report(.field, entry: path, at: offset, complaint) }
    if header.commentCount > 0 { report(.extraneous, entry: path, at: offset, "a comment") }
    if header.disk != 0 { report(.field, entry: path, at: offset, "it lies on another disk") }
    if !header.isTypeSound(isFolder: path.utf8.last == UInt8(ascii: "/")) {
      report(.field, entry: path, at: offset, "its path doesn't fit its type, or it is neither file nor folder")
    }
  }

  private mutating func checkAgainstEntry(_ header: ZipCentralHeader, path: String) {
    let (offset, place) = (start, directory.count)
    guard let index = records.index(offset: header.offset) else {
      return report(.directory, entry: path, at: offset, "it points at byte \(header.offset), where no local header is")
    }
    if index != place { report(.directory, entry: path, at: offset, "record \(place) is about entry \(index)") }
    let hasSamePath = held.withUnsafeBytes { raw in
      records.isPath(raw.part(46, header.pathCount), of: index)
    }
    if !hasSamePath { report(.directory, entry: path, at: offset, "the local header has another path") }
    let contradictions = header.contradictions(to: records[index])
    if !contradictions.isEmpty {
      report(.directory, entry: path, at: offset, "the entry has another \(contradictions.joined(separator: ", "))")
    }
  }

  mutating func takeZip64End(endingAt end: UInt64) throws(ZipError) {
    let offset = start
    let (rest, version, disks): (UInt64, UInt16, [UInt32]) = held.withUnsafeBytes { raw in
      (raw.number(at: 4), raw.number(at: 14), [raw.number(at: 16), raw.number(at: 20)])
    }
    let (counts, size, place): ([UInt64], UInt64, UInt64) = held.withUnsafeBytes { raw in
      ([raw.number(at: 24), raw.number(at: 32)], raw.number(at: 40), raw.number(at: 48))
    }
    guard rest == 44 else { throw ZipError(.unsupported, detail: "a ZIP64 end record with more than is defined is not supported") }
    directory.zip64End = offset
    part = .afterZip64End
    let start = directory.start ?? offset
    if version != 45 { report(.end, entry: nil, at: offset, "another version than that of ZIP64") }
    if disks != [0, 0] { report(.end, entry: nil, at: offset, "more than one disk") }
    if counts.contains(where: { $0 != UInt64(directory.count) }) { report(.end, entry: nil, at: offset, "another number of entries") }
    if size != offset - start { report(.end, entry: nil, at: offset, "another size of the central directory") }
    if place != start { report(.end, entry: nil, at: offset, "another place of the central directory") }
    awaitRecord(at: end)
  }

  mutating func takeZip64Locator(endingAt end: UInt64) {
    let (disk, place, disks): (UInt32, UInt64, UInt32) = held.withUnsafeBytes {
      ($0.number(at: 4), $0.number(at: 8), $0.number(at: 16))
    }
    let offset = start
    part = .afterZip64Locator
    if disk != 0 || disks != 1 { report(.end, entry: nil, at: offset, "more than one disk") }
    if place != directory.zip64End { report(.end, entry: nil, at: offset, "another place of the ZIP64 end record") }
    awaitRecord(at: end)
  }

  mutating func takeEnd(endingAt end: UInt64, _ emit: (ZipEvent) -> Void) {
    let offset = start
    let (disks, counts, size, place): ([UInt16], [UInt16], UInt32, UInt32) = held.withUnsafeBytes { raw in
      ([raw.number(at: 4), raw.number(at: 6)], [raw.number(at: 8), raw.number(at: 10)], raw.number(at: 12), raw.number(at: 16))
    }
    let directoryEnd = directory.zip64End ?? offset
    let start = directory.start ?? directoryEnd
    let hasZip64 = directory.zip64End != nil
    if disks != [0, 0] { report(.end, entry: nil, at: offset, "more than one disk") }
    if counts.contains(where: { !says($0, UInt64(directory.count), hasZip64) }) {
      report(.end, entry: nil, at: offset, "another number of entries")
    }
    if !says(size, directoryEnd - start, hasZip64) { report(.end, entry: nil, at: offset, "another size of the central directory") }
    if !says(place, start, hasZip64) { report(.end, entry: nil, at: offset, "another place of the central directory") }
    if held.count > ZipRecord.end.fixedBytes { report(.extraneous, entry: nil, at: offset, "a comment") }
    if directory.count != records.count {
      let (entries, listed) = (records.count, directory.count)
      report(.directory, entry: nil, at: offset, "\(entries) entries, but \(listed) in the central directory")
    }
    held.removeAll()
    directory.end = end
    stage = .done
    emit(.end(entries: records.count))
  }
}

/// Whether a field of the end record says a number: itself, or its largest value where the ZIP64 end record says it.
private func says<N: FixedWidthInteger & UnsignedInteger>(_ field: N, _ number: UInt64, _ hasZip64: Bool) -> Bool {
  UInt64(field) == number || hasZip64 && field == N.max
}
