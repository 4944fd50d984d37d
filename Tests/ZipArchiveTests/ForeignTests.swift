import Foundation
import TestSupport
import Testing
import ZipArchive

/// ZIPs that other programs make: stored and deflated, sizes in front, after, and in 64 bits.
private let pythonCases: [String: String] = [
  "stored": "z = zipfile.ZipFile(out, 'w', zipfile.ZIP_STORED); add(z)",
  "deflated": "z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED); add(z)",
  "streamed": "z = zipfile.ZipFile(Pipe(open(out, 'wb')), 'w', zipfile.ZIP_DEFLATED); add(z)",
  "ZIP64": "z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED); add(z, True)",
  "streamed ZIP64": "z = zipfile.ZipFile(Pipe(open(out, 'wb')), 'w', zipfile.ZIP_DEFLATED); add(z, True)",
  "ZIP64 said twice": "z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED); add(z, True, Twice)",
  "streamed ZIP64 said twice": "z = zipfile.ZipFile(Pipe(open(out, 'wb')), 'w', zipfile.ZIP_DEFLATED); add(z, True, Twice)",
]

private let pythonSource = """
  import struct, sys, zipfile
  class Twice(zipfile.ZipInfo):  # headers as Python before 3.11.4 wrote them: sizes in 32 bits, and again in 64
      def FileHeader(self, zip64=None):
          header, sizes = super().FileHeader(False), (0, 0) if self.flag_bits & 8 else (self.file_size, self.compress_size)
          return header[:28] + struct.pack('<H', 20) + header[30:] + struct.pack('<HHQQ', 1, 16, *sizes)
  class Pipe:
      def __init__(self, f): self.f = f
      def write(self, b): return self.f.write(b)
      def flush(self): self.f.flush()
  def add(z, force=False, kind=zipfile.ZipInfo):
      for name, data in [('a.txt', b'hello ' * 500), ('empty', b''), ('é/日本.bin', bytes(range(256)) * 300)]:
          info = kind(name, (2024, 2, 29, 12, 30, 58)); info.compress_type = z.compression
          info.external_attr = 0o100640 << 16
          with z.open(info, 'w', force_zip64=force) as f: f.write(data)
      z.close()
  out = sys.argv[1]
  """

@Test(arguments: pythonCases.keys.sorted(), [1, 100, Int.max])
func zipsOfPythonAreRead(name: String, pieces: Int) throws {
  guard canRun("python3") else { return }
  let bytes = try withTemporaryFolder { folder in
    let file = folder.appendingPathComponent("a.zip")
    let made = try runProgram("python3", ["-c", pythonSource + "\n" + pythonCases[name, default: ""], file.path])
    #expect(made.status == 0, "\(made.output)")
    return try Array(Data(contentsOf: file))
  }
  let reading = try read(bytes, pieces: pieces)
  #expect(reading.error == nil)
  #expect(reading.problems == [])
  #expect(reading.entries.map(\.name) == ["a.txt", "empty", "é/日本.bin"])
  #expect(reading.entries.map(\.data.count) == [3000, 0, 76_800])
  #expect(reading.entries.map(\.isSound) == [true, true, true])
  #expect(reading.entries.allSatisfy { $0.mode == 0o100640 })
  // 2024-02-29T12:30:58, taken as UTC
  #expect(reading.entries.allSatisfy { $0.modified == 1_709_209_858 })
}

/// Sizes in the header that are wrong don't hinder going on: the next entry is where the header says.
@Test(arguments: ["stored", "deflated"])
func damagedDataIsSkipped(name: String) throws {
  guard canRun("python3") else { return }
  let bytes = try withTemporaryFolder { folder in
    let file = folder.appendingPathComponent("a.zip")
    let made = try runProgram("python3", ["-c", pythonSource + "\n" + pythonCases[name, default: ""], file.path])
    #expect(made.status == 0, "\(made.output)")
    return try Array(Data(contentsOf: file))
  }
  for damage in [UInt8(0xff), 0x01, 0x00] {
    var damaged = bytes
    damaged[35] = damage == damaged[35] ? 0x77 : damage
    let reading = try read(damaged)
    #expect(reading.error == nil)
    #expect(!reading.problems.isEmpty)
    #expect(reading.problems.allSatisfy { $0.entry == "a.txt" })
    #expect(reading.entries.map(\.isSound) == [false, true, true])
    #expect(reading.ends == [3])
  }
}
