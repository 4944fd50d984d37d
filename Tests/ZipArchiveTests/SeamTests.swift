import CZlib
import Glibc
import Testing
import ZipArchive

private typealias DeflateInit =
  @convention(c) (
    UnsafeMutablePointer<z_stream>?, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>?, CInt
  ) -> CInt

/// Raw deflate data made by a new stream of a program that uses zlib itself, with this image's `deflateInit2_` or another.
private func deflated(_ bytes: [UInt8], level: CInt, by initialize: DeflateInit = deflateInit2_) -> [UInt8] {
  let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  stream.initialize(to: z_stream())
  defer { stream.deallocate() }
  let status = initialize(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
  #expect(status == Z_OK)
  var input = bytes
  var output = [UInt8](repeating: 0, count: Int(deflateBound(stream, uLong(bytes.count))))
  let count = input.withUnsafeMutableBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = uInt(input.count)
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = uInt(output.count)
      #expect(deflate(stream, Z_FINISH) == Z_STREAM_END)
      return output.count - Int(stream.pointee.avail_out)
    }
  }
  #expect(deflateEnd(stream) == Z_OK)
  return Array(output.prefix(count))
}

private let text = Array(String(repeating: "Grüße, world. ", count: 20_000).utf8) + noise(50_000)

/// zlib's memory is used again from entry to entry; what comes out must be what a new stream gives.
@Test(arguments: [1, 6, 9])
func entriesHoldWhatZlibAloneGives(level: Int) throws {
  let efforts: [ZipEntry.Effort] = [.normal, .fastest, .normal, .storedBlocks, .fastest, .normal, .storedBlocks, .normal]
  let samples = efforts.enumerated().map { Sample("\($0)", Array(text.dropFirst($0 * 1000)), effort: $1) }
  let bytes = try makeZip(samples, options: ZipOptions(level: .zlib(level)))
  var start = 0
  for sample in samples {
    let expected = deflated(sample.data, level: sample.entry.effort == .normal ? CInt(level) : sample.entry.effort == .fastest ? 1 : 0)
    start += 30 + 1 + 28 - 4
    guard sample.entry.effort != .storedBlocks else {
      // How stored blocks are cut is our own affair; that they are read back is tested elsewhere.
      start = try #require((start..<bytes.count).first { bytes[$0...].starts(with: [0x50, 0x4b, 7, 8]) }) + 16
      continue
    }
    #expect(bytes[start...].starts(with: expected))
    start += expected.count + 16
  }
}

/// A program's own zlib, in the middle of a writer's entry, is the one it always had: same level, same bytes.
@Test(arguments: [CInt(0), 1, 6, 9], [ZipEntry.Effort.normal, .storedBlocks])
func zlibOfTheSameProgramIsUnaffected(level: CInt, effort: ZipEntry.Effort) throws {
  let library = try #require(dlopen("libz.so.1", RTLD_LAZY))
  let real = unsafeBitCast(try #require(dlsym(library, "deflateInit2_")), to: DeflateInit.self)
  let expected = deflated(text, level: level, by: real)
  var writer = try ZipWriter.make()
  try writer.begin(ZipEntry(path: "a", size: UInt64(text.count), modified: 0, effort: effort))
  #expect(deflated(text, level: level) == expected)
  try text.withUnsafeBytes { try writer.write($0) }
  #expect(deflated(text, level: level) == expected)
  try writer.endEntry()
  try writer.finish()
  #expect(deflated(text, level: level) == expected)
  dlclose(library)
}

/// No other library in the process can come upon our functions.
@Test(arguments: [
  ("deflateInit2_", "libz.so.1"), ("deflate", "libz.so.1"), ("deflateEnd", "libz.so.1"), ("crc32", "libz.so.1"),
  ("localtime_r", "libc.so.6"),
])
func theSeamIsHidden(name: String, library: String) throws {
  let handle = try #require(dlopen(library, RTLD_LAZY))
  let found = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), name))
  #expect(found == dlsym(handle, name))
  dlclose(handle)
}

@Test func localTimeOfTheSameProgramIsUnaffected() async {
  await #expect(processExitsWith: .success) {
    setenv("TZ", "Pacific/Chatham", 1)
    tzset()
    var writer = try ZipWriter.make()
    try writer.begin(ZipEntry(path: "a", size: 0, modified: 1_700_000_000))
    var moment = 1_700_000_000
    var date = tm()
    _ = try #require(localtime_r(&moment, &date))
    // 22:13:20 UTC is 11:58:20 the next day on the Chatham Islands (+13:45 in summer).
    #expect([date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec] == [15, 11, 58, 20])
    try writer.endEntry()
  }
}

@Test func writersOnManyThreadsDoNotMeet() async throws {
  let expected = try makeZip(variedSamples)
  try await withThrowingTaskGroup(of: Bool.self) { group in
    for turn in 0..<8 {
      group.addTask { try makeZip(variedSamples, pieces: 1 << (12 + turn)) == expected }
    }
    for try await isSame in group { #expect(isSame) }
  }
}
