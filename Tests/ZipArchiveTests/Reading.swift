import Testing
import ZipArchive

/// All that a reader told of a ZIP.
struct Reading {
  struct Entry: Equatable {
    var path: [UInt8]
    var data: [UInt8] = []
    var size: UInt64?
    var method: UInt16
    var flags: UInt16
    var modified: Int64?
    var compressedSize: UInt64 = 0
    var isSound = false
    /// Of the central directory.
    var mode: UInt16?

    var name: String { String(decoding: path, as: UTF8.self) }
  }

  var entries: [Entry] = []
  var directory: [[UInt8]] = []
  var ends: [Int] = []
  var problems: [ZipProblem] = []
  var unlisted = 0
  var error: ZipError?

  /// Whether nothing at all was found wrong.
  var isSound: Bool { problems.isEmpty && error == nil }
  /// The kinds of the problems found.
  var codes: Set<ZipProblem.Code> { Set(problems.map(\.code)) }

  mutating func take(_ event: ZipEvent) {
    switch event {
    case .entry(let header):
      entries.append(
        Entry(path: Array(header.path), size: header.size, method: header.method, flags: header.flags, modified: header.modified))
    case .content(let bytes): entries[entries.count - 1].data.append(contentsOf: bytes)
    case .entryEnd(let end):
      entries[end.index].compressedSize = end.compressedSize
      entries[end.index].isSound = end.isSound
    case .directoryEntry(let record):
      directory.append(Array(record.path))
      if record.index < entries.count { entries[record.index].mode = record.mode }
    case .end(let count): ends.append(count)
    }
  }
}

/// Reads a ZIP in pieces of a size, to its end or an error.
func read(_ bytes: [UInt8], pieces: Int = .max, limits: ZipLimits = ZipLimits()) throws -> Reading {
  var reader = try ZipStreamReader.make(limits: limits)
  var reading = Reading()
  do throws(ZipError) {
    var start = 0
    while start < bytes.count {
      let end = start + min(pieces, bytes.count - start)
      try bytes[start..<end].withUnsafeBufferPointer { (raw) throws(ZipError) in
        try reader.feed(UnsafeRawBufferPointer(raw)) { reading.take($0) }
      }
      start = end
    }
    try reader.finish()
  } catch {
    reading.error = error
  }
  reading.problems = reader.problems
  reading.unlisted = reader.unlistedProblems
  return reading
}
