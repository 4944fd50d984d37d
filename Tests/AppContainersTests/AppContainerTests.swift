import AppContainers
import Files
import Testing

@Suite("Looking through an app's container")
struct AppContainerTests {
  private func documents(_ found: FoundData) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: found.documents.map { ($0.name, $0.items) })
  }

  @Test("every file is one thing, wherever it lies")
  func everything() throws {
    let scratch = try Scratch()
    try scratch.write("Documents/a.txt")
    try scratch.write("Documents/hidden store", storeBytes)
    try scratch.write("Library/Preferences/com.example.notes.plist", "{ a = 1; }".utf8)
    try scratch.write("Library/Preferences/ByHost/com.example.notes.UUID.plist.tmp", "bplist00".utf8)
    try scratch.write("Library/Preferences/lock")
    try scratch.write("Library/SyncedPreferences/com.example.notes.plist", "bplist00".utf8)
    try scratch.write("Library/Application Support/Notes.sqlite", storeBytes)
    try scratch.write("Library/Application Support/Notes.sqlite-wal", logBytes)
    try scratch.write("Library/Application Support/.Notes_SUPPORT/_EXTERNAL_DATA/0")
    try scratch.write("Library/Application Support/.Notes_SUPPORT/other")
    try scratch.write("Library/Application Support/model.bin")
    try scratch.write("Library/WebKit/WebsiteData/LocalStorage/1.localstorage", storeBytes)
    try scratch.write("Library/WebKit/page")
    try scratch.write("Library/Cookies/Cookies.binarycookies", "cook".utf8)
    try scratch.write("Library/Caches/image")
    try scratch.write("Library/Caches/more/image")
    try scratch.write("Library/Else/file")
    try scratch.write("SystemData/file")
    try scratch.write("StoreKit/receipt")
    try scratch.write("tmp/file")
    try scratch.write("Notes.app/Notes")
    let found = try AppContainer(at: scratch.path).found
    #expect(
      found.preferences.map { ([scratch.relative($0.folder)] + $0.files.map(\.display) + [$0.label ?? "-"]).joined(separator: " ") } == [
        "Library/Preferences com.example.notes.plist ByHost/com.example.notes.UUID.plist.tmp -",
        "Library/SyncedPreferences com.example.notes.plist SyncedPreferences",
      ])
    #expect(
      Set(found.stores.map { scratch.relative($0.path) }) == [
        "Documents/hidden store", "Library/Application Support/Notes.sqlite", "Library/WebKit/WebsiteData/LocalStorage/1.localstorage",
      ])
    #expect(found.stores.map(\.isReadable) == [true, true, true])
    let notes = try #require(found.stores.first { $0.name == "Notes" })
    #expect(
      notes.belongings.map(scratch.relative) == [
        "Library/Application Support/Notes.sqlite-wal", "Library/Application Support/.Notes_SUPPORT/_EXTERNAL_DATA",
      ])
    // The lock and Else/file; what lies beside the large values; the receipt.
    #expect(
      documents(found) == ["Documents": 1, "Library": 2, "Application Support": 2, "WebKit": 1, "SystemData": 1, "Container": 1])
    #expect(
      found.leftOut.map { "\($0.shown) \($0.reason) \($0.items)" }.sorted() == [
        "Library/Caches cache 2", "Library/Cookies cookies 1", "Notes.app program 1", "tmp temporary 1",
      ])
  }

  @Test("what the system makes and nobody has filled is nothing to tell of; an empty folder of the user's is")
  func empty() throws {
    let scratch = try Scratch()
    for name in ["Documents", "Library/Preferences", "Library/Caches", "SystemData", "tmp"] { try scratch.makeFolder(name) }
    #expect(try AppContainer(at: scratch.path).found.isEmpty)
    try scratch.makeFolder("Documents/Empty")
    #expect(documents(try AppContainer(at: scratch.path).found) == ["Documents": 1])
  }

  @Test("a container of macOS, and one that Xcode has saved, have their data a folder further in", arguments: ["Data", "AppData"])
  func data(folder: String) throws {
    let scratch = try Scratch()
    try scratch.write("\(folder)/Documents/a.txt")
    try scratch.write("\(folder)/Library/Preferences/a.plist")
    try scratch.write("\(folder)/tmp/a")
    try scratch.link("\(folder)/Desktop", to: "../../../../Desktop")
    try scratch.write("Container.plist")
    let found = try AppContainer(at: scratch.path).found
    #expect(documents(found) == ["Documents": 1, "Container": 2])
    #expect(found.preferences.map(\.files) == [["a.plist"]])
    #expect(found.leftOut.map(\.shown) == ["\(folder)/tmp"])
  }

  @Test("the system's notes and a copied app say which app it is")
  func identity() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("Documents")
    try scratch.writeList(
      ".com.apple.mobile_container_manager.metadata.plist",
      ["MCMMetadataIdentifier": "com.example.notes", "MCMMetadataInfo": ["CFBundleDisplayName": "not this"]])
    try scratch.writeList(
      "Notes.app/Info.plist", ["CFBundleDisplayName": "Notes", "CFBundleShortVersionString": "4.2", "CFBundleIdentifier": "other"])
    let found = try AppContainer(at: scratch.path).found
    #expect(found.app == AppIdentity(name: "Notes", version: "4.2", bundleIdentifier: "com.example.notes"))
  }

  @Test("a broken list says nothing, and is a document like others")
  func brokenIdentity() throws {
    let scratch = try Scratch()
    try scratch.write("com.example.notes/Documents/a")
    try scratch.write("com.example.notes/.com.apple.mobile_container_manager.metadata.plist", "bplist00 and no more".utf8)
    let found = try AppContainer(at: scratch.path("com.example.notes")).found
    // Where nothing else tells, the folder of macOS is called as the app is.
    #expect(found.app == AppIdentity(bundleIdentifier: "com.example.notes"))
    #expect(documents(found) == ["Documents": 1, "Container": 1])
  }

  @Test(
    "a folder is named after its app",
    arguments: [
      ("com.example.notes", "com.example.notes"), ("AppDomain-com.example.notes", "com.example.notes"), ("backup.2026", nil),
      ("com..x", nil),
    ]
      as [(String, String?)])
  func folderNames(folder: String, expected: String?) throws {
    let scratch = try Scratch()
    try scratch.makeFolder("\(folder)/Documents")
    #expect(try AppContainer(at: scratch.path(folder)).found.app.bundleIdentifier == expected)
  }

  @Test("a folder of any other kind is no container")
  func noContainer() throws {
    let scratch = try Scratch()
    try scratch.write("a.txt")
    try scratch.write("Library")
    let error = try #require(throws: DiscoveryError.self) { try AppContainer(at: scratch.path) }
    #expect(error.code == .noContainer)
    let missing = try #require(throws: DiscoveryError.self) { try AppContainer(at: scratch.path("none")) }
    #expect(missing.code == .missing)
  }

  @Test("stores that are called alike are told apart by their folders")
  func names() throws {
    let scratch = try Scratch()
    for name in ["Documents/x/data.db", "Documents/y/data.sqlite", "Documents/other.db"] { try scratch.write(name, storeBytes) }
    #expect(try AppContainer(at: scratch.path).found.stores.map(\.name) == ["other", "Documents x data", "Documents y data"])
  }
}

@Suite("Containers that apps share")
struct GroupContainerTests {
  private let note = ".com.apple.mobile_container_manager.metadata.plist"

  private func names(_ found: FoundData) -> Set<String> { Set(found.documents.map(\.name)) }

  @Test("on macOS, the app's own are found beside its container, and the maker's others are unclaimed")
  func mac() throws {
    let scratch = try Scratch()
    try scratch.write("Containers/com.example.notes/Data/Documents/a")
    for group in [
      "group.com.example.notes", "ABCDE12345.com.example.notes.shared", "ABCDE12345.group.com.example.notes", "group.com.example",
      "ABCDE12345.com.example.tasks", "group.com.example.notesandmore", "group.com.elsewhere.notes",
    ] { try scratch.write("Group Containers/\(group)/file") }
    try scratch.write("Group Containers/group.com.example.notes/Library/Preferences/group.com.example.notes.plist")
    try scratch.write("Group Containers/group.com.example.notes/Library/Caches/c")
    try scratch.write("Group Containers/group.com.example.notes/shared.db", storeBytes)
    let found = try AppContainer(at: scratch.path("Containers/com.example.notes")).found
    #expect(
      names(found) == ["Documents", "group.com.example.notes", "ABCDE12345.com.example.notes.shared", "ABCDE12345.group.com.example.notes"])
    #expect(found.preferences.map(\.label) == ["group.com.example.notes"])
    #expect(found.stores.map(\.name) == ["shared"])
    #expect(
      found.leftOut.map { "\($0.shown) \($0.reason)" }.sorted() == [
        "ABCDE12345.com.example.tasks unclaimed", "group.com.example unclaimed", "group.com.example.notes/Library/Caches cache",
        "group.com.example.notesandmore unclaimed",
      ])
  }

  @Test("on iOS, the system's notes name them")
  func phone() throws {
    let scratch = try Scratch()
    let app = "Data/Application/0A1B", groups = "Shared/AppGroup"
    try scratch.write("\(app)/Documents/a")
    try scratch.writeList("\(app)/\(note)", ["MCMMetadataIdentifier": "com.example.notes"])
    try scratch.writeList("\(groups)/1/\(note)", ["MCMMetadataIdentifier": "group.com.example.notes"])
    try scratch.writeList("\(groups)/2/\(note)", ["MCMMetadataIdentifier": "group.com.elsewhere"])
    let found = try AppContainer(at: scratch.path(app)).found
    #expect(names(found) == ["Documents", "Container", "group.com.example.notes"])
    #expect(found.leftOut.isEmpty)
  }

  @Test("those in the folder that was given are its own")
  func nested() throws {
    let scratch = try Scratch()
    try scratch.write("Documents/a")
    try scratch.write("Group Containers/group.any/Library/Application Support/a.store", storeBytes)
    try scratch.write("Group Containers/group.any/Library/Preferences/p.plist")
    try scratch.write("Group Containers/group.any/tmp/t")
    try scratch.write("Group Containers/group.any/f")
    let found = try AppContainer(at: scratch.path).found
    #expect(names(found) == ["Documents", "group.any"])
    #expect(found.stores.map(\.name) == ["a"])
    #expect(found.preferences.map(\.label) == ["group.any"])
    #expect(found.leftOut.map(\.shown) == ["Group Containers/group.any/tmp"])
  }

  @Test("those that can't be looked into may be the app's")
  func closed() throws {
    let scratch = try Scratch()
    try scratch.write("a/Containers/com.example.notes/Data/Documents/a")
    try scratch.write("a/Group Containers/group.com.example.notes/a")
    try scratch.write("b/Containers/com.example.notes/Data/Documents/a")
    try scratch.write("b/Group Containers/group.com.example.notes/a")
    let closed = ["a/Group Containers", "b/Group Containers/group.com.example.notes"]
    for name in closed { try scratch.setMode(0, of: name) }
    for (name, expected) in [("a", "Group Containers"), ("b", "group.com.example.notes")] {
      try withoutPrivileges {
        let found = try AppContainer(at: scratch.path("\(name)/Containers/com.example.notes")).found
        #expect(found.leftOut.map { "\($0.shown) \($0.reason)" } == ["\(expected) unclaimed"])
      }
    }
    for name in closed { try scratch.setMode(0o700, of: name) }
  }

  @Test("what the app can write itself gives it nobody else's container")
  func claimed() throws {
    let scratch = try Scratch()
    try scratch.write("Containers/evil/Documents/a")
    try scratch.writeList("Containers/evil/Info.plist", ["CFBundleIdentifier": "com"])
    try scratch.write("Containers/com.evil.app/Data/Documents/a")
    try scratch.writeList("Containers/com.evil.app/Data/Info.plist", ["CFBundleIdentifier": "com.bank.vault"])
    try scratch.write("Containers/plain/Documents/a")
    try scratch.writeList("Containers/plain/Info.plist", ["CFBundleIdentifier": "com.bank.vault"])
    try scratch.write("Group Containers/group.com.bank.vault/s.txt")
    try scratch.write("Group Containers/group.com.else/a")
    try scratch.writeList("Group Containers/group.com.else/Info.plist", ["CFBundleIdentifier": "com.evil.app"])
    try scratch.makeFolder("Group Containers/group.com.bank.empty")
    for (name, unclaimed) in [("evil", []), ("com.evil.app", []), ("plain", ["group.com.bank.vault"])] {
      let found = try AppContainer(at: scratch.path("Containers/\(name)")).found
      #expect(names(found).isSubset(of: ["Documents", "Container", "Data"]))
      #expect(found.leftOut.map(\.shown) == unclaimed)
    }
  }

  @Test("one that is given by itself is not found again")
  func given() throws {
    let scratch = try Scratch()
    try scratch.write("Containers/com.example.notes/Data/Documents/a")
    try scratch.write("Group Containers/group.com.example/Library/a")
    let group = scratch.path("Group Containers/group.com.example")
    let app = try AppContainer(at: scratch.path("Containers/com.example.notes"), besides: [group]).found
    #expect(app.leftOut.isEmpty && names(app) == ["Documents"])
    #expect(names(try AppContainer(at: group, isMain: false).found) == ["group.com.example"])
  }
}
