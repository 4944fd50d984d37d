import ZipArchive

/// An entry with its data, as the tests hand it to a writer.
struct Sample: Sendable {
  var entry: ZipEntry
  var data: [UInt8]

  init(_ path: String, _ data: [UInt8] = [], modified: Int64 = 1_700_000_000, mode: UInt16 = 0o644, effort: ZipEntry.Effort = .normal) {
    entry = ZipEntry(path: path, size: UInt64(data.count), modified: modified, mode: mode, effort: effort)
    self.data = data
  }

  init(_ path: String, text: String) {
    self.init(path, Array(text.utf8))
  }
}

extension ZipWriter {
  /// Writes an entry in pieces and moves what is pending to the end of `bytes` after each.
  mutating func write(_ sample: Sample, pieces: Int = 1 << 20, into bytes: inout [UInt8]) throws {
    try begin(sample.entry)
    drain(into: &bytes)
    var start = 0
    while start < sample.data.count {
      let end = min(start + pieces, sample.data.count)
      try sample.data.withUnsafeBytes { raw in try write(UnsafeRawBufferPointer(rebasing: raw[start..<end])) }
      drain(into: &bytes)
      start = end
    }
    try endEntry()
    drain(into: &bytes)
  }

  /// Moves what is pending to the end of `bytes`.
  mutating func drain(into bytes: inout [UInt8]) {
    withPending { bytes.append(contentsOf: $0) }
    discardPending()
  }
}

/// A whole ZIP of the samples.
func makeZip(_ samples: [Sample], options: ZipOptions = ZipOptions(), pieces: Int = 1 << 20) throws -> [UInt8] {
  var writer = try ZipWriter.make(options: options)
  var bytes: [UInt8] = []
  for sample in samples { try writer.write(sample, pieces: pieces, into: &bytes) }
  try writer.finish()
  writer.drain(into: &bytes)
  return bytes
}

/// Bytes that deflate can't make smaller, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 88_172_645_463_325_252) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state >> 24)
  }
}

/// What a bundle may hold: sizes around the borders, hard names, every effort, folders, old and new times.
let variedSamples: [Sample] = [
  Sample("top/readme.txt", text: "hello\n"),
  Sample("top/empty.txt"),
  Sample("top/empty folder/", mode: 0o755),
  Sample("top/Zoë – naïve.txt", text: "NFC"),
  Sample("top/日本語/😀.json", text: "[]\n"),
  Sample("top/" + String(repeating: "é", count: 100) + ".txt", text: "long"),
  Sample("top/zeros.bin", Array(repeating: 0, count: 300_000)),
  Sample("top/noise.bin", noise(200_000)),
  Sample("top/photo.jpg", noise(150_000, seed: 7), effort: .fastest),
  Sample("top/film.mp4", noise(70_000, seed: 9), mode: 0o600, effort: .storedBlocks),
  Sample("top/empty.mp4", effort: .storedBlocks),
  Sample("top/run.sh", Array("#!/bin/sh\n".utf8), mode: 0o755),
  Sample("top/before 1980.txt", Array("x".utf8), modified: 1),
  Sample("top/before 1970.txt", Array("x".utf8), modified: -86_400),
  Sample("top/after 2038.txt", Array("x".utf8), modified: 2_500_000_001),
  Sample("top/after 2107.txt", Array("x".utf8), modified: .max),
  Sample("top/long ago.txt", Array("x".utf8), modified: .min),
]
