import AccountExport
import CommandSource
import Files
import Foundation
import Testing

@Suite struct DocumentsTests {
  /// A program that writes a tar; each line is a call of `add`.
  private func source(_ members: String, then more: String = "") -> CommandSource {
    let script = """
      import io, os, sys, tarfile
      out = tarfile.open(fileobj=sys.stdout.buffer, mode="w|", format=tarfile.PAX_FORMAT, encoding="utf-8", errors="surrogateescape")
      def add(name, data=b"", type=tarfile.REGTYPE, link="", mode=0o644):
          info = tarfile.TarInfo(name if isinstance(name, str) else name.decode("utf-8", "surrogateescape"))
          info.type, info.linkname, info.size, info.mtime, info.mode = type, link, len(data), 1700000000, mode
          out.addfile(info, io.BytesIO(data))
      \(members)
      out.close()
      \(more)
      """
    return CommandSource(["python3", "-c", PathBytes(script)], named: "Test", writing: .documents)
  }

  private func paths(_ export: ExportedCommand) throws -> [String] {
    try export.documents().map { row in
      let path = row["path"] as? String ?? "(bytes)"
      let target = row["target"] as? String
      return "\(row["kind"] as? String ?? "") \(path)" + (target.map { " → \($0)" } ?? "")
    }
  }

  @Test func everythingThatATarCanHold() async throws {
    let export = try await ExportedCommand(
      source(
        """
        add("./", type=tarfile.DIRTYPE)
        add("empty/", type=tarfile.DIRTYPE)
        add("full/", type=tarfile.DIRTYPE)
        add("full/a.txt", b"a" * 3000)
        add("./full//./b.txt", b"b")
        add("full/in/link", type=tarfile.SYMTYPE, link="../../a")
        add("other/hard", type=tarfile.LNKTYPE, link="full/a.txt")
        add(b"bad\\xff", b"bytes")
        add("full/pipe", type=tarfile.FIFOTYPE)
        add("/absolute.txt", b"abs")
        add("x/../y.txt", b"y", mode=0o4755)
        """))
    #expect(export.outcome == .complete)
    #expect(
      try paths(export) == [
        "folder full", "file full/a.txt", "file full/b.txt", "link full/in/link → ../../a", "link other/hard → ../full/a.txt",
        "file (bytes)",
        "special full/pipe", "file absolute.txt", "file y.txt", "folder empty",
      ])
    #expect(export.entries["data/documents/Test/full/a.txt"] == [UInt8](repeating: UInt8(ascii: "a"), count: 3000))
    #expect(export.entries["data/documents/Test/empty/"] == [])
    #expect(export.entries["data/documents/Test/full/"] == nil)
    #expect(export.omissions == ["full/pipe: special"])
    let row = try #require(export.documents().first { $0["path"] as? String == "y.txt" })
    #expect(row["mode"] as? Int == 0o4755)
    #expect(row["modified"] as? String == "2023-11-14T22:13:20Z")
    #expect(row["bytes"] as? Int == 1)
  }

  /// What would lead out of the root, and what isn't there, is named; the rest goes on.
  @Test func pathsThatLeadOut() async throws {
    let export = try await ExportedCommand(
      source(
        """
        add("../up.txt", b"u")
        add("a/../../up.txt", b"u")
        add("..", type=tarfile.DIRTYPE)
        add(".", b"no name")
        add("hard", type=tarfile.LNKTYPE, link="../../etc/passwd")
        add("hard2", type=tarfile.LNKTYPE, link="nothing")
        add("ok.txt", b"ok")
        """))
    #expect(export.outcome == .partial)
    #expect(try paths(export) == ["link hard → ../../etc/passwd", "link hard2 → nothing", "file ok.txt"])
    #expect(
      export.omissions == [
        "../up.txt: unreadable", "a/../../up.txt: unreadable", "../: unreadable", ".: unreadable", "hard: unreadable", "hard2: unreadable",
      ])
    #expect(export.entries.keys.filter { $0.hasPrefix("data/documents/") } == ["data/documents/Test/ok.txt"])
  }

  @Test func membersOfOnePathStandSideBySide() async throws {
    let export = try await ExportedCommand(source("add('a', b'first'); add('a', b'second'); add('A', b'third')"))
    #expect(export.outcome == .complete)
    let files = try export.documents().compactMap { $0["file"] as? String }
    #expect(Set(files).count == 3)
    #expect(files.map { export.text($0) } == ["first", "second", "third"])
  }

  /// Small ones wait until they are whole, large ones stream: both are named, and so is the source.
  @Test(arguments: [3000, 3_000_000])
  func aStreamThatIsCut(size: Int) async throws {
    let script = """
      import io, sys, tarfile
      buffer = io.BytesIO()
      out = tarfile.open(fileobj=buffer, mode="w")
      for name, size in [("a", 5), ("b", \(size))]:
          info = tarfile.TarInfo(name); info.size = size
          out.addfile(info, io.BytesIO(b"x" * size))
      sys.stdout.buffer.write(buffer.getvalue()[:1024 + 512 + \(size / 2)])
      """
    let export = try await ExportedCommand(CommandSource(["python3", "-c", PathBytes(script)], named: "Test", writing: .documents))
    #expect(export.outcome == .failed)
    #expect(export.text("documents/Test/a") == "xxxxx")
    #expect(export.omissions == ["b: unreadable", "documents/Test: failed ×2"])
    #expect(try paths(export) == ["file a", "file b"])
  }

  @Test(arguments: [
    ("exit 0", "there is no tar: nothing was written"), ("echo '{\"protocol\": 1}'", "Unrecognized archive format"),
    ("head -c 1024 /dev/zero; exit 2", "the program ended with status 2"), ("head -c 512 /dev/zero", "the archive's end mark is missing"),
    ("head -c 10240 /dev/zero; echo more", "something follows the end of the archive"),
    ("cd / && tar cf - etc/passwd | gzip", "Unrecognized archive format"),
    ("cd / && tar cf - etc/passwd; exec sleep 1000", "it took longer than it may"),
  ])
  func faults(script: String, problem: String) async throws {
    var source = ExportedCommand.source(script, writing: .documents)
    source.timeLimit = .seconds(1)
    let export = try await ExportedCommand(source)
    #expect(export.outcome == .failed)
    #expect(export.report.contains { $0.contains(problem) }, "\(export.report)")
  }

  @Test func anEmptyTarIsAnEmptyAccount() async throws {
    let export = try await ExportedCommand("exec head -c 10240 /dev/zero", writing: .documents)
    #expect(export.outcome == .complete)
    #expect(try export.documents().isEmpty)
  }

  @Test func holes() async throws {
    let script = "d=$(mktemp -d) && cd $d && truncate -s 5M s && echo x > t && tar -Scf - s t; rm -r $d"
    let export = try await ExportedCommand(script, writing: .documents)
    #expect(export.outcome == .complete)
    #expect(export.entries["data/documents/Test/s"] == [UInt8](repeating: 0, count: 5 << 20))
    #expect(export.text("documents/Test/t") == "x\n")
    // Few bytes of a stream can stand for many.
    var source = ExportedCommand.source(script, writing: .documents)
    source.outputLimit = 1 << 20
    let small = try await ExportedCommand(source)
    #expect(small.outcome == .partial)
    #expect(small.omissions == ["s: limit"])
    #expect(small.text("documents/Test/t") == "x\n")
  }

  /// What lies behind a member beyond the limit is missed, too.
  @Test func aStreamThatIsCutBehindTheLimit() async throws {
    var source = ExportedCommand.source(
      "d=$(mktemp -d) && cd $d && truncate -s 50M f && printf x | dd of=f bs=1 seek=9000 conv=notrunc 2>/dev/null && head -c 9000 /dev/zero > zz"
        + " && tar --format=gnu -S -cf - f zz | head -c 4608; rm -r $d",
      writing: .documents)
    source.outputLimit = 1_000_000
    let export = try await ExportedCommand(source)
    #expect(export.outcome == .failed)
    #expect(export.omissions.first == "f: limit")
    #expect(export.omissions.last == "documents/Test: failed ×1")
  }

  @Test func foldersThatComeTwice() async throws {
    let export = try await ExportedCommand(
      source(
        """
        add("empty/", type=tarfile.DIRTYPE, mode=0o700)
        add("empty/", type=tarfile.DIRTYPE, mode=0o755)
        add("full", type=tarfile.DIRTYPE, mode=0o711)
        add("./full/", type=tarfile.DIRTYPE, mode=0o750)
        add("full/a.txt", b"a")
        """))
    #expect(export.outcome == .complete)
    #expect(try paths(export) == ["folder empty", "folder full", "folder full", "file full/a.txt", "folder empty"])
    #expect(try export.documents().map { $0["mode"] as? Int } == [0o700, 0o711, 0o750, 0o644, 0o755])
    #expect(
      Set(export.entries.keys.filter { $0.hasPrefix("data/documents/") }) == [
        "data/documents/Test/empty/", "data/documents/Test/full/a.txt",
      ])
  }

  /// A link, a pipe and the like can have other names as well as a file.
  @Test func otherNamesOfWhatIsNoFile() async throws {
    let export = try await ExportedCommand(
      source(
        """
        add("link", type=tarfile.SYMTYPE, link="nowhere")
        add("d/link", type=tarfile.LNKTYPE, link="link")
        add("pipe", type=tarfile.FIFOTYPE)
        add("d/pipe", type=tarfile.LNKTYPE, link="pipe")
        add("d/again", type=tarfile.LNKTYPE, link="d/link")
        """))
    #expect(export.outcome == .complete)
    #expect(
      try paths(export) == ["link link → nowhere", "link d/link → ../link", "special pipe", "link d/pipe → ../pipe", "link d/again → link"])
    #expect(export.omissions == ["pipe: special"])
  }
}
