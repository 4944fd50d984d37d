import Files
import TestSupport
import Testing

@testable import AccountExport

@Suite struct SpoolTests {
  private static func spool(memory: Int) throws -> (Spool, TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (Spool(staging: try StagingFolder(in: folder.path), memoryLimit: memory), folder)
  }

  /// Whatever is appended and cut, in memory or on the disk, reads as an array would.
  @Test(arguments: [0, 1, 10, 100, 1000, 100_000], [50, 9000]) func actsAsAnArray(memory: Int, piece: Int) async throws {
    let (spool, folder) = try Self.spool(memory: memory)
    var model: [UInt8] = []
    var random = SeededGenerator(seed: UInt64(memory))
    for _ in 0..<(piece < 1000 ? 300 : 60) {
      let choice = Int.random(in: 0..<5, using: &random)
      if choice == 1 {
        let start = Int.random(in: 0...model.count, using: &random)
        let range = start..<Int.random(in: start...model.count, using: &random)
        let bytes = (0..<Int.random(in: 0..<30, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        try bytes.withUnsafeBytes { try spool.replace(range, with: $0) }
        model.replaceSubrange(range, with: bytes)
      } else if choice == 0 {
        let length = Int.random(in: 0...model.count, using: &random)
        try spool.truncate(to: length)
        model.removeLast(model.count - length)
      } else {
        let bytes = (0..<Int.random(in: 0..<piece, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        try bytes.withUnsafeBytes { try spool.append($0) }
        model += bytes
      }
      #expect(spool.length == model.count)
      #expect(try spool.whole.bytes() == model)
    }
    #expect(try spool.whole.digest() == EntryContent.bytes(model).digest())
    #expect(spool.bytesInMemory <= max(memory, 16 << 10))
    #expect(try folder.names() == [], "a spool has a name")
  }

  /// More than the pieces that are moved, either way.
  @Test(arguments: [0, 10 << 20]) func replacesBeforeALongTail(_ memory: Int) throws {
    let (spool, folder) = try Self.spool(memory: memory)
    var model = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) }
    try model.withUnsafeBytes { try spool.append($0) }
    for (range, count) in [(5..<6, 300_000), (4..<500_000, 2), (0..<0, 10), (3..<3, 0)] {
      let bytes = [UInt8](repeating: 0xAA, count: count)
      try bytes.withUnsafeBytes { try spool.replace(range, with: $0) }
      model.replaceSubrange(range, with: bytes)
      #expect(try spool.whole.bytes() == model)
    }
    try [1, 2 as UInt8].withUnsafeBytes { try spool.append($0) }
    #expect(try spool.whole.bytes() == model + [1, 2])
    #expect(try folder.names() == [])
  }

  @Test func readsNothingBeyondItsEnd() throws {
    let (spool, folder) = try Self.spool(memory: 100)
    try [1, 2, 3 as UInt8].withUnsafeBytes { try spool.append($0) }
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(try buffer.withUnsafeMutableBytes { try spool.read(into: $0, at: 1) } == 2)
    #expect(try buffer.withUnsafeMutableBytes { try spool.read(into: $0, at: 3) } == 0)
    #expect(try buffer.withUnsafeMutableBytes { try spool.read(into: $0, at: 30) } == 0)
    #expect(try folder.names() == [])
  }

  @Test func slicesOfOneSpool() throws {
    let (spool, folder) = try Self.spool(memory: 4)
    try Array("abcdefgh".utf8).withUnsafeBytes { try spool.append($0) }
    #expect(try SpoolSlice(spool: spool, offset: 2, length: 3).bytes() == Array("cde".utf8))
    #expect(try SpoolSlice(spool: spool, offset: 8, length: 0).bytes() == [])
    #expect(try folder.names() == [])
  }

  @Test func appendedBySeveralTasksEachItsOwn() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        let (spool, folder) = try Self.spool(memory: 50)
        group.addTask {
          for _ in 0..<100 { try [UInt8](repeating: UInt8(task), count: 13).withUnsafeBytes { try spool.append($0) } }
          #expect(try spool.whole.bytes() == [UInt8](repeating: UInt8(task), count: 1300))
          #expect(try folder.names() == [])
        }
      }
      try await group.waitForAll()
    }
  }
}
