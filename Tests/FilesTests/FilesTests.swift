import Files
import Glibc
import Testing

@Suite("Files and folders by descriptor")
struct FileDescriptorTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func writesAndReadsAtAPlace() throws {
    let file = try scratch.folder.creating("new")
    var bytes = Array("0123456789".utf8)
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
    try file.sync()
    #expect(try file.status().size == 10)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: .init(rebasing: $0[..<4]), at: 6) }
    #expect(count == 4 && bytes[..<4].elementsEqual("6789".utf8))
    #expect(try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 10) } == 0)
    #expect(try file.status().mode == 0o600)
  }

  @Test func refusesToMakeWhatIsThere() throws {
    try scratch.write("old", to: "taken")
    #expect { _ = try scratch.folder.creating("taken") } throws: { ($0 as? FileError)?.isExisting == true }
    #expect(try scratch.text(of: "taken") == "old")
  }

  @Test func followsNoLinkInTheLastPlace() throws {
    try scratch.link("out", to: "/etc/hostname")
    try scratch.link("up", to: "/etc")
    #expect { _ = try scratch.folder.reading("out") } throws: { ($0 as? FileError)?.isOtherKind == true }
    #expect { _ = try scratch.folder.folder("up") } throws: { ($0 as? FileError)?.isOtherKind == true }
    #expect(throws: FileError.self) { _ = try FileDescriptor.folder(scratch.path.appending("up")) }
    _ = try FileDescriptor.folder(scratch.path.appending("up"), following: true)
    #expect(try scratch.folder.status(of: "up").kind == .link)
  }

  @Test(arguments: [1, 255, 256, 257, 4000])
  func readsTargetsOfAnyLength(length: Int) throws {
    let target = PathBytes((0..<length).map { $0 % 100 == 99 ? UInt8(ascii: "/") : 0xFF })
    try scratch.link("link", to: target)
    #expect(try scratch.folder.target(of: "link") == target)
  }

  @Test func opensAPipeWithoutWaiting() throws {
    #expect("pipe".withCString { mkfifoat(scratch.folder.raw, $0, 0o600) } == 0)
    #expect(try scratch.folder.reading("pipe").status().kind == .special)
    #expect(try scratch.folder.status(of: "pipe").kind == .special)
  }

  @Test func tellsTimesToTheNanosecond() throws {
    try scratch.write("", to: "old")
    var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: -2, tv_nsec: 999_999_999)]
    #expect("old".withCString { utimensat(scratch.folder.raw, $0, &times, 0) } == 0)
    let status = try scratch.folder.status(of: "old")
    #expect(status.modified == FileTime(seconds: -2, nanoseconds: 999_999_999))
    #expect(status.modified < FileTime(seconds: -1))
  }

  @Test func emptyAndMissingNamesAreErrors() throws {
    #expect { _ = try scratch.folder.status(of: "") } throws: { ($0 as? FileError)?.isMissing == true }
    #expect { _ = try scratch.folder.reading("none") } throws: { ($0 as? FileError)?.isMissing == true }
    #expect { try scratch.folder.remove("none") } throws: { ($0 as? FileError)?.isMissing == true }
    let error = #expect(throws: FileError.self) { _ = try scratch.folder.reading("no\nne") }
    #expect(error?.description.hasSuffix("/no\\x0ane: No such file or directory") == true)
  }

  @Test func noticesAChange() throws {
    try scratch.write("a", to: "file")
    let before = try scratch.folder.status(of: "file")
    #expect(try scratch.folder.status(of: "file").isUnchanged(since: before))
    var times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
    #expect("file".withCString { utimensat(scratch.folder.raw, $0, &times, 0) } == 0)
    #expect(try !scratch.folder.status(of: "file").isUnchanged(since: before))
  }

  @Test func publishesAFileWithoutName() throws {
    guard let file = try scratch.folder.linkable() else { return }  // a file system without them: `unnamed` is tested below
    var bytes = Array("done".utf8)
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
    #expect(try FolderListing(of: scratch.folder).count == 0)
    try scratch.folder.link(file, as: "bundle")
    #expect(try scratch.text(of: "bundle") == "done")
    let other = try scratch.folder.unnamed()
    #expect { try scratch.folder.link(other, as: "bundle") } throws: { ($0 as? FileError)?.isExisting == true }
    #expect(try scratch.text(of: "bundle") == "done")
  }

  @Test func unnamedFilesLeaveNothing() throws {
    let file = try scratch.folder.unnamed()
    var bytes = Array("spool".utf8)
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
    #expect(try file.status().links == 0)
    #expect(try FolderListing(of: scratch.folder).count == 0)
  }

  @Test func renamesWithAndWithoutReplacing() throws {
    try scratch.write("new", to: "new")
    try scratch.write("old", to: "old")
    #expect { try scratch.folder.rename("new", to: "old", replacing: false) } throws: { ($0 as? FileError)?.isExisting == true }
    #expect(try scratch.text(of: "old") == "old")
    try scratch.folder.rename("new", to: "old", replacing: true)
    #expect(try scratch.text(of: "old") == "new")
    try scratch.folder.rename("old", to: "third", replacing: false)
    #expect(try scratch.text(of: "third") == "new")
  }

  @Test func makesLocksAndRemovesFolders() throws {
    let made = try scratch.folder.creatingFolder("state")
    #expect(try made.status().mode == 0o700)
    #expect(try made.lock())
    #expect(try !scratch.folder.folder("state").lock())
    #expect(throws: FileError.self) { try scratch.folder.remove("state") }
    _ = try made.creating("inside")
    #expect(throws: FileError.self) { try scratch.folder.removeFolder("state") }
    try made.remove("inside")
    try scratch.folder.removeFolder("state")
    #expect(try FolderListing(of: scratch.folder).count == 0)
  }

  @Test func cutsDuplicatesAndFindsByPrefix() throws {
    let file = try scratch.folder.creating("spool-1")
    var bytes = Array("0123456789".utf8)
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
    try file.truncate(to: 4)
    let copy = try FileDescriptor.duplicate(file.raw, path: "copy")
    try bytes.withUnsafeMutableBytes { try copy.write(UnsafeRawBufferPointer(rebasing: $0[..<1])) }
    #expect(try scratch.text(of: "spool-1") == "01230")
    try scratch.write("", to: "spool-0")
    try scratch.write("", to: "other")
    #expect(try scratch.folder.names(beginningWith: "spool-") == ["spool-0", "spool-1"])
  }

  @Test func knowsWhatTheKernelMakesUp() throws {
    #expect(try FileDescriptor.folder("/proc").isKernelMade())
    #expect(try !FileDescriptor.folder("/tmp").isKernelMade())
    #expect(scratch.folder.freeBytes() != 0)
  }
}
