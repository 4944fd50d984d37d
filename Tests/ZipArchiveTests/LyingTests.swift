import Testing
import ZipArchive

/// A ZIP of two entries, taken apart so that a test can make it lie.
private struct Parts {
  var bytes: [UInt8]
  /// Where the local headers, the directory's records and the end record begin.
  var locals: [Int] = []
  var centrals: [Int] = []
  var end = 0

  init(_ samples: [Sample] = [Sample("one.txt", text: "first"), Sample("two.txt", text: "other")]) throws {
    bytes = try makeZip(samples)
    for start in bytes.indices where bytes[start...].starts(with: [0x50, 0x4b]) {
      if bytes[start...].dropFirst(2).starts(with: [3, 4]) { locals.append(start) }
      if bytes[start...].dropFirst(2).starts(with: [1, 2]) { centrals.append(start) }
      if bytes[start...].dropFirst(2).starts(with: [5, 6]) { end = start }
    }
  }

  mutating func set(_ place: Int, _ number: UInt32, bytes count: Int = 4) {
    for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }

  mutating func set(_ place: Int, _ text: String) {
    bytes.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
  }

  var middle: Int { locals[1] }
}

/// A lie, and the kinds of problem that it must show up as.
private struct Lie: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var codes: Set<ZipProblem.Code>
  var tell: @Sendable (inout Parts) -> Void

  init(_ name: String, _ codes: Set<ZipProblem.Code>, tell: @escaping @Sendable (inout Parts) -> Void) {
    testDescription = name
    self.codes = codes
    self.tell = tell
  }
}

private let lies: [Lie] = [
  // Readers go by the type whatever system an entry says it is from.
  Lie("a link of DOS", [.field]) { parts in
    parts.set(parts.centrals[0] + 5, 0, bytes: 1)
    parts.set(parts.centrals[0] + 38, 0xa1ff_0000)
  },
  Lie("a link of a system that hardly anyone knows", [.field]) { parts in
    parts.set(parts.centrals[0] + 5, 11, bytes: 1)
    parts.set(parts.centrals[0] + 38, 0xa1ff_0000)
  },
  Lie("a file that DOS takes for a folder", [.field]) { parts in
    parts.set(parts.centrals[0] + 5, 0, bytes: 1)
    parts.set(parts.centrals[0] + 38, 0x10)
  },
  Lie("a file that Unix takes for a folder", [.field]) { $0.set($0.centrals[0] + 38, 0x81a4_0010) },
  Lie("another path in the directory", [.directory]) { $0.set($0.centrals[0] + 46, "ONE.txt") },
  Lie("another path in the local header", [.directory]) { $0.set($0.locals[0] + 30, "ONE.txt") },
  Lie("the second path is the first", [.directory, .duplicate]) { $0.set($0.locals[1] + 30, "one.txt") },
  Lie("two records, one entry", [.directory]) { $0.set($0.centrals[1] + 42, 0) },
  Lie("an offset into the first entry's data", [.directory]) { $0.set($0.centrals[1] + 42, UInt32($0.locals[1] - 5)) },
  Lie("an offset beyond the end", [.directory]) { $0.set($0.centrals[1] + 42, 0xffff_fff0) },
  Lie("records in another order", [.directory]) { parts in
    let (first, second) = (parts.centrals[0], parts.centrals[1])
    parts.bytes.replaceSubrange(first..<parts.end, with: parts.bytes[second..<parts.end] + parts.bytes[first..<second])
  },
  Lie("another size in the directory", [.directory]) { $0.set($0.centrals[0] + 24, 6) },
  Lie("another compressed size in the directory", [.directory]) { $0.set($0.centrals[0] + 20, 1) },
  Lie("another CRC in the directory", [.directory]) { $0.set($0.centrals[0] + 16, 1) },
  Lie("another method in the directory", [.directory]) { $0.set($0.centrals[0] + 10, 0, bytes: 2) },
  Lie("encrypted in the directory only", [.directory]) { $0.set($0.centrals[0] + 8, 9, bytes: 2) },
  Lie("another date in the directory", [.directory]) { $0.set($0.centrals[0] + 12, 0x0021_0000) },
  Lie("another disk", [.field]) { $0.set($0.centrals[0] + 34, 1, bytes: 2) },
  Lie("a link", [.field]) { $0.set($0.centrals[0] + 38, 0o120_777 << 16) },
  Lie("a folder whose path is a file's", [.field]) { $0.set($0.centrals[0] + 38, 0o040_755 << 16) },
  Lie("another size in the local header", [.size]) { $0.set($0.locals[0] + 22, 4) },
  Lie("another CRC in the descriptor", [.checksum]) { $0.set($0.middle - 12, 1) },
  Lie("another compressed size in the descriptor", [.size]) { $0.set($0.middle - 8, 1) },
  Lie("another size in the descriptor", [.size]) { $0.set($0.middle - 4, 1) },
  Lie("undefined flags", [.field, .directory]) { $0.set($0.locals[0] + 6, 0x1008, bytes: 2) },
  Lie("no date", [.field, .directory]) { $0.set($0.locals[0] + 10, 0) },
  Lie("a path that leads upwards", [.path, .directory]) { $0.set($0.locals[0] + 30, "../.txt") },
  Lie("an absolute path", [.path, .directory]) { $0.set($0.locals[0] + 30, "/ne.txt") },
  Lie("a path with a NUL", [.path, .directory]) { $0.set($0.locals[0] + 30, "o\0e.txt") },
  Lie("a path that is no UTF-8", [.path, .directory]) { $0.bytes[$0.locals[0] + 30] = 0xff },
  Lie("fewer entries in the end record", [.end]) { $0.set($0.end + 10, 1, bytes: 2) },
  Lie("more entries in the end record", [.end]) { $0.set($0.end + 8, 3, bytes: 2) },
  Lie("all entries in the end record", [.end]) { $0.set($0.end + 10, 0xffff, bytes: 2) },
  Lie("another size of the directory", [.end]) { $0.set($0.end + 12, 7) },
  Lie("another place of the directory", [.end]) { $0.set($0.end + 16, 0) },
  Lie("a ZIP64 place without ZIP64", [.end]) { $0.set($0.end + 16, 0xffff_ffff) },
  Lie("a second disk", [.end]) { $0.set($0.end + 4, 1, bytes: 2) },
  Lie("a record too few", [.directory, .end]) { parts in
    parts.bytes.removeSubrange(parts.centrals[1]..<parts.end)
  },
  Lie("an entry of which the directory knows nothing", [.directory]) { parts in
    let removed = parts.end - parts.centrals[1]
    parts.bytes.removeSubrange(parts.centrals[1]..<parts.end)
    parts.end -= removed
    parts.set(parts.end + 8, 1 | 1 << 16)
    parts.set(parts.end + 12, UInt32(parts.end - parts.centrals[0]))
  },
  Lie("a comment", [.extraneous]) { parts in
    parts.set(parts.end + 20, 3, bytes: 2)
    parts.bytes += Array("hi!".utf8)
  },
  Lie("a line after the end", [.extraneous]) { $0.bytes += Array("bye\n".utf8) },
  Lie("a second ZIP after the end", [.extraneous]) { $0.bytes += $0.bytes },
]

@Test(arguments: lies)
private func liesAreNoticed(lie: Lie) throws {
  var parts = try Parts()
  #expect(try read(parts.bytes).isSound)
  lie.tell(&parts)
  for pieces in [1, 13, Int.max] {
    let reading = try read(parts.bytes, pieces: pieces)
    #expect(reading.error == nil)
    #expect(reading.codes == lie.codes, "\(reading.problems)")
  }
}

/// What stands where nothing can be read on: the kind of error, and what brings it about.
private let obstacles: [(ZipError.Code, String, @Sendable (inout Parts) -> Void)] = [
  (.format, "junk in front", { $0.bytes.insert(contentsOf: Array("#!/bin/sh\n".utf8), at: 0) }),
  (.format, "junk between entries", { $0.bytes.insert(contentsOf: [0, 0, 0, 0], at: $0.middle) }),
  (.format, "junk before the directory", { $0.bytes.insert(0, at: $0.centrals[0]) }),
  (.format, "junk in the directory", { $0.bytes.insert(contentsOf: [0x50, 0x4b, 5, 5, 0, 0], at: $0.centrals[1]) }),
  (.format, "an entry after the directory has begun", { $0.set($0.centrals[1], 0x0403_4b50) }),
  (.format, "a ZIP64 locator without its record", { $0.set($0.end, 0x0706_4b50) }),
  (.format, "data that can't be inflated", { $0.bytes[$0.locals[0] + 61] = 0xff }),
  (.unsupported, "encryption", { $0.set($0.locals[0] + 6, 9, bytes: 2) }),
  (.unsupported, "bzip2", { $0.set($0.locals[0] + 8, 12, bytes: 2) }),
  (.unsupported, "stored, with the size after the data", { $0.set($0.locals[0] + 8, 0, bytes: 2) }),
  (.unsupported, "a version of the far future", { $0.set($0.locals[0] + 4, 99, bytes: 2) }),
]

@Test(arguments: 0..<obstacles.count)
func obstaclesEndTheReading(number: Int) throws {
  let (code, name, make) = obstacles[number]
  var parts = try Parts()
  make(&parts)
  for pieces in [1, 13, Int.max] {
    #expect(try read(parts.bytes, pieces: pieces).error?.code == code, "\(name)")
  }
}

@Test func pathsNotFlaggedAsUTF8AreNoticed() throws {
  var parts = try Parts([Sample("é", text: "x")])
  parts.set(parts.locals[0] + 6, 8, bytes: 2)
  parts.set(parts.centrals[0] + 8, 8, bytes: 2)
  let reading = try read(parts.bytes)
  #expect(reading.codes == [.path])
  #expect(reading.problems.first?.entry == "é")
}
