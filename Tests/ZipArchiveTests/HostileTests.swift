import Testing
import ZipArchive

/// Small, and with one of everything: text, noise, nothing, a folder, a path that isn't ASCII.
private let smallSamples = [
  Sample("a/one.txt", text: "one, one, one, one, one, one"),
  Sample("a/é.bin", noise(40), effort: .storedBlocks),
  Sample("a/none"),
  Sample("a/folder/", mode: 0o755),
]

@Test(arguments: [ZipOptions.Zip64.whereNeeded, .always], [17, Int.max])
func everyTruncationIsNoticed(zip64: ZipOptions.Zip64, pieces: Int) throws {
  let bytes = try makeZip(smallSamples, options: ZipOptions(zip64: zip64))
  let unnoticed = try (0..<bytes.count).filter { count in
    let reading = try read(Array(bytes.prefix(count)), pieces: pieces)
    return reading.error?.code != .truncated || reading.ends != []
  }
  #expect(unnoticed == [])
}

/// Where a ZIP of libarchive's holds what nothing is compared with, and what doesn't change what is unpacked: the versions
/// that made it, an entry's internal attributes, its mode, the number of its owner, and its deflate data, which may be padded.
private func freeFields(_ bytes: [UInt8], _ reading: Reading) -> Set<Int> {
  var free: Set<Int> = []
  var sizes = reading.entries.map { Int($0.compressedSize) }[...]
  func number(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
  for start in bytes.indices {
    let rest = bytes[start...]
    if rest.starts(with: [0x50, 0x4b, 1, 2]) { free.formUnion([4, 5, 36, 37, 38, 39, 40, 41].map { start + $0 }) }
    if rest.starts(with: [0x50, 0x4b, 6, 6]) { free.formUnion([12, 13].map { start + $0 }) }
    // Nought, unless a flip makes it the true compressed size (that of an empty file is one bit).
    if rest.starts(with: [1, 0, 16, 0]) { free.insert(start + 12) }
    if rest.starts(with: [0x75, 0x78, 11, 0]) { free.formUnion(start..<start + 15) }
    if rest.starts(with: [0x50, 0x4b, 3, 4]), let size = sizes.popFirst() {
      let data = start + 30 + number(start + 26) + number(start + 28)
      free.formUnion(data..<data + size)
      free.insert(start + 18)  // nought as well
    }
  }
  return free
}

@Test(arguments: [ZipOptions.Zip64.whereNeeded, .always], 0..<2)
func flippedBitsAreNoticed(zip64: ZipOptions.Zip64, turn: Int) throws {
  let bytes = try makeZip(smallSamples, options: ZipOptions(zip64: zip64))
  let sound = try read(bytes)
  #expect(sound.isSound)
  let free = freeFields(bytes, sound)
  var unnoticed: [Int] = []
  var harm: [Int] = []
  for place in bytes.indices {
    for bit in [(3 * place + turn) % 8, (3 * place + 4 + turn) % 8] {
      var flipped = bytes
      flipped[place] ^= 1 << bit
      let reading = try read(flipped)
      guard reading.isSound else { continue }
      if !free.contains(place) { unnoticed.append(place) }
      let isSame =
        reading.entries.map(\.path) == sound.entries.map(\.path) && reading.entries.map(\.data) == sound.entries.map(\.data)
        && reading.entries.map(\.modified) == sound.entries.map(\.modified)
      if !isSame { harm.append(place) }
    }
  }
  #expect(unnoticed == [])
  #expect(harm == [])
}

/// Whatever the bytes, reading ends: with an error, with problems, or well.
@Test(arguments: 0..<8)
func randomDamageEndsInPeace(seed: UInt64) throws {
  var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
  func next(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % bound
  }
  let bytes = try makeZip(smallSamples, options: ZipOptions(zip64: seed % 2 == 0 ? .always : .whereNeeded))
  var faults: [[UInt8]] = []
  for _ in 0..<400 {
    var damaged = bytes
    for _ in 0...next(6) {
      switch next(4) {
      case 0: damaged[next(damaged.count)] = [0, 0xff, 0x7f, 0x80][next(4)]
      case 1: damaged[next(damaged.count)] ^= 1 << next(8)
      case 2:
        let start = next(damaged.count)
        damaged.removeSubrange(start..<min(start + next(20), damaged.count))
      default: damaged.insert(contentsOf: damaged.prefix(next(60)), at: next(damaged.count))
      }
      if damaged.count < 10 { damaged = bytes }
    }
    let reading = try read(damaged, pieces: 1 + next(300))
    let isHarmless = !reading.isSound || reading.entries.map(\.data) == smallSamples.map(\.data)
    if !isHarmless || reading.error == nil && reading.ends != [reading.entries.count] { faults.append(damaged) }
  }
  #expect(faults == [])
}

@Test(arguments: 0..<4)
func randomBytesAreNoZip(seed: UInt64) throws {
  for length in [1, 4, 30, 1000, 100_000] {
    let reading = try read(noise(length, seed: seed + 77))
    #expect(reading.error?.code == (length < 4 ? .truncated : .format))
  }
}

@Test func problemsAreCappedAndCounted() throws {
  var samples: [Sample] = []
  for _ in 0..<50 { samples.append(Sample("same")) }
  let reading = try read(makeZip(samples), limits: ZipLimits(problems: 10))
  #expect(reading.error == nil)
  #expect(reading.problems.count == 10)
  #expect(reading.unlisted == 39)
  #expect(reading.codes == [.duplicate])
  #expect(reading.problems.first?.entry == "same")
}

@Test(arguments: [
  ZipLimits(entries: 3), ZipLimits(pathBytes: 8), ZipLimits(allPathBytes: 20), ZipLimits(inflatedBytes: 1_999_999), ZipLimits(ratio: 900),
])
func limitsEndTheReading(limits: ZipLimits) throws {
  let samples = [
    Sample("bomb", Array(repeating: 0, count: 2_000_000)), Sample("b"), Sample("a long path"), Sample("another path"),
  ]
  let bytes = try makeZip(samples, options: ZipOptions(level: .zlib(9)))
  #expect(try read(bytes).isSound)
  #expect(try read(bytes, limits: limits).error?.code == .limit)
}

/// After an error nothing more is read, and the error stays.
@Test func anErrorIsKept() throws {
  var reader = try ZipStreamReader.make()
  var first: ZipError?
  do throws(ZipError) {
    try Array("no zip at all".utf8).withUnsafeBufferPointer { (raw) throws(ZipError) in
      try reader.feed(UnsafeRawBufferPointer(raw)) { _ in }
    }
  } catch { first = error }
  let error = try #require(first)
  #expect(error.code == .format)
  do throws(ZipError) {
    try reader.finish()
    Issue.record("finish must throw")
  } catch let second {
    #expect(second == error)
  }
}
