import Testing

@testable import ZipArchive

private let size = ZipChunk.size

/// What an entry may hold: nothing, a byte, chunks and a byte more or less, what can be made smaller and what can't, and both in turn.
private let shapes: [Sample] =
  [0, 1, size - 1, size, size + 1, 3 * size, 3 * size + 70_001].map { Sample("text \($0)", prose($0)) } + [
    Sample("noise", noise(2 * size + 5)),
    Sample("noise, then text, then noise", noise(size, seed: 3) + prose(size) + noise(4096, seed: 5)),
    Sample("zeros", [UInt8](repeating: 0, count: 2 * size)),
    Sample("a film", noise(size + 65_536, seed: 11), effort: .storedBlocks),
    Sample("a film of a block", noise(65_535, seed: 13), effort: .storedBlocks),
  ] + (0..<3000).map { Sample("small \($0)", prose($0 % 700)) }

private func prose(_ count: Int) -> [UInt8] {
  let words = Array("the quick brown fox \(count) jumps over the lazy dog; ".utf8)
  return (0..<count).map { words[($0 &* $0 / 37) % words.count] }
}

/// A ZIP of entries that others deflated, in no order.
private func makeZipOfChunks(_ samples: [Sample], options: ZipOptions, deflaters: Int) throws -> [UInt8] {
  var writer = try ZipWriter.make(options: options)
  var bytes: [UInt8] = []
  for (number, sample) in samples.enumerated() {
    var made: [Int: ZipChunk] = [:]
    let places = Array(stride(from: 0, to: sample.data.count, by: size))
    for worker in (0..<deflaters).reversed() {
      var deflater = try ChunkDeflater.make(options: options)
      for (index, start) in places.enumerated() where (index + number) % deflaters == worker {
        let data = Array(sample.data[start..<min(start + size, sample.data.count)])
        made[start] = deflater.chunk(data, effort: sample.entry.effort, isLast: start + size >= sample.data.count)
      }
    }
    try writer.begin(sample.entry)
    for start in places { try writer.write(try #require(made[start])) }
    try writer.endEntry()
    writer.drain(into: &bytes)
  }
  try writer.finish()
  writer.drain(into: &bytes)
  return bytes
}

/// Who deflates a chunk, when, and in what pieces its data came makes no difference to a ZIP's bytes.
@Test(arguments: [ZipOptions.Level.fast, .zlib(1), .zlib(6)])
func chunksAreTheSameWhoeverDeflates(level: ZipOptions.Level) throws {
  let options = ZipOptions(level: level)
  let expected = try makeZip(shapes, options: options, pieces: .max / 2)
  #expect(try makeZip(shapes, options: options, pieces: 64 << 10) == expected)
  #expect(try makeZip(shapes, options: options, pieces: size + 1) == expected)
  #expect(try makeZipOfChunks(shapes, options: options, deflaters: 1) == expected)
  #expect(try makeZipOfChunks(shapes.reversed(), options: options, deflaters: 3) == makeZip(shapes.reversed(), options: options))
  let found = try read(expected)
  #expect(found.problems.isEmpty)
  #expect(found.entries.map(\.data) == shapes.map(\.data))
}

/// A writer takes an entry's chunks whole, in order and all of them, or not at all.
@Test func chunksThatDoNotFit() throws {
  let options = ZipOptions()
  var deflater = try ChunkDeflater.make(options: options)
  let short = deflater.chunk([1, 2, 3], effort: .normal, isLast: false)
  let last = deflater.chunk([1, 2, 3], effort: .normal, isLast: true)
  for (declared, chunk, code) in [(10, short, ZipError.Code.order), (10, last, .order), (3, short, .order), (2, last, .size)] {
    var writer = try ZipWriter.make(options: options)
    try writer.begin(ZipEntry(path: "a", size: UInt64(declared), modified: 0))
    do throws(ZipError) {
      try writer.write(chunk)
      Issue.record("\(chunk.plainCount) bytes of \(declared) were taken")
    } catch {
      #expect(error.code == code)
    }
  }
}

/// What is compressed already isn't searched again, whatever it is called; a chunk is told by itself.
@Test func evenBytesAreStored() throws {
  var deflater = try ChunkDeflater.make(options: ZipOptions(level: .zlib(9)))
  #expect(deflater.chunk(noise(size), effort: .normal, isLast: true).isStored)
  #expect(deflater.chunk(Array("<svg>".utf8) + noise(20_000), effort: .normal, isLast: true).isStored)
  #expect(!deflater.chunk(prose(size), effort: .normal, isLast: true).isStored)
  // What base64 makes of noise still gets smaller by a quarter.
  let letters = noise(size).map { UInt8(ascii: "A") + $0 % 64 }
  let chunk = deflater.chunk(letters, effort: .normal, isLast: true)
  #expect(!chunk.isStored && chunk.bytes.count < size * 4 / 5)
}
