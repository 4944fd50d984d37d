import AccountDeletion
import AccountExport
import DocumentsSource
import Files
import Foundation
import TestSupport
import Testing

@testable import FileDeletion

/// Files are deleted as they were planned, and nothing else is.
@Suite struct FilesStepTests {
  @Test func allThatWasExportedGoes() async throws {
    let tree = try Tree()
    let outside = try tree.everythingOutside()
    let step = tree.step()
    let plan = try await step.plan()
    #expect(
      plan.removed == [StepCount("files", 5, bytes: 25), StepCount("folders", 3), StepCount("links", 2), StepCount("special files", 1)])
    #expect(plan.retained.isEmpty && plan.unreachable.isEmpty)
    let exported = try await DocumentsSource(tree.root).plan(for: DataSubject(), depth: .counts)
    #expect(exported.items == plan.removed.reduce(0) { $0 + $1.count } && exported.bytes == 25)
    await #expect(throws: DeletionError.self) { try await step.verify(plan) }
    let outcome = try await step.run(plan)
    try await step.verify(plan)
    #expect(outcome.removed == plan.removed && outcome.retained.isEmpty && outcome.messages.isEmpty && outcome.byHand.isEmpty)
    #expect(try tree.names() == [] && tree.everythingOutside() == outside)
    // Once more is no harm, and tells the same.
    #expect(try await step.run(plan) == outcome)
  }

  @Test func whatTheExportLeavesOutStays() async throws {
    let tree = try Tree()
    try tree.write("a bundle", to: "root/old.zip")
    try Data(Self.bundleHead).write(to: tree.folder.url.appendingPathComponent("root/old.zip"))
    var choice = FileChoice()
    choice.exclude = IgnorePatterns(lines: ["*.log"])
    let step = tree.step(choice)
    try tree.write("x", to: "root/inner/a.log")
    let plan = try await step.plan()
    #expect(plan.retained.map(\.count) == [1, 1])
    let outcome = try await step.run(plan)
    #expect(try tree.names() == ["inner", "inner/a.log", "old.zip"])
    #expect(outcome.retained.map(\.count) == [1, 1, 1] && outcome.byHand.count == 1)
    try await step.verify(plan)
  }

  static let bundleHead = Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 26) + Array("account-export-20261201T000000Z/x".utf8)

  /// Each thing that isn't as it was planned stays as it is.
  @Test(arguments: ["rewritten", "replaced", "same-size", "linked", "folder"]) func whatHasChangedStays(_ way: String) async throws {
    let tree = try Tree()
    let step = tree.step()
    let plan = try await step.plan()
    let file = tree.folder.url.appendingPathComponent("root/inner/b.txt")
    switch way {
    case "rewritten": try tree.write("longer than it was", to: "root/inner/b.txt")
    case "same-size":
      let times = try FileManager.default.attributesOfItem(atPath: file.path)
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Data("BBBBB".utf8))
      try handle.close()
      // Whoever sets the time back can't set back when that was done.
      try FileManager.default.setAttributes([.modificationDate: times[.modificationDate] as Any], ofItemAtPath: file.path)
    case "replaced":
      try FileManager.default.removeItem(at: file)
      try tree.write("bbbbb", to: "root/inner/b.txt")
    case "linked":
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "../../outside/precious")
    default:
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      try tree.write("x", to: "root/inner/b.txt/new")
    }
    try tree.write("x", to: "root/inner/new.txt")
    let outside = try tree.everythingOutside()
    let outcome = try await step.run(plan)
    try await step.verify(plan)
    #expect(try tree.everythingOutside() == outside)
    let more = way == "folder" ? ["inner/b.txt/new"] : []
    #expect(try tree.names() == ["inner", "inner/b.txt"] + more + ["inner/new.txt"])
    #expect(outcome.removed.first == StepCount("files", 4, bytes: 20))
    #expect(outcome.retained.map(\.count) == [1 + more.count, 1, 1])
    #expect(
      outcome.messages.contains("inner/b.txt has changed since the plan") && outcome.messages.contains("inner/new.txt came after the plan"))
  }

  /// A folder that is another by now is not entered, whatever it holds or leads to.
  @Test(arguments: [false, true]) func folderThatWasSwapped(_ byLink: Bool) async throws {
    let tree = try Tree()
    let step = tree.step()
    let plan = try await step.plan()
    let inner = tree.folder.url.appendingPathComponent("root/inner")
    try FileManager.default.moveItem(at: inner, to: tree.folder.url.appendingPathComponent("outside/moved"))
    if byLink {
      try FileManager.default.createSymbolicLink(atPath: inner.path, withDestinationPath: "../outside/moved")
    } else {
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
      try tree.write("bbbbb", to: "root/inner/b.txt")
    }
    let outside = try tree.everythingOutside()
    _ = try await step.run(plan)
    #expect(try tree.everythingOutside() == outside)
    #expect(try tree.names() == (byLink ? ["inner"] : ["inner", "inner/b.txt"]))
  }

  @Test func rootThatIsAnotherByNow() async throws {
    let tree = try Tree()
    let step = tree.step()
    let plan = try await step.plan()
    let root = tree.folder.url.appendingPathComponent("root")
    try FileManager.default.moveItem(at: root, to: tree.folder.url.appendingPathComponent("moved"))
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
    try tree.write("x", to: "root/a.txt")
    await refused("another folder") { try await step.run(plan) }
    #expect(try tree.names() == ["a.txt"])
  }

  @Test func namesElsewhereAreTold() async throws {
    let tree = try Tree()
    let url = tree.folder.url
    try FileManager.default.linkItem(at: url.appendingPathComponent("root/a.txt"), to: url.appendingPathComponent("outside/a.txt"))
    try FileManager.default.linkItem(at: url.appendingPathComponent("root/inner/b.txt"), to: url.appendingPathComponent("root/again"))
    let step = tree.step()
    let plan = try await step.plan()
    #expect(plan.unreachable.map(\.count) == [1])
    let outcome = try await step.run(plan)
    #expect(outcome.removed == plan.removed && outcome.unreachable == plan.unreachable)
    #expect(try tree.names() == [] && FileManager.default.fileExists(atPath: url.appendingPathComponent("outside/a.txt").path))
  }

  // MARK: Stores

  @Test func aWholeStore() async throws {
    let tree = try Tree()
    for name in ["Notes.sqlite", "Notes.sqlite-wal", "Notes.sqlite-shm", "Notes.sqlite2", "Notes", "-wal"] {
      try tree.write("x", to: "root/" + name)
    }
    try FileManager.default.createDirectory(
      at: tree.folder.url.appendingPathComponent("root/.Notes_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
    try tree.write("x", to: "root/.Notes_SUPPORT/_EXTERNAL_DATA/1")
    let step = FilesStep(store: tree.root.appending("Notes.sqlite"), named: "Notes", protected: tree.protected)
    let before = try tree.names()
    let plan = try await step.plan()
    #expect(plan.removed == [StepCount("files", 4, bytes: 4), StepCount("folders", 2)])
    _ = try await step.run(plan)
    try await step.verify(plan)
    #expect(try tree.names() == before.filter { !$0.hasPrefix("Notes.sqlite-") && $0 != "Notes.sqlite" && !$0.hasPrefix(".Notes_SUPPORT") })
  }

  /// A log without its database is lost, and a database without its log, too: one that is in use is kept whole.
  @Test(arguments: ["Notes.sqlite"]) func aStoreThatIsUsed(_ name: String) async throws {
    let tree = try Tree()
    for name in ["Notes.sqlite", "Notes.sqlite-wal"] { try tree.write("x", to: "root/" + name) }
    let step = FilesStep(store: tree.root.appending("Notes.sqlite"), named: "Notes", protected: tree.protected)
    let (before, plan) = (try tree.names(), try await step.plan())
    try tree.write("changed", to: "root/" + name)
    await refused("the store has changed") { try await step.run(plan) }
    #expect(try tree.names() == before)
  }

  private static let root = "d 1 2 3 4 5 6 7 - - /"

  @Test(arguments: [
    "", "f 1", "f 1 2 3 4 5 6 7 8 9 /a", "\(root)\nf 1 2 3 4 5 6 7 - - /%0", "\(root)\nf 1 2 3 4 5 6 7 - - /../a",
    "\(root)\nf 1 2 3 4 5 6 7 - - //a",
    "\(root)\nf 1 2 3 4 5 6 7 - - /a/..", "\(root)\nf 1 2 3 4 5 6 7 - - /a/./b", "\(root)\nx 1 2 3 4 5 6 7 - - /a", "\(root)x",
  ])
  func noList(_ text: String) { #expect(ThingList(text) == nil) }

  @Test func aListIsReadAsItWasWritten() async throws {
    let tree = try Tree()
    let list = try #require(ThingList(try await tree.step().plan().detail))
    #expect(list.text == (try await tree.step().plan().detail) && list.things.count == 11)
    #expect(list.things.contains { $0.path == "inner/ü %\n.txt" })
  }
}

func refused<Result>(
  _ words: String, _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
) async {
  await #expect(sourceLocation: location) { _ = try await body() } throws: { error in
    (error as? DeletionError)?.message.contains(words) == true
  }
}
