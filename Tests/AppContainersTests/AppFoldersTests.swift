import AppContainers
import Files
import Testing

@Suite("A user's folders of an app")
struct AppFoldersTests {
  private func xdg(_ scratch: Scratch, _ environment: [String: String] = [:]) -> UserFolders {
    UserFolders(home: scratch.path, layout: .xdg) { environment[$0].map { PathBytes($0) } }
  }

  private func left(_ found: FoundData) -> [String] { found.leftOut.map { "\($0.shown) \($0.reason) \($0.items)" }.sorted() }

  @Test(
    "what is no id is refused", arguments: ["", ".", "..", "a/b", "../a", "a..b", "/", "a\nb", "a\0b", String(repeating: "a", count: 300)])
  func ids(id: String) throws {
    let error = try #require(throws: DiscoveryError.self) { try AppFolders.check(id) }
    #expect(error.code == .invalidID)
  }

  @Test("folders and files of the XDG specification; caches are left out")
  func folders() throws {
    let scratch = try Scratch()
    try scratch.write(".config/notes/settings.json")
    try scratch.write(".config/notes/themes/dark.css")
    try scratch.write(".config/notes.conf")
    try scratch.write(".config/notes.json")
    try scratch.write(".config/notesrc")
    try scratch.write(".config/notesother.conf")
    try scratch.write(".local/share/notes/notes.db", storeBytes)
    try scratch.write(".local/share/notes/notes.db-wal", logBytes)
    try scratch.write(".local/share/notes/a.txt")
    try scratch.write(".local/state/notes/log")
    try scratch.write(".cache/notes/c")
    let found = try AppFolders(of: "notes", in: xdg(scratch)).found
    #expect(found.preferences.map { ($0.files) } == [["settings.json"], ["notes.json"]])
    #expect(found.stores.map(\.name) == ["notes"])
    #expect(found.documents.map { "\($0.name) \($0.items)" } == ["config 1", "notes.conf 1", "notesrc 1", "data 1", "state 1"])
    #expect(left(found) == ["~/.cache/notes cache 1"])
  }

  @Test("the environment says where they lie, but no relative path does; one folder is looked through once")
  func environment() throws {
    let scratch = try Scratch()
    try scratch.write("elsewhere/notes/a")
    try scratch.write(".local/state/notes/b")
    let folders = xdg(
      scratch,
      [
        "XDG_CONFIG_HOME": scratch.path("elsewhere").display, "XDG_DATA_HOME": scratch.path("elsewhere").display,
        "XDG_STATE_HOME": "elsewhere",
      ])
    let found = try AppFolders(of: "notes", in: folders).found
    #expect(found.documents.map { scratch.relative($0.path) } == ["elsewhere/notes", ".local/state/notes"])
  }

  @Test("Flatpak's and snap's homes; older revisions are copies")
  func homes() throws {
    let scratch = try Scratch()
    try scratch.write(".var/app/com.example.Notes/config/a.json")
    try scratch.write(".var/app/com.example.Notes/data/n.sqlite", storeBytes)
    try scratch.write(".var/app/com.example.Notes/cache/c")
    try scratch.write("snap/com.example.Notes/common/a")
    try scratch.write("snap/com.example.Notes/7/b")
    try scratch.write("snap/com.example.Notes/6/b")
    try scratch.link("snap/com.example.Notes/current", to: "7")
    let found = try AppFolders(of: "com.example.Notes", in: xdg(scratch)).found
    #expect(found.app.bundleIdentifier == "com.example.Notes")
    #expect(found.preferences.map(\.label) == ["Flatpak"])
    #expect(found.stores.map(\.name) == ["n"])
    #expect(found.documents.map { scratch.relative($0.path) } == ["snap/com.example.Notes/common", "snap/com.example.Notes/7"])
    #expect(left(found) == ["com.example.Notes/cache cache 1", "~/snap/com.example.Notes/6 olderCopy 1"])
  }

  @Test("files that are links, and places where nobody may look, are told")
  func linksAndDenied() throws {
    let scratch = try Scratch()
    try scratch.write("dot/notes.json")
    try scratch.makeFolder(".config")
    try scratch.link(".config/notes.json", to: "../dot/notes.json")
    try scratch.write(".local/share/notes/a")
    try scratch.setMode(0, of: ".local/share")
    try withoutPrivileges {
      let found = try AppFolders(of: "notes", in: xdg(scratch)).found
      #expect(found.documents.isEmpty)
      #expect(left(found) == ["~/.config/notes.json link 1", "~/.local/share/notes unclaimed 1"])
    }
    try scratch.setMode(0o700, of: ".local/share")
  }

  @Test("where the home lies is shown nowhere, however it is spelt; nor where other folders lie")
  func shownPaths() throws {
    let scratch = try Scratch()
    try scratch.write(".cache/notes/c")
    try scratch.write("alice/cache/notes/c")
    let home = PathBytes(scratch.path.bytes + Array("//".utf8))
    #expect(left(try AppFolders(of: "notes", in: UserFolders(home: home, layout: .xdg)).found) == ["~/.cache/notes cache 1"])
    let elsewhere = UserFolders(home: scratch.path("nowhere"), layout: .xdg) { name in
      name == "XDG_CACHE_HOME" ? scratch.path("alice/cache") : nil
    }
    #expect(left(try AppFolders(of: "notes", in: elsewhere).found) == ["…/notes cache 1"])
  }

  @Test("a current revision that isn't there makes no other one an older copy")
  func snapDangling() throws {
    let scratch = try Scratch()
    try scratch.write("snap/notes/7/mine.txt")
    try scratch.link("snap/notes/current", to: "9")
    let found = try AppFolders(of: "notes", in: xdg(scratch)).found
    #expect(found.documents.map { scratch.relative($0.path) } == ["snap/notes"])
    #expect(found.leftOut.isEmpty)
  }

  @Test("a revision that leads out of the snap's home is none")
  func snapLink() throws {
    let scratch = try Scratch()
    try scratch.write("private/a")
    try scratch.write("snap/notes/common/a")
    try scratch.link("snap/notes/current", to: "../../private")
    let found = try AppFolders(of: "notes", in: xdg(scratch)).found
    #expect(found.documents.map { scratch.relative($0.path) } == ["snap/notes/common"])
  }

  @Test("a link in the place of a folder is told, and not followed")
  func links() throws {
    let scratch = try Scratch()
    try scratch.write("dotfiles/notes/a")
    try scratch.makeFolder(".config")
    try scratch.link(".config/notes", to: "../dotfiles/notes")
    #expect(left(try AppFolders(of: "notes", in: xdg(scratch)).found) == ["~/.config/notes link 1"])
  }

  @Test("a folder that is called as the last part of the id may be another's, until the app's name says that it isn't")
  func guesses() throws {
    let scratch = try Scratch()
    try scratch.write(".config/Notes/a")
    let folders = xdg(scratch)
    #expect(left(try AppFolders(of: "com.example.Notes", in: folders).found) == ["~/.config/Notes unclaimed 1"])
    let named = try AppFolders(of: "com.example.Notes", name: "Notes", in: folders).found
    #expect(named.leftOut.isEmpty)
    #expect(named.documents.map(\.name) == ["config"])
  }

  @Test("the desktop's file of settings is told where it may hold the app's")
  func desktop() throws {
    let scratch = try Scratch()
    try scratch.write(".config/dconf/user", "GVariant\0com/\0example/\0notes/\0zoom".utf8)
    let folders = xdg(scratch)
    #expect(left(try AppFolders(of: "com.example.Notes", in: folders).found) == ["~/.config/dconf/user unclaimed 1"])
    #expect(try AppFolders(of: "com.example.Tasks", in: folders).found.isEmpty)
  }

  @Test("~/Library, as macOS has it")
  func library() throws {
    let scratch = try Scratch()
    let id = "com.example.notes"
    try scratch.write("Library/Containers/\(id)/Data/Documents/a")
    try scratch.write("Library/Group Containers/group.\(id)/a")
    try scratch.write("Library/Preferences/\(id).plist")
    try scratch.write("Library/Preferences/\(id).widget.plist")
    try scratch.write("Library/Preferences/\(id)x.plist")
    try scratch.write("Library/Preferences/ByHost/\(id).0A1B.plist")
    try scratch.write("Library/Application Support/\(id)/s.store", storeBytes)
    try scratch.write("Library/Application Support/Notes/a")
    try scratch.write("Library/Saved Application State/\(id).savedState/data.data")
    try scratch.write("Library/Cookies/\(id).binarycookies", "cook".utf8)
    try scratch.write("Library/Caches/\(id)/c")
    let folders = UserFolders(home: scratch.path, layout: .library)
    let found = try AppFolders(of: id, name: "Notes", in: folders).found
    #expect(found.preferences.map { $0.files.map(\.display) } == [["\(id).plist", "\(id).widget.plist"], ["\(id).0A1B.plist"]])
    #expect(found.stores.map(\.name) == ["s"])
    #expect(
      Set(found.documents.map(\.name)) == ["Documents", "group.\(id)", "Application Support", "Saved Application State"])
    #expect(left(found) == ["~/Library/Caches/\(id) cache 1", "~/Library/Cookies/\(id).binarycookies cookies 1"])
  }

  @Test("shared containers are found where the app has none of its own")
  func groupsOnly() throws {
    let scratch = try Scratch()
    try scratch.write("Library/Group Containers/group.com.example.notes/a")
    let found = try AppFolders(of: "com.example.notes", in: UserFolders(home: scratch.path, layout: .library)).found
    #expect(found.documents.map(\.name) == ["group.com.example.notes"])
  }

  @Test("where there is nothing, every place that was looked at is told")
  func nothing() throws {
    let scratch = try Scratch()
    let folders = try AppFolders(of: "notes", in: xdg(scratch))
    #expect(folders.found.isEmpty)
    let hint = try #require(folders.nothingFound().hint)
    for place in [".config/notes", ".local/share/notes", ".local/state/notes", ".cache/notes", ".var/app/notes", "snap/notes"] {
      #expect(hint.contains(scratch.path(place).display))
    }
  }
}
