import Testing

@testable import ZipArchive

/// What came of inflating a stream in pieces: the bytes, how many of the input were used, and how it ended.
private struct Inflated: Equatable {
  var bytes: [UInt8] = []
  var used = 0
  var outcome = Inflater.Outcome.more
}

private func inflate(_ stream: [UInt8], pieces: Int, isOwn: Bool) throws -> Inflated {
  var inflater = try Inflater.make(isOwn: isOwn)
  // Another stream before it, left halfway: a state is used again.
  try inflater.reset()
  _ = try stream.prefix(9).withUnsafeBytes { try inflater.step($0) }
  try inflater.reset()
  var found = Inflated()
  try stream.withUnsafeBytes { raw in
    while found.outcome == .more {
      let end = min(raw.count, found.used + pieces)
      let (outcome, used, output) = try inflater.step(UnsafeRawBufferPointer(rebasing: raw[found.used..<end]))
      found.bytes += output
      found.used += used
      found.outcome = outcome
      if outcome == .more && used == 0 && output.isEmpty { break }
    }
  }
  return found
}

/// Deflate data of every kind of block, with other bytes behind it, as the ZIP's records stand behind an entry's data.
private func makeStreams() throws -> [(name: String, data: [UInt8], stream: [UInt8])] {
  let texts: [(String, [UInt8])] = [
    ("nothing", []), ("a letter", [0x61]), ("tiny", Array("the quick brown fox ".utf8)), ("zeros", [UInt8](repeating: 0, count: 700_000)),
    ("noise", noise(300_000)), ("text", (0..<400_000).map { UInt8(ascii: "a") + UInt8($0 * $0 / 37 % 23) }),
    ("as much as fits", (0..<131_072).map { UInt8(truncatingIfNeeded: $0 / 3) }),
  ]
  return try texts.flatMap { name, data in
    try [ZipOptions.Level.fast, .zlib(1), .zlib(9)].map { level in
      var deflater = try ChunkDeflater.make(options: ZipOptions(level: level))
      let chunk = data.withUnsafeBytes { deflater.chunk($0, effort: .normal, isLast: true) }
      let stream = chunk.isStored ? storedBlocks(data) : chunk.bytes
      return ("\(name), \(level)", data, stream + [0x50, 0x4B, 0x07, 0x08, 0xFF, 0, 0xFF, 0x55, 1, 2, 3])
    }
  }
}

private func storedBlocks(_ data: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = []
  var rest = data[...]
  repeat {
    let block = rest.prefix(65_535)
    rest = rest.dropFirst(block.count)
    let length = UInt16(block.count)
    stream += [rest.isEmpty ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)] + block
  } while !rest.isEmpty
  return stream
}

/// Both who inflate give the same bytes and stop at the same place, in whatever pieces the data comes.
@Test(arguments: [1, 7, 100, 4099, Int.max / 2], [true, false])
func inflatesInPieces(pieces: Int, isOwn: Bool) throws {
  for (name, data, stream) in try makeStreams() where pieces > 7 || data.count < 1000 {
    let found = try inflate(stream, pieces: pieces, isOwn: isOwn)
    #expect(found.outcome == .end, "\(name)")
    #expect(found.bytes == data, "\(name)")
    #expect(found.used == stream.count - 11, "\(name)")
  }
}

/// Damage is found by both, or by the sums that are compared after: never more bytes are used or put out than there are.
@Test(arguments: [true, false])
func damagedStreams(isOwn: Bool) throws {
  for (name, data, stream) in try makeStreams() where data.count < 500_000 {
    for place in stride(from: 0, to: stream.count - 11, by: max(1, stream.count / 40)) {
      var damaged = stream
      damaged[place] ^= 0x55
      let found = try inflate(damaged, pieces: 4096, isOwn: isOwn)
      #expect(found.used <= damaged.count, "\(name), \(place)")
      #expect(found.outcome != .end || found.bytes != data || found.used != stream.count - 11 || data.isEmpty, "\(name), \(place)")
    }
    let cut = try inflate(Array(stream.prefix((stream.count - 11) / 2)), pieces: 4096, isOwn: isOwn)
    #expect(cut.outcome == .more, "\(name)")
  }
}
