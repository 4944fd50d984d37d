import AccountExport
import Files
import PreferencesSource
import Testing

@Suite("Files that were chosen")
struct SelectionTests {
  @Test("only they are exported; the folder's name tells those apart that are called alike")
  func chosen() async throws {
    let scratch = try Scratch()
    for (name, value) in [("own/a.plist", 1), ("own/sub/a.plist", 2), ("own/other.plist", 3), ("synced/a.plist", 4)] {
      try scratch.write("{\"n\": \(value)}", to: name)
    }
    var source = PreferencesSource(files: [])
    source.selections = [
      .init(folder: scratch.path("own"), files: ["a.plist", "sub/a.plist"]),
      .init(folder: scratch.path("synced"), files: ["a.plist"], label: "SyncedPreferences"),
    ]
    let bundle = try await scratch.export(source)
    #expect(bundle.names == ["a-2.json", "a-3.json", "a.json"])
    #expect(bundle.text("a-3.json") == "{\"n\":4}")
    #expect(bundle.omissions.isEmpty)
    let plan = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(plan.items == 3)
    #expect(plan.parts.map(\.name) == ["a.plist", "sub/a.plist", "SyncedPreferences/a.plist"])
  }

  @Test("a link on the way is not followed, and what is gone is named")
  func links() async throws {
    let scratch = try Scratch()
    try scratch.write("{\"n\": 1}", to: "own/a.plist")
    try scratch.write("{\"n\": 2}", to: "outside/b.plist")
    try scratch.link("own/way", to: "../outside")
    try scratch.link("own/b.plist", to: "../outside/b.plist")
    var source = PreferencesSource(files: [])
    source.selections = [.init(folder: scratch.path("own"), files: ["a.plist", "way/b.plist", "b.plist", "gone.plist"])]
    let bundle = try await scratch.export(source)
    #expect(bundle.names == ["a.json"])
    #expect(bundle.omissions.sorted() == ["b.plist: unreadable", "gone.plist: unreadable", "way/b.plist: unreadable"])
  }
}
