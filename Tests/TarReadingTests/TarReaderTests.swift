import Files
import TestSupport
import Testing

@testable import TarReading

/// A stream that gives its bytes in pieces.
struct Bytes {
  let bytes: [UInt8]
  var place = 0
  var most = 997

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(most, buffer.count, bytes.count - place)
    buffer.copyBytes(from: bytes[place..<(place + count)])
    place += count
    return count
  }
}

/// What a tar holds.
struct Members {
  var members: [TarMember] = []
  var contents: [[UInt8]] = []
  var error: TarError.Code?

  init(_ tar: [UInt8]) throws {
    var input = Bytes(tar)
    var reader = try TarReader()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 700, alignment: 1)
    defer { buffer.deallocate() }
    do {
      while let member = try reader.next({ input.read(into: $0) }) {
        members.append(member)
        contents.append([])
        while true {
          let count = try reader.data(into: buffer) { input.read(into: $0) }
          if count == 0 { break }
          contents[contents.count - 1].append(contentsOf: buffer[..<count])
        }
      }
    } catch let failure as TarError {
      error = failure.code
    }
  }
}

/// A tar that Python makes: each member is an expression for `add`.
func tar(_ members: String, format: String = "PAX") throws -> [UInt8] {
  let folder = try TemporaryFolder()
  let script = """
    import io, sys, tarfile
    out = tarfile.open(sys.argv[1], "w", format=tarfile.\(format)_FORMAT, encoding="utf-8", errors="surrogateescape")
    def add(name, data=b"", type=tarfile.REGTYPE, link="", mtime=1700000000):
        info = tarfile.TarInfo(name if isinstance(name, str) else name.decode("utf-8", "surrogateescape"))
        info.type, info.linkname, info.size, info.mtime = type, link, len(data), mtime
        out.addfile(info, io.BytesIO(data))
    \(members.split(separator: "\n").joined(separator: "\n"))
    out.close()
    """
  let made = try runProgram("python3", ["-c", script, folder.path("a.tar").text ?? ""])
  try #require(made.status == 0, "\(made.output)")
  let file = try FileDescriptor.reading(folder.path("a.tar"))
  var bytes = [UInt8](repeating: 0, count: Int(try file.status().size))
  let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
  return Array(bytes[..<count])
}

@Suite struct TarReaderTests {
  @Test(arguments: ["PAX", "GNU"])
  func namesAreTheirBytes(format: String) throws {
    let found = try Members(
      tar(
        """
        add("e\\u0301.txt", b"decomposed")
        add("\\u00e9.txt", b"composed")
        add(b"bad\\xff.txt", b"bytes")
        add("l" * 300 + "/" + "m" * 200 + ".txt", b"long")
        add("ln", type=tarfile.SYMTYPE, link="e\\u0301.txt")
        """, format: format))
    #expect(found.error == nil)
    let long = PathBytes(String(repeating: "l", count: 300) + "/" + String(repeating: "m", count: 200) + ".txt")
    #expect(
      found.members.map(\.path) == ["e\u{301}.txt", "\u{e9}.txt", PathBytes(Array("bad".utf8) + [0xFF] + Array(".txt".utf8)), long, "ln"])
    #expect(found.members.map(\.oddity) == [nil, nil, nil, nil, nil])
    #expect(found.members[4].target == "e\u{301}.txt")
    #expect(found.contents[0] == Array("decomposed".utf8))
  }

  @Test func kinds() throws {
    let found = try Members(
      tar(
        """
        add("f", b"x")
        add("d/", type=tarfile.DIRTYPE)
        add("h", type=tarfile.LNKTYPE, link="f")
        add("p", type=tarfile.FIFOTYPE)
        add("c", type=tarfile.CHRTYPE)
        add("b", type=tarfile.BLKTYPE)
        """))
    #expect(found.members.map(\.kind) == [.file, .folder, .hardLink, .special, .special, .special])
    #expect(found.members[2].target == "f")
  }

  @Test func timesAreExact() throws {
    let found = try Members(tar("add('a', mtime=1700000000.25)\nadd('b', mtime=-5)"))
    #expect(found.members[0].modified == FileTime(seconds: 1_700_000_000, nanoseconds: 250_000_000))
    #expect(found.members[1].modified == FileTime(seconds: -5))
  }

  @Test(arguments: ["gnu", "pax"])
  func holesAreZeros(format: String) throws {
    let folder = try TemporaryFolder()
    let made = try runProgram(
      "sh",
      [
        "-c",
        "cd \"$1\" && truncate -s 300000 s && printf x | dd of=s bs=1 seek=100000 conv=notrunc 2>/dev/null && tar --format=$2 -Scf t s",
        "sh",
        folder.path.text ?? "", format,
      ])
    try #require(made.status == 0, "\(made.output)")
    let file = try FileDescriptor.reading(folder.path("t"))
    var bytes = [UInt8](repeating: 0, count: Int(try file.status().size))
    _ = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
    let found = try Members(bytes)
    #expect(found.error == nil)
    #expect(found.members.first?.isSparse == true)
    #expect(found.members.first?.size == 300_000)
    var expected = [UInt8](repeating: 0, count: 300_000)
    expected[100_000] = UInt8(ascii: "x")
    #expect(found.contents.first == expected)
  }

  @Test func everyTruncationIsFound() throws {
    let whole = try tar("add('a', b'x' * 600)\nadd('d/', type=tarfile.DIRTYPE)\nadd('zeros', bytes(2048))", format: "GNU")
    // Two blocks of zeros after 512 + 1024 + 512 + 512 + 2048 bytes; what pads the last record may be missing.
    let end = 4608 + 1024
    #expect(whole.count >= end)
    for length in stride(from: 0, to: end, by: 128) { #expect(try Members(Array(whole[..<length])).error != nil, "\(length)") }
    #expect(try Members(Array(whole[..<end])).error == nil)
    #expect(try Members(Array(whole[..<4608])).error == .truncated)
  }

  /// Members whose contents nobody reads are missed all the same.
  @Test func truncationsBehindMembersThatAreNotRead() throws {
    let whole = try tar("add('a', b'x' * 600)\nadd('zeros', bytes(2048))", format: "GNU")
    let end = 512 + 1024 + 512 + 2048 + 1024
    func count(_ tar: ArraySlice<UInt8>) throws -> Int {
      var input = Bytes(Array(tar))
      var reader = try TarReader()
      var count = 0
      while try reader.next({ input.read(into: $0) }) != nil { count += 1 }
      return count
    }
    for length in stride(from: 0, to: end, by: 128) {
      #expect(throws: TarError.self, "\(length)") { try count(whole[..<length]) }
    }
    #expect(try count(whole[..<end]) == 2)
  }

  @Test func whatFollowsTheEndIsFound() throws {
    let one = try tar("add('a', b'x')")
    #expect(try Members(one + one).error == .surplus)
    #expect(try Members(one + [UInt8](repeating: 0, count: 100_000)).error == nil)
    #expect(try Members(one + [UInt8](repeating: 0, count: 1_000_000) + [1]).error == .surplus)
  }

  @Test func whatIsNoTar() throws {
    #expect(try Members([]).error == .truncated)
    #expect(try Members(Array("{\"protocol\": 1}\n".utf8)).error == .format)
    #expect(try Members([UInt8](repeating: 0, count: 10240)).error == nil)
    let damaged = try tar("add('a', b'x')\nadd('b', b'y')")
    var other = damaged
    other[1024 + 512 + 512 + 10] ^= 1
    #expect(try Members(other).error == .format)
    #expect(try Members(other).members.map(\.path).first == "a")
  }

  @Test func whatTheStreamThrowsIsThrown() throws {
    struct Planned: Error {}
    var reader = try TarReader()
    #expect(throws: Planned.self) { try reader.next { _ in throw Planned() } }
  }
}
