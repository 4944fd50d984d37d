import Files
import Glibc
import Testing

@Suite("The names in a folder")
struct FolderListingTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func names() throws -> [[UInt8]] {
    let listing = try FolderListing(of: scratch.folder)
    return (0..<listing.count).map { listing.name(at: $0).bytes }
  }

  @Test func anEmptyFolderHasNone() throws {
    #expect(try names() == [])
  }

  @Test func sortsByBytesAndKeepsEveryName() throws {
    let made: [[UInt8]] = [
      Array("b".utf8), Array("B".utf8), Array("a".utf8), Array("aa".utf8), Array("a-".utf8), Array(".hidden".utf8), Array("...".utf8),
      Array("cafe\u{301}".utf8), Array("caf\u{E9}".utf8), [0xFF, 0xFE], [0x01], Array("new\nline".utf8),
      [UInt8](repeating: 0x6E, count: 255),
    ]
    for name in made { try scratch.write("", to: PathBytes(name)) }
    #expect(try names() == made.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(try names() == names(), "a second reading begins at the beginning")
  }

  @Test func hintsAtTheKind() throws {
    try scratch.write("", to: "file")
    _ = try scratch.folder.creatingFolder("folder")
    try scratch.link("link", to: "folder")
    #expect("pipe".withCString { mkfifoat(scratch.folder.raw, $0, 0o600) } == 0)
    let listing = try FolderListing(of: scratch.folder)
    for (index, kind) in [FileStatus.Kind.file, .folder, .link, .special].enumerated() {
      #expect([nil, kind].contains(listing.kind(at: index)))
      #expect(try listing.withName(at: index) { name, _ in try scratch.folder.status(of: name, shown: "") }.kind == kind)
    }
  }

  @Test func readsMoreNamesThanOneBufferHolds() throws {
    for number in 0..<3000 {
      #expect("\(number * 7919 % 3000)-padding".withCString { mknodat(scratch.folder.raw, $0, S_IFREG | 0o600, 0) } == 0)
    }
    let found = try names()
    #expect(found.count == 3000)
    #expect(found == (0..<3000).map { Array("\($0)-padding".utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func stopsWhereItsReaderDoes() throws {
    try scratch.write("", to: "one")
    try scratch.write("", to: "two")
    var calls = 0
    #expect(throws: FileError.self) {
      try scratch.folder.forEachEntry { (_, _, _) throws(FileError) in
        calls += 1
        throw FileError("stop", "", code: ECANCELED)
      }
    }
    #expect(calls == 1)
  }

  @Test func aFileHasNoNames() throws {
    try scratch.write("", to: "file")
    #expect { _ = try FolderListing(of: scratch.folder.reading("file")) } throws: { ($0 as? FileError)?.operation == "list" }
  }

  @Test func aRemovedFolderHasNoNames() throws {
    let gone = try scratch.folder.creatingFolder("gone")
    try scratch.folder.removeFolder("gone")
    #expect { _ = try FolderListing(of: gone) } throws: { ($0 as? FileError)?.isMissing == true }
  }
}
