/// Room for what the pages' maker can't hold in memory: bytes that wait in memory while they are few, else in a file without a name.
package struct PageScratch: Sendable {
  private let spool: Spool

  init(staging: StagingFolder) { spool = Spool(staging: staging, memoryLimit: 1 << 20) }

  package var count: Int { spool.length }

  package func append(_ bytes: UnsafeRawBufferPointer) throws { try spool.append(bytes) }

  /// Reads from a place, as much as fits; nothing only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    try KeptBytes(slice: spool.whole).read(into: buffer, at: offset)
  }
}
