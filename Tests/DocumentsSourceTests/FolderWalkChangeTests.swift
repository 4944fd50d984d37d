import Files
import Foundation
import Synchronization
import Testing

@testable import DocumentsSource

@Suite("A walk while things change")
struct FolderWalkChangeTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func walk(openLimit: Int = 64) throws -> FolderWalk {
    try FolderWalk(FileDescriptor.folder(scratch.path), openLimit: openLimit)
  }

  private func rename(_ from: PathBytes, _ target: PathBytes) {
    let code = from.withCString { from in target.withCString { renameat(scratch.folder.raw, from, scratch.folder.raw, $0) } }
    #expect(code == 0)
  }

  /// Folders in one another with a file each, deeper than any path may be long.
  private func makeDeep(_ levels: Int) throws {
    var at = try FileDescriptor.folder(scratch.path)
    for _ in 0..<levels {
      _ = try at.creating("z")
      #expect(mkdirat(at.raw, "deep", 0o755) == 0)
      at = try at.folder("deep", shown: "")
    }
  }

  private static func openDescriptors() throws -> Int {
    try FolderListing(of: FileDescriptor.folder("/proc/self/fd")).count
  }

  @Test func goesAsDeepAsFoldersGo() throws {
    try makeDeep(4000)
    for openLimit in [1, 64] {
      var walk = try walk(openLimit: openLimit)
      let before = try Self.openDescriptors()
      var (most, longest, files, folders) = (0, 0, 0, 0)
      while let found = walk.next() {
        longest = max(longest, walk.withPath { path, _ in path.count })
        if case .file = found { files += 1 }
        if case .folder = found { folders += 1 }
        if (files + folders) % 100 == 0 { most = max(most, try Self.openDescriptors()) }
      }
      #expect(files == 4000 && folders == 4000)
      #expect(longest == 4000 * 5 - 1)
      // Other tests run meanwhile and have files open too.
      #expect(most < before + openLimit + 200)
    }
  }

  @Test func findsItsWayBackWhenAFolderMoves() throws {
    try makeDeep(20)
    _ = try scratch.folder.creatingFolder("elsewhere")
    var walk = try walk(openLimit: 2)
    // The folder three levels above is closed by now. It is still the one that was listed, wherever the one below went.
    var moved = false
    let steps = walk.steps { step in
      if step.path.bytes.count == 4 * 5 - 1, !moved {
        moved = true
        rename("deep/deep/deep", "elsewhere/moved")
      }
    }
    #expect(moved)
    // Nothing is told twice, nothing comes from another place, and what can't be reached any more is said.
    #expect(Set(steps).count == steps.count)
    #expect(steps.contains { $0.what == "failed: swapped" } || steps.count { $0.path.lastComponent == "z" } >= 20)
    #expect(steps.contains(WalkStep("z", "file 0")))
  }

  @Test func saysWhatWentAway() throws {
    for name in ["a", "b", "c"] as [PathBytes] { try scratch.write("", to: name) }
    scratch.makeFolder("d")
    var walk = try walk()
    let steps = try walk.steps { step in
      if step.path == "a" {
        try scratch.folder.remove("b")
        try scratch.folder.removeFolder("d")
      }
    }
    #expect(steps.map(\.description) == ["a: file 0", "b: failed: vanished", "c: file 0", "d: failed: vanished"])
  }

  @Test func takesWhatStandsThereNow() throws {
    for name in ["a", "b", "c"] as [PathBytes] { try scratch.write("", to: name) }
    try scratch.write("inside", to: "d/x")
    try scratch.write("inside", to: "e/x")
    var walk = try walk()
    let steps = try walk.steps { step in
      guard step.path == "a" else { return }
      try scratch.folder.remove("b")
      try scratch.link("b", to: "/etc/passwd")
      try scratch.folder.remove("c")
      #expect("c".withCString { mkfifoat(scratch.folder.raw, $0, 0o600) } == 0)
      rename("d", "moved")
      try scratch.link("d", to: "/etc")
      try scratch.folder.folder("e").remove("x")
      try scratch.folder.removeFolder("e")
      try scratch.write("now a file", to: "e")
    }
    #expect(steps.map(\.description) == ["a: file 0", "b: link to /etc/passwd", "c: special", "d: link to /etc", "e: file 10"])
  }

  @Test func nothingFromOutsideEverAppears() throws {
    let outside = try Scratch()
    try outside.write("OUTSIDE", to: "treasure")
    try scratch.write("inside", to: "folder/file")
    try scratch.write("inside", to: "file")
    try scratch.link("link", to: outside.path)
    try scratch.link("treasure", to: outside.path.appending("treasure"))
    let swapper = Swapper(root: scratch.folder.raw)
    Thread.detachNewThread { swapper.run() }
    defer { swapper.end() }
    // A walk that meets a swap shows the link; one that doesn't, the folder. Both must have been there.
    var seen: Set<WalkStep> = []
    for _ in 0..<20_000 {
      var walk = try walk()
      while let found = walk.next() {
        seen.insert(WalkStep(found, at: walk.currentPath))
        guard let file = walk.takeFile() else { continue }
        #expect(try contents(of: file) == Array("inside".utf8))
      }
      if seen.contains(WalkStep("folder", "folder")), seen.contains(WalkStep("folder", "link to \(outside.path)")), swapper.swaps > 20_000 {
        break
      }
    }
    #expect(seen.contains(WalkStep("folder/file", "file 6")) && seen.contains(WalkStep("folder", "link to \(outside.path)")))
    #expect(!seen.contains { $0.path == "folder/treasure" || $0.path == "link/treasure" })
  }
}

/// Exchanges a folder and a file with links that lead outside, as fast as it can.
private final class Swapper: Sendable {
  private let root: CInt
  private let isStopped = Atomic(false)
  private let count = Atomic(0)
  private let done = DispatchSemaphore(value: 0)

  init(root: CInt) { self.root = root }

  var swaps: Int { count.load(ordering: .relaxed) }

  func run() {
    while !isStopped.load(ordering: .relaxed) {
      for (thing, link) in [("folder", "link"), ("file", "treasure")] {
        // There is a moment without: a walk may then say that it vanished.
        for (from, target) in [(thing, "aside"), (link, thing), ("aside", link)] {
          if renameat(root, from, root, target) == 0 { count.add(1, ordering: .relaxed) }
        }
      }
    }
    done.signal()
  }

  /// Ends the thread, and waits for it: the folder is closed then.
  func end() {
    isStopped.store(true, ordering: .relaxed)
    done.wait()
  }
}
