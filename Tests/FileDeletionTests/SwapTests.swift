import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileDeletion

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Somebody swaps files and folders for links and for others while they are deleted: nothing outside is touched, and none of theirs is lost.
@Suite struct SwapTests {
  /// Puts a link, a folder that lies elsewhere, or a new file in the place of what is there, again and again, and counts its own files.
  private final class Swapper: Sendable {
    let path: String
    private let isStopped = Mutex(false)
    private let isDone = Mutex(false)
    private let last = Mutex(0)

    /// Whether nothing was put there again, because it had not begun.
    var hasTakenLast: Bool { last.withLock { $0 } < 3 }

    init(_ tree: Tree) {
      path = tree.folder.url.path
      let thread = Thread { [self] in
        var round = 0
        while !isStopped.withLock({ $0 }) {
          swap(round)
          last.withLock { $0 = round }
          round += 1
        }
        isDone.withLock { $0 = true }
      }
      thread.start()
    }

    private func swap(_ round: Int) {
      let inner = path + "/root/inner", file = path + "/root/z.txt"
      switch round % 4 {
      case 0:
        _ = rename(inner, path + "/outside/taken")
        _ = symlink("../outside", inner)
      case 1:
        _ = unlink(inner)
        _ = rename(path + "/outside/taken", inner)
      case 2:
        // As an editor saves: a new file over the old one. It is this thread's own, and must come out.
        let name = path + "/outside/new-\(round)"
        let made = open(name, O_CREAT | O_WRONLY, 0o600)
        if made >= 0 { close(made) }
        _ = link(name, path + "/saving")
        _ = rename(path + "/saving", file)
      default:
        _ = rename(file, path + "/outside/kept-\(round)")
        _ = symlink("../outside/precious", file)
      }
    }

    func stop() {
      isStopped.withLock { $0 = true }
      while !isDone.withLock({ $0 }) { usleep(100) }
    }
  }

  @Test(arguments: 0..<40) func whileItRuns(_ round: Int) async throws {
    let tree = try Tree()
    let precious = try tree.everythingOutside()
    let step = tree.step()
    let plan = try await step.plan()
    let swapper = Swapper(tree)
    usleep(UInt32(round * 13 % 200))
    _ = try await step.run(plan)
    swapper.stop()
    let after = Set(try tree.everythingOutside())
    #expect(precious.allSatisfy { after.contains($0) })
    // What came after the plan is never removed, not in the moment between looking and removing: the folder has the last of them still.
    let url = tree.folder.url
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path + "/root")
    #expect(names.contains("z.txt") || names.contains { $0.hasPrefix(".account-export-deleting-") } || swapper.hasTakenLast)
  }
}
