import Testing
import ZipArchive

@Test(arguments: [ZipOptions.Zip64.whereNeeded, .always], [1, 7, 4096, Int.max])
func whatIsWrittenIsReadBack(zip64: ZipOptions.Zip64, pieces: Int) throws {
  let bytes = try makeZip(variedSamples, options: ZipOptions(zip64: zip64), pieces: 50_000)
  let reading = try read(bytes, pieces: pieces)
  #expect(reading.error == nil)
  #expect(reading.problems == [])
  #expect(reading.ends == [variedSamples.count])
  #expect(reading.directory == variedSamples.map { Array($0.entry.path.utf8) })
  #expect(reading.entries.count == variedSamples.count)
  for (entry, sample) in zip(reading.entries, variedSamples) {
    #expect(entry.path == Array(sample.entry.path.utf8))
    #expect(entry.data == sample.data)
    #expect(entry.isSound)
    #expect(entry.size ?? 0 == sample.entry.size)
    #expect(entry.method == (sample.entry.isFolder ? 0 : 8))
    #expect(entry.mode == sample.entry.mode | (sample.entry.isFolder ? 0o040000 : 0o100000))
    #expect((entry.flags & 1 << 11 != 0) == !sample.entry.path.utf8.allSatisfy { $0 < 0x80 })
  }
}

@Test func anEmptyArchiveIsAnEndRecordAlone() throws {
  let bytes = try makeZip([])
  #expect(bytes == [0x50, 0x4b, 5, 6] + Array(repeating: 0, count: 18))
  let reading = try read(bytes)
  #expect(reading.isSound)
  #expect(reading.ends == [0])
}
