import Testing
import ZipArchive

private let endSignature: [UInt8] = [0x50, 0x4b, 5, 6]
private let zip64EndSignature: [UInt8] = [0x50, 0x4b, 6, 6]

extension [UInt8] {
  fileprivate func holds(_ pattern: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: pattern) }
  }
}

/// The error that the body throws, if any.
private func zipError(_ body: () throws -> Void) throws -> ZipError? {
  do { try body() } catch let error as ZipError { return error }
  return nil
}

@Test(arguments: [(declared: 4, written: 3), (3, 4), (0, 1), (1, 0)])
func otherThanTheDeclaredSizeIsAnError(declared: UInt64, written: Int) throws {
  var writer = try ZipWriter.make()
  var bytes: [UInt8] = []
  var sample = Sample("data/notes.json", Array(repeating: 1, count: written))
  sample.entry.size = declared
  let error = try zipError { try writer.write(sample, into: &bytes) }
  #expect(error?.code == .size)
  #expect(error?.entry == "data/notes.json")
  // The failure stays, whatever is tried next, and no end is written.
  #expect(try zipError { try writer.begin(ZipEntry(path: "b", size: 0, modified: 0)) } == error)
  #expect(try zipError { try writer.endEntry() } == error)
  #expect(try zipError { try writer.finish() } == error)
  writer.drain(into: &bytes)
  #expect(!bytes.holds(endSignature))
  #expect(try read(bytes).error?.code == .truncated)
}

@Test(arguments: [ZipOptions.Zip64.whereNeeded, .always], [true, false])
func anAbandonedArchiveHasNoEnd(zip64: ZipOptions.Zip64, insideEntry: Bool) throws {
  var writer = try ZipWriter.make(options: ZipOptions(zip64: zip64))
  var bytes: [UInt8] = []
  try writer.write(variedSamples[0], into: &bytes)
  if insideEntry {
    try writer.begin(ZipEntry(path: "b", size: 10, modified: 0))
    try [UInt8]([1, 2, 3]).withUnsafeBytes { try writer.write($0) }
  }
  writer.drain(into: &bytes)
  _ = consume writer
  #expect(!bytes.holds(endSignature))
  #expect(!bytes.holds(zip64EndSignature))
}

@Test func callsOutOfOrderAreErrors() throws {
  func code(_ body: (inout ZipWriter) throws -> Void) throws -> ZipError.Code? {
    var writer = try ZipWriter.make()
    return try zipError { try body(&writer) }?.code
  }
  let entry = ZipEntry(path: "a", size: 0, modified: 0)
  #expect(try code { try $0.endEntry() } == .order)
  #expect(try code { try $0.write(UnsafeRawBufferPointer(start: nil, count: 0)) } == .order)
  #expect(
    try code {
      try $0.begin(entry)
      try $0.begin(entry)
    } == .order)
  #expect(
    try code {
      try $0.begin(entry)
      try $0.finish()
    } == .order)
  #expect(
    try code {
      try $0.finish()
      try $0.begin(entry)
    } == .order)
  #expect(
    try code {
      try $0.finish()
      try $0.finish()
    } == .order)
}

@Test(arguments: ["", "/etc/passwd", "a\0b", String(repeating: "x", count: 65_536)])
func pathsThatNoZipCanHoldAreRefused(path: String) throws {
  var writer = try ZipWriter.make()
  #expect(try zipError { try writer.begin(ZipEntry(path: path, size: 0, modified: 0)) }?.code == .entry)
}

@Test func aFolderHasNoBytes() throws {
  var writer = try ZipWriter.make()
  #expect(try zipError { try writer.begin(ZipEntry(path: "a/", size: 1, modified: 0)) }?.code == .entry)
}

@Test func theLongestPathAndUnusualNamesPassUnchanged() throws {
  let paths = [
    String(repeating: "x", count: 65_535), "e\u{301} decomposed", "é composed", "\u{1F469}\u{200D}\u{1F680}", "back\\slash", " ", "a//b",
    "\u{7f}\u{1}",
    "\u{FFFD}", "\u{10FFFF}", "ﬁ", "Å\u{212B}",
  ]
  let reading = try read(makeZip(paths.map { Sample($0, text: "x") }))
  #expect(reading.isSound)
  #expect(reading.entries.map(\.path) == paths.map { Array($0.utf8) })
}

@Test func whatACallAddsToPendingIsBounded() throws {
  let piece = 1 << 20
  let held = 256 << 10
  for effort in [ZipEntry.Effort.normal, .fastest, .storedBlocks] {
    var writer = try ZipWriter.make()
    let data = noise(piece)
    try writer.begin(ZipEntry(path: "noise", size: UInt64(4 * piece), modified: 0, effort: effort))
    #expect(writer.pendingCount < 100 + 5)
    writer.discardPending()
    for _ in 0..<4 {
      try data.withUnsafeBytes { try writer.write($0) }
      #expect(writer.pendingCount <= piece + piece / 1000 + held)
      writer.discardPending()
      #expect(writer.pendingCount == 0)
    }
    try writer.endEntry()
    #expect(writer.pendingCount <= held)
  }
}

@Test func undrainedBytesAreKeptInOrder() throws {
  var drained: [UInt8] = []
  var writer = try ZipWriter.make()
  for sample in variedSamples {
    try writer.begin(sample.entry)
    try sample.data.withUnsafeBytes { try writer.write($0) }
    try writer.endEntry()
  }
  try writer.finish()
  writer.drain(into: &drained)
  #expect(try drained == makeZip(variedSamples, pieces: 1000))
}

@Test(arguments: [ZipOptions.Level.fast, .zlib(9)]) func effortIsAnEntrysOwn(level: ZipOptions.Level) throws {
  let text = Array(String(repeating: "the quick brown fox jumps over the lazy dog; ", count: 3000).utf8) + noise(1000)
  let efforts: [ZipEntry.Effort] = [.normal, .storedBlocks, .fastest, .normal, .storedBlocks, .fastest]
  let samples = efforts.enumerated().map { Sample("\($0)", text, effort: $1) }
  let entries = try read(makeZip(samples, options: ZipOptions(level: level))).entries
  let sizes = entries.map(\.compressedSize)
  #expect(entries.allSatisfy { $0.method == 8 })
  #expect(level == .fast ? sizes[0] == sizes[2] : sizes[0] < sizes[2])
  #expect(sizes[2] < UInt64(text.count) / 4)
  #expect(sizes[1] > UInt64(text.count))
  #expect(sizes[1] < UInt64(text.count) + 100)
  #expect(Array(sizes[0..<3]) == Array(sizes[3..<6]))
}

/// Above 65,535 entries the ZIP64 end record is needed; exactly that many still fit the old one.
@Test(arguments: [65_535, 65_536])
func manyEntries(count: Int) throws {
  var writer = try ZipWriter.make()
  var bytes: [UInt8] = []
  for index in 0..<count {
    try writer.begin(ZipEntry(path: String(index), size: 0, modified: 0))
    try writer.endEntry()
    if index % 1000 == 0 { writer.drain(into: &bytes) }
  }
  try writer.finish()
  writer.drain(into: &bytes)
  #expect(bytes.suffix(200).indices.contains { bytes[$0...].starts(with: zip64EndSignature) } == (count > 65_535))
  guard count > 65_535 else { return }
  var reader = try ZipStreamReader.make()
  var found: [Int] = []
  try bytes.withUnsafeBytes { raw in
    try reader.feed(raw) { if case .end(let entries) = $0 { found.append(entries) } }
  }
  try reader.finish()
  #expect(found == [count])
  #expect(reader.problems == [])
}

/// A large central directory is handed over while it is put out, and is the same as one that is all pending at the end.
@Test func aLargeDirectoryIsHandedOver() throws {
  let samples = (0..<20_000).map { Sample("data/folder/\($0).txt") }
  let expected = try makeZip(samples)
  var writer = try ZipWriter.make()
  var bytes: [UInt8] = []
  for sample in samples { try writer.write(sample, into: &bytes) }
  var handed = 0
  var directory: [UInt8] = []
  try writer.finish { piece in
    handed += 1
    directory += piece
    return true
  }
  #expect(handed > 0)
  #expect(writer.pendingCount < 1 << 20)
  bytes += directory
  writer.drain(into: &bytes)
  #expect(bytes == expected)
}

/// Whoever can't take the directory ends the archive.
@Test func aDirectoryThatNobodyTakes() throws {
  var writer = try ZipWriter.make()
  var bytes: [UInt8] = []
  for number in 0..<20_000 { try writer.write(Sample("data/folder/\(number).txt"), into: &bytes) }
  #expect(try zipError { try writer.finish { _ in false } }?.code == .library)
  #expect(!bytes.holds(endSignature))
}
