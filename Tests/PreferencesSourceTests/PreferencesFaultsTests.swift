import AccountExport
import Files
import Foundation
import PreferencesSource
import Testing

@Suite struct PreferencesFaultsTests {
  @Test func `what can't be read is named, and the others go on`() async throws {
    let scratch = try Scratch()
    try scratch.write("{ a = 1; }", to: "in/good.plist")
    try scratch.write("hello, this is a note", to: "in/notes.txt")
    try scratch.write("{\"secret key\": 1, \"secret key\": 2}", to: "in/sub/twice.json")
    try scratch.write("bplist00", to: "in/cut.plist")
    try scratch.write("", to: "in/empty.plist")
    let bundle = try await scratch.export(scratch.path("in"), scratch.path("nowhere"))
    #expect(bundle.names == ["good.json"])
    #expect(bundle.outcome == .partial)
    #expect(
      bundle.omissions.sorted() == [
        "cut.plist: unreadable", "empty.plist: unreadable", "notes.txt: unreadable", "nowhere: unreadable", "sub/twice.json: unreadable",
      ])
    // What an engineer is told says where and why, and nothing of what is in the files.
    let details = bundle.report.map { "\($0)" }.joined(separator: "\n")
    #expect(details.contains("at byte 8: the list ends too early"))
    #expect(details.contains("a key comes twice") && !details.contains("secret key") && !details.contains("hello"))
  }

  @Test func `where nothing can be read, the source has failed and there is no bundle`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write("x", to: "a.plist")
    for files in [[file], [scratch.path("nowhere")], [file, scratch.path("nowhere")]] {
      let error = await #expect(throws: ExportError.self) { try await scratch.export(PreferencesSource(files: files)) }
      #expect(error?.code == .nothingRead)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["a.plist"])
  }

  @Test func `an empty folder is an account without preferences`() async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(at: scratch.url.appendingPathComponent("in/sub"), withIntermediateDirectories: true)
    let bundle = try await scratch.export(scratch.path("in"))
    #expect(bundle.names.isEmpty && bundle.omissions.isEmpty && bundle.outcome == .complete)
  }

  @Test func `links in a folder are named and not followed, the user's own are`() async throws {
    let scratch = try Scratch()
    try scratch.write("{ a = 1; }", to: "outside/o.plist")
    try scratch.write("{ b = 1; }", to: "in/i.plist")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: scratch.url.path + "/in/l.plist", withDestinationPath: "../outside/o.plist")
    try files.createSymbolicLink(atPath: scratch.url.path + "/in/folder", withDestinationPath: "../outside")
    try files.createSymbolicLink(atPath: scratch.url.path + "/mine", withDestinationPath: "in")
    #expect(mkfifo(scratch.url.path + "/in/pipe", 0o600) == 0)
    let bundle = try await scratch.export(scratch.path("mine"))
    #expect(bundle.names == ["i.json"])
    #expect(bundle.omissions.sorted() == ["folder: unreadable", "l.plist: unreadable", "pipe: special"])
    #expect(bundle.outcome == .partial)
  }

  @Test func `a file beyond the limit is named`() async throws {
    let scratch = try Scratch()
    let small = try scratch.write("{ a = 1; }", to: "small.plist")
    let large = try scratch.write("{ a = \"\(String(repeating: "x", count: 1000))\"; }", to: "large.plist")
    var source = PreferencesSource(files: [small, large])
    source.largestFile = 100
    let bundle = try await scratch.export(source)
    #expect(bundle.names == ["small.json"])
    #expect(bundle.omissions == ["large.plist: limit"])
    #expect(bundle.outcome == .partial)
  }

  @Test func `a plan counts files and bytes and opens none`() async throws {
    let scratch = try Scratch()
    try scratch.write("{ a = 1; }", to: "in/a.plist")
    try scratch.write("not opened", to: "in/ByHost/b.plist")
    let single = try scratch.write("(1)", to: "c.plist")
    for depth in [PlanDepth.sizes, .counts] {
      let plan = try await PreferencesSource(files: [scratch.path("in"), single]).plan(for: DataSubject(), depth: depth)
      #expect(plan.items == 3)
      #expect(plan.bytes == 23)
      #expect(plan.parts.map(\.name) == ["ByHost/b.plist", "a.plist", "c.plist"])
    }
    await #expect(throws: FileError.self) {
      try await PreferencesSource(files: [scratch.path("nowhere")]).plan(for: DataSubject(), depth: .sizes)
    }
  }

  @Test func `the same files give the same bytes`() async throws {
    let scratch = try Scratch()
    for number in 0..<20 { try scratch.write("{ a\(number) = <*I\(number)>; password = x; }", to: "in/\(number).plist") }
    var request = ExportRequest()
    request.fixedTime = Timestamp(seconds: 1_796_000_000)
    let source = PreferencesSource(files: [scratch.path("in")])
    var digests: Set<String> = []
    for number in 0..<2 {
      let output = scratch.path("out\(number).zip")
      digests.insert(try await AccountExporter(sources: [source]).export(request, to: output).digest)
    }
    #expect(digests.count == 1)
  }

  @Test func `a list as deep as its limit is whole, a deeper one is named`() async throws {
    let scratch = try Scratch()
    func nested(_ depth: Int) -> String { String(repeating: "(", count: depth) + String(repeating: ")", count: depth) }
    try scratch.write(nested(512), to: "in/deep.plist")
    try scratch.write(nested(513), to: "in/deeper.plist")
    let bundle = try await scratch.export(scratch.path("in"))
    #expect(bundle.text("deep.json") == String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
    #expect(bundle.omissions == ["deeper.plist: unreadable"])
  }
}
