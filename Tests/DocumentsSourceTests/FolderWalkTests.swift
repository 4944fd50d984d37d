import Files
import Glibc
import Testing

@testable import DocumentsSource

@Suite("A walk through a folder")
struct FolderWalkTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func walk(include: [String] = [], exclude: [String] = [], leftOut: LeftOut = LeftOut(), openLimit: Int = 64) throws -> FolderWalk
  {
    try FolderWalk(
      FileDescriptor.folder(scratch.path), include: IgnorePatterns(lines: include.map { PathBytes($0) }),
      exclude: IgnorePatterns(lines: exclude.map { PathBytes($0) }), leftOut: leftOut, openLimit: openLimit)
  }

  private func steps(include: [String] = [], exclude: [String] = [], leftOut: LeftOut = LeftOut()) throws -> [String] {
    var walk = try walk(include: include, exclude: exclude, leftOut: leftOut)
    return walk.steps().map(\.description)
  }

  @Test func tellsEveryKindInFixedOrder() throws {
    try scratch.write("12345", to: "b/file")
    try scratch.write("", to: "b.txt")
    try scratch.write("x", to: "B")
    scratch.makeFolder("empty")
    try scratch.link("a", to: "b")
    try scratch.link("loop", to: "loop")
    try scratch.link("b/out", to: "../../../etc")
    #expect("pipe".withCString { mkfifoat(scratch.folder.raw, $0, 0o600) } == 0)
    #expect(
      try steps() == [
        "B: file 1", "a: link to b", "b: folder", "b/file: file 5", "b/out: link to ../../../etc", "b.txt: file 0", "empty: empty folder",
        "loop: link to loop", "pipe: special",
      ])
    #expect(try steps() == steps())
  }

  @Test func handsOutEachFileOnce() throws {
    try scratch.write("one", to: "1")
    try scratch.write("two", to: "2")
    var walk = try walk()
    for expected in ["one", "two"] {
      guard case .file = walk.next() else { throw FileError("walk", walk.currentPath, code: ENOENT) }
      guard let file = walk.takeFile() else { throw FileError("take", walk.currentPath, code: ENOENT) }
      #expect(try contents(of: file).elementsEqual(expected.utf8))
      if walk.takeFile() != nil { Issue.record("a file is handed out twice") }
    }
    #expect(walk.next() == nil)
  }

  static let names: [[UInt8]] = [
    Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8), [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0x01, 0x7F], Array("new\nline".utf8),
    Array("CON".utf8),
    Array("nul.txt".utf8), Array("a\\b".utf8), Array("a:b*?\"<>|".utf8), Array("trail ".utf8), Array("dot.".utf8), Array("...".utf8),
    Array("-rf".utf8),
    Array("%2e%2e%2f".utf8), Array("Case".utf8), Array("case".utf8), Array("x\u{202E}gpj.exe".utf8), [UInt8](repeating: 0x6E, count: 255),
    Array("\u{1B}[31m".utf8),
  ]

  @Test func keepsTheBytesOfNames() throws {
    for name in Self.names { try scratch.write("x", to: PathBytes(name)) }
    var walk = try walk()
    let expected = Self.names.sorted { $0.lexicographicallyPrecedes($1) }.map { WalkStep(PathBytes($0), "file 1") }
    #expect(walk.steps() == expected)
  }

  @Test func goesByPatterns() throws {
    for path in ["a/keep.txt", "a/drop.log", "cache/x", "b/cache", "c/d/deep.txt", "top.txt"] { try scratch.write("", to: PathBytes(path)) }
    #expect(
      try steps(exclude: ["*.log", "cache/", "!cache/x"]) == [
        "a: folder", "a/drop.log: excluded", "a/keep.txt: file 0", "b: folder", "b/cache: file 0", "c: folder", "c/d: folder",
        "c/d/deep.txt: file 0",
        "cache: excluded", "top.txt: file 0",
      ])
    #expect(
      try steps(include: ["/a/", "deep.txt", "!drop.log"], exclude: ["b"]) == [
        "a: folder", "a/drop.log: not included", "a/keep.txt: file 0", "b: excluded", "c/d/deep.txt: file 0", "cache/x: not included",
        "top.txt: not included",
      ])
  }

  @Test("what another source tells of is passed over without a word; under a second name it is left out")
  func elsewhere() throws {
    try scratch.write("x", to: "s/notes.db")
    try scratch.write("x", to: "s/sub/notes.db")
    try scratch.write("x", to: "t/inside")
    try scratch.write("x", to: "other")
    #expect(link(scratch.path.appending("s/notes.db").display, scratch.path.appending("second").display) == 0)
    var leftOut = LeftOut()
    for path: PathBytes in ["s/notes.db", "t", "gone"] { leftOut.insert(elsewhere: scratch.path.appending(path)) }
    #expect(try steps(leftOut: leftOut) == ["other: file 1", "s: folder", "s/sub: folder", "s/sub/notes.db: file 1", "second: left out"])
  }

  @Test func leavesOutWhatWasNamedByAnyPath() throws {
    try scratch.write("store", to: "s/notes.db")
    try scratch.write("log", to: "s/notes.db-wal")
    try scratch.write("", to: "state/journal")
    #expect("s/notes.db".withCString { from in "twin".withCString { linkat(scratch.folder.raw, from, scratch.folder.raw, $0, 0) } } == 0)
    try scratch.link("via", to: "s")
    var leftOut = LeftOut()
    leftOut.insert(scratch.path.appending("via/notes.db"))
    leftOut.insert(scratch.path.appending("s/notes.db-wal"))
    leftOut.insert(scratch.path.appending("s/notes.db-shm"))
    leftOut.insert(scratch.path.appending("state"))
    try scratch.write("later", to: "s/notes.db-shm")
    #expect(
      try steps(leftOut: leftOut) == [
        "s: folder", "s/notes.db: left out", "s/notes.db-shm: left out", "s/notes.db-wal: left out", "state: left out", "twin: left out",
        "via: link to s",
      ])
  }

  @Test func goesOnAfterWhatItMayNotRead() throws {
    for path in ["closed/x", "locked/y", "open/z", "secret"] { try scratch.write("1", to: PathBytes(path)) }
    for (path, mode) in [("", 0o755), ("closed", 0), ("locked", 0o444), ("open", 0o755), ("secret", 0)] as [(String, mode_t)] {
      #expect(scratch.path.appending(PathBytes(path)).withCString { chmod($0, mode) } == 0)
    }
    #expect("open/z".withCString { fchmodat(scratch.folder.raw, $0, 0o644, 0) } == 0)
    var found: [String] = []
    try withoutPrivileges { found = try steps() }
    #expect(
      found == [
        "closed: folder", "closed: failed: Permission denied", "locked: folder", "locked/y: failed: Permission denied", "open: folder",
        "open/z: file 1",
        "secret: failed: Permission denied",
      ])
  }

  @Test func readsNoFileSystemOfTheKernel() throws {
    var walk = try FolderWalk(FileDescriptor.folder("/"), exclude: IgnorePatterns(lines: ["/*", "!/proc"]))
    let told = walk.steps().filter { $0.what != "excluded" }
    #expect(told == [WalkStep("proc", "failed: kernel")])
  }
}
