import AccountDeletion
import Files
import Foundation
import TestSupport
import Testing

@testable import FileDeletion

/// Roots that more than one account lives in, and ways to make one of them, are refused, and nothing is lost.
@Suite struct HostileRootTests {
  private static func everything(_ tree: Tree) throws -> [String] { try tree.everythingOutside() + tree.names() }

  @Test(arguments: [
    ("home", "is, or contains"), ("home/.config", "is, or contains"), (".", "has . in it"), ("root/..", "has .. in it"),
    ("root/../home", "has .. in it"), ("state", "is, or contains"), ("state/inner", "lies in"), ("linked", "leads through the link"),
    ("linked/inner", "leads through the link"), ("root/a.txt", "can't be opened"), ("gone", "can't be opened"),
    ("above", "is, or contains"),
  ])
  func refusedBelow(_ name: String, _ words: String) async throws {
    let tree = try Tree()
    for folder in ["home/.config", "state/inner", "above/other-home"] {
      try FileManager.default.createDirectory(at: tree.folder.url.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(atPath: tree.folder.url.path + "/linked", withDestinationPath: "root")
    let before = try Self.everything(tree)
    let protected = ProtectedFolders(
      homes: [tree.folder.path("home"), tree.folder.path("above/other-home")], closed: [tree.folder.path("state")])
    let step = FilesStep(tree.folder.path(name), named: "x", protected: protected)
    await refused(words) { try await step.plan() }
    // Nor is it done with a plan that was made of something else.
    let plan = try await tree.step().plan()
    await #expect(throws: DeletionError.self) { try await step.run(plan) }
    #expect(try Self.everything(tree) == before)
  }

  @Test(arguments: ["/", "//", "/tmp", "/tmp/", "/etc", "/home", "relative", "", "/usr/lib", "/var/lib", "/proc/self", "/usr/../tmp/x"])
  func refusedAnywhere(_ path: String) async throws {
    let step = FilesStep(PathBytes(path), named: "x", protected: ProtectedFolders(homes: [], closed: []))
    await #expect(throws: DeletionError.self) { try await step.plan() }
  }

  @Test func ownHome() async throws {
    let home = PathBytes(FileManager.default.homeDirectoryForCurrentUser.path)
    let step = FilesStep(home, named: "x", protected: .current(closed: []))
    await #expect(throws: DeletionError.self) { try await step.plan() }
  }

  /// A state folder that is reached by a link in the root lies elsewhere, and would be lost all the same.
  @Test func stateBehindALink() async throws {
    let tree = try Tree()
    try FileManager.default.createSymbolicLink(atPath: tree.folder.url.path + "/root/state", withDestinationPath: "../state")
    let protected = ProtectedFolders(homes: [], closed: [tree.root.appending("state")])
    await refused("contains") { try await FilesStep(tree.root, named: "x", protected: protected).plan() }
  }

  /// A second name of what must not go.
  @Test func closedFileUnderAnotherName() async throws {
    let tree = try Tree()
    try FileManager.default.linkItem(atPath: tree.folder.url.path + "/outside/precious", toPath: tree.folder.url.path + "/root/again")
    let protected = ProtectedFolders(homes: [], closed: [tree.folder.path("outside/precious")])
    await refused("another name") { try await FilesStep(tree.root, named: "x", protected: protected).plan() }
  }

  @Test(arguments: ["../precious", "state/key", "..", ""]) func storesThatAreNone(_ name: String) async throws {
    let tree = try Tree()
    let before = try Self.everything(tree)
    let store = name == "state/key" ? tree.folder.path(name) : tree.root.appending(PathBytes(name))
    await #expect(throws: DeletionError.self) { try await FilesStep(store: store, named: "x", protected: tree.protected).plan() }
    #expect(try Self.everything(tree) == before)
  }
}

/// Mounts, which only the superuser can make.
@Suite(.serialized, .enabled(if: Mount.isPossible, "no file system can be mounted here")) struct MountedRootTests {
  @Test func theRootItself() async throws {
    let tree = try Tree()
    let mount = try Mount(at: tree.folder.url.path + "/root/inner")
    let step = FilesStep(tree.root.appending("inner"), named: "x", protected: tree.protected)
    await refused("is where a file system is mounted") { try await step.plan() }
    _ = mount
  }

  /// By another device, and by the same: a folder that is bound there, or a file.
  @Test(arguments: ["tmpfs", "bind", "file"]) func insideTheRoot(_ kind: String) async throws {
    let tree = try Tree()
    let path = tree.folder.url.path
    let step = tree.step()
    let plan = try await step.plan()
    let (before, outside) = (try tree.names(), try tree.everythingOutside())
    do {
      let mount =
        switch kind {
        case "tmpfs": try Mount(at: path + "/root/inner")
        case "bind": try Mount(at: path + "/root/inner", binding: path + "/outside")
        default: try Mount(at: path + "/root/inner/b.txt", binding: path + "/outside/precious")
        }
      if kind == "tmpfs" { try tree.write("x", to: "root/inner/theirs") }
      await refused("another file system is mounted at \(path)/root/inner") { try await step.plan() }
      // One that has come after the plan stops it before anything in it, or above it, is touched.
      await refused("another file system is mounted at \(path)/root/inner") { try await step.run(plan) }
      #expect(try kind != "tmpfs" || tree.names().contains("inner/theirs"))
      _ = mount
    }
    #expect(try tree.everythingOutside() == outside)
    #expect(try Set(before.filter { $0.hasPrefix("inner") }).isSubset(of: Set(tree.names())) || kind == "file")
    // Without it, it goes on.
    _ = try await step.run(plan)
    try await step.verify(plan)
    #expect(try tree.everythingOutside() == outside && tree.names() == [])
  }
}

private final class Mount {
  static let isPossible: Bool = {
    do {
      let folder = try TemporaryFolder()
      return try Mount(at: folder.url.path).isMounted
    } catch { return false }
  }()

  let path: String
  let isMounted: Bool

  init(at path: String, binding source: String? = nil) throws {
    self.path = path
    let arguments = source.map { ["--bind", $0, path] } ?? ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]
    isMounted = try runProgram("mount", arguments).status == 0
  }

  deinit {
    if !isMounted { return }
    do {
      let result = try runProgram("umount", [path])
      #expect(result.status == 0, "\(result.output)")
    } catch { Issue.record(error) }
  }
}
