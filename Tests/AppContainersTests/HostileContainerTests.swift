import AppContainers
import Files
import Foundation
import Testing

@Suite("Containers that are odd, broken or meant to do harm")
struct HostileContainerTests {
  private func items(_ found: FoundData) -> [String: Int] { Dictionary(uniqueKeysWithValues: found.documents.map { ($0.name, $0.items) }) }

  @Test("links are not followed, not even where a folder of the system's would be")
  func links() throws {
    let scratch = try Scratch()
    try scratch.write("outside/secret.plist", "bplist00".utf8)
    try scratch.write("outside/store.db", storeBytes)
    try scratch.makeFolder("c/Documents")
    try scratch.makeFolder("c/Library/Preferences")
    try scratch.link("c/Library/Application Support", to: "../../outside")
    try scratch.link("c/Library/Preferences/p.plist", to: "../../../outside/secret.plist")
    try scratch.link("c/Library/Caches", to: "/")
    try scratch.link("c/Documents/loop", to: ".")
    try scratch.link("c/Documents/store.db", to: "../../outside/store.db")
    try scratch.link("c/tmp", to: "../outside")
    let found = try AppContainer(at: scratch.path("c")).found
    #expect(found.stores.isEmpty && found.preferences.isEmpty && found.leftOut.isEmpty)
    #expect(items(found) == ["Documents": 2, "Library": 3, "Container": 1])
  }

  @Test("pipes are not waited for")
  func pipes() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("Library/Preferences")
    for name in ["Library/Preferences/p.plist", "Library/a.sqlite"] { #expect(mkfifo(scratch.path(name).display, 0o600) == 0) }
    try scratch.write("Library/b.sqlite")
    #expect(mkfifo(scratch.path("Library/b.sqlite-wal").display, 0o600) == 0)
    let found = try AppContainer(at: scratch.path).found
    #expect(items(found) == ["Library": 4])
    #expect(found.stores.isEmpty && found.preferences.isEmpty)
  }

  @Test("an empty file is no store, unless its log holds one; a log without a store is a document")
  func emptyStores() throws {
    let scratch = try Scratch()
    try scratch.write("Documents/empty.sqlite", [])
    try scratch.write("Documents/fresh.sqlite", [])
    try scratch.write("Documents/fresh.sqlite-wal", logBytes)
    try scratch.write("Documents/orphan.sqlite-wal", logBytes)
    try scratch.write("Documents/short.sqlite", storeBytes.prefix(16))
    let found = try AppContainer(at: scratch.path).found
    #expect(found.stores.map(\.name) == ["fresh", "short"])
    #expect(found.stores[0].belongings.map(scratch.relative) == ["Documents/fresh.sqlite-wal"])
    #expect(items(found) == ["Documents": 2])
  }

  @Test("a document that is only called as a store's journal is one")
  func journals() throws {
    let scratch = try Scratch()
    try scratch.write("Documents/budget", storeBytes)
    try scratch.write("Documents/budget-journal", "what I spent".utf8)
    try scratch.write("Documents/notes", storeBytes)
    try scratch.write("Documents/notes-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 1])
    try scratch.write("Documents/notes-shm", [0x18, 0xE2, 0x2D, 0, 0, 0, 0, 0])
    let found = try AppContainer(at: scratch.path).found
    #expect(found.stores.map { $0.belongings.count } == [0, 2])
    #expect(items(found) == ["Documents": 1])
  }

  @Test("what is called a database and has no order in it is taken for an encrypted one; what is packed, or called otherwise, is not")
  func encrypted() throws {
    let scratch = try Scratch()
    try scratch.write("Documents/signal.sqlite", disorder(4096))
    try scratch.write("Documents/signal.sqlite-wal", disorder(512))
    try scratch.write("Documents/zipped.db", [0x50, 0x4B, 3, 4] + disorder(4092))
    try scratch.write("Documents/odd.db", disorder(4097))
    try scratch.write("Documents/text.db", Array(repeating: UInt8(ascii: "a"), count: 4096))
    try scratch.write("Documents/noise.bin", disorder(4096))
    let found = try AppContainer(at: scratch.path).found
    #expect(found.stores.map(\.name) == ["signal"])
    #expect(found.stores.map(\.isReadable) == [false])
    #expect(found.stores[0].belongings.count == 1)
    #expect(items(found) == ["Documents": 4])
  }

  @Test("a property list that is a folder is looked into; an empty one is a document")
  func folderList() throws {
    let scratch = try Scratch()
    try scratch.write("Library/Preferences/a.plist/b.plist")
    try scratch.write("Library/Preferences/a.plist/c")
    try scratch.write("Library/Preferences/empty.plist", [])
    let found = try AppContainer(at: scratch.path).found
    #expect(found.preferences.map(\.files) == [["a.plist/b.plist"]])
    #expect(items(found) == ["Library": 2])
  }

  @Test("names that are no UTF-8 keep their bytes")
  func names() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("Documents")
    let path = scratch.path("Documents").appending(PathBytes([0xFF, 0xFE] + Array(".sqlite".utf8)))
    let file = try FileDescriptor.folder(path.parent).creating(path.lastComponent)
    var bytes = storeBytes
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
    let found = try AppContainer(at: scratch.path).found
    #expect(found.stores.map(\.path) == [path])
    #expect(found.stores.map(\.name) == ["\u{FFFD}\u{FFFD}"])
  }

  @Test("what lies very deep is left to the documents")
  func deep() throws {
    let scratch = try Scratch()
    let folder = "Documents/" + Array(repeating: "d", count: 100).joined(separator: "/")
    try scratch.write(folder + "/store.db", storeBytes)
    try scratch.write("Documents/" + Array(repeating: "d", count: 30).joined(separator: "/") + "/store.db", storeBytes)
    let found = try AppContainer(at: scratch.path).found
    #expect(found.stores.count == 1)
    #expect(items(found) == ["Documents": 1])
  }

  @Test("what can't be read is left to the documents, which name it")
  func unreadable() throws {
    let scratch = try Scratch()
    try scratch.write("Library/Application Support/locked/a.sqlite", storeBytes)
    try scratch.write("Library/Application Support/b.sqlite", storeBytes)
    try scratch.write("Library/Caches/c")
    for name in ["Library/Application Support/locked", "Library/Application Support/b.sqlite", "Library/Caches"] {
      try scratch.setMode(0, of: name)
    }
    try withoutPrivileges {
      let found = try AppContainer(at: scratch.path).found
      #expect(items(found) == ["Application Support": 2, "Library": 1])
      #expect(found.stores.isEmpty && found.leftOut.isEmpty)
    }
    for name in ["Library/Application Support/locked", "Library/Caches"] { try scratch.setMode(0o700, of: name) }
  }
}
