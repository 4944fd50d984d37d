import AccountExport
import Files
import Foundation
import TestSupport
import Testing

@testable import AccountDeletion
@testable import FileDeletion

#if os(Linux)
  /// A process that is killed before any call that changes a file, the journal's included, leaves what another can end: the same as without.
  @Suite struct CrashTests {
    /// A deletion that was agreed, and is due.
    final class Agreed {
      let tree: Tree
      let request: String
      let outside: [String]

      init() async throws {
        // In memory, where nothing waits for a disk: there are some hundreds of runs.
        let memory = URL(filePath: "/dev/shm")
        tree = try FileManager.default.isWritableFile(atPath: memory.path) ? Tree(in: memory) : Tree()
        try tree.write("db", to: "outside/Notes.sqlite")
        try tree.write("log", to: "outside/Notes.sqlite-wal")
        try tree.write("stays", to: "outside/Notes.sqlite2")
        try FileManager.default.linkItem(
          atPath: tree.folder.url.path + "/root/a.txt", toPath: tree.folder.url.path + "/root/inner/again.txt")
        try tree.write(String(repeating: "p", count: 32), to: "pepper")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tree.folder.url.path + "/pepper")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tree.folder.url.path + "/state")
        let state = tree.folder.path("state")
        let journal = try DeletionJournal(in: state)
        _ = try StateFolder(state, creating: false).signer().publicKey
        let agreed = try journal.request("mira", key: "a", grace: try GracePeriod(days: 0))
        let steps = [tree.step(), FilesStep(store: tree.folder.path("outside/Notes.sqlite"), named: "Notes", protected: tree.protected)]
        let plan = try await DeletionRun(journal, steps: steps).plan(for: agreed.id)
        try journal.approve(
          plan, try .withoutExport(for: agreed, confirmation: ExportClearance.confirmationWithoutExport), identity: "password")
        try journal.move(agreed.id, to: .scheduled(until: agreed.deadline))
        request = agreed.id
        outside = try Self.rest(tree)
      }

      static func rest(_ tree: Tree) throws -> [String] {
        try tree.everythingOutside().filter { name in
          !name.hasPrefix("state/deletions.") && !name.hasPrefix("outside/Notes.sqlite:") && !name.hasPrefix("outside/Notes.sqlite-")
        }
      }

      /// Runs it up to a call of the system. Nil where it was killed there; otherwise how many calls there were.
      func run(until call: Int) throws -> Int? {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "deletion-crash").path
        let result = try runProgram(program, [tree.folder.url.path, request, String(call)])
        if result.status == SIGKILL { return nil }
        #expect(result.status == 0, "call \(call): \(result.output)")
        return Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
      }

      /// Ends it, where the last call was not the one that had ended it already.
      func goOn() throws {
        if try DeletionJournal(in: tree.folder.path("state")).request(request).state == .completed { return }
        #expect(try run(until: 0) != nil)
      }

      /// What is there in the end, and what the receipt says of each step.
      func end() throws -> [SignedDeletionReceipt.Step] {
        #expect(try tree.names() == [] && Self.rest(tree) == outside)
        #expect(try tree.folder.names().contains("outside"))
        let names = try FileManager.default.contentsOfDirectory(atPath: tree.folder.url.path + "/outside").sorted()
        #expect(names == ["Notes.sqlite2", "precious"])
        let journal = try DeletionJournal(in: tree.folder.path("state"))
        #expect(try journal.request(request).state == .completed && journal.steps(of: request).isEmpty)
        let key = try #require(try StateFolder(tree.folder.path("state"), creating: false).publicKey())
        let receipt = try #require(try journal.receipt(of: request))
        return try SignedDeletionReceipt(receipt, signedByOneOf: [key]).steps
      }
    }

    static let parts = 4

    @Test(arguments: 0..<parts) func killedBeforeEachCall(_ part: Int) async throws {
      let whole = try await Agreed()
      let calls = try #require(try whole.run(until: 0))
      let steps = try whole.end()
      #expect(steps.map(\.id) == ["files/Notes", "stores/Notes"] && steps[0].outcome.removed.first?.count == 6)
      // The journal's own calls must be met, or nothing is shown.
      #expect(calls > 80, "\(calls) calls")
      for call in stride(from: part + 1, through: calls, by: Self.parts) {
        let agreed = try await Agreed()
        #expect(try agreed.run(until: call) == nil, "call \(call)")
        try agreed.goOn()
        #expect(try agreed.end() == steps, "after call \(call)")
      }
    }

    /// Killed again and again, at moments that a seed chooses.
    @Test(arguments: 1...25) func killedManyTimes(_ seed: UInt64) async throws {
      var random = Steps(state: seed)
      let agreed = try await Agreed()
      for _ in 0..<200 {
        // Once in a while it comes through.
        if try agreed.run(until: Int.random(in: 1...40, using: &random)) != nil { break }
        if random.next() % 6 == 0 { break }
      }
      try agreed.goOn()
      #expect(try agreed.end().map(\.outcome.removed.count) == [4, 1])
    }

    struct Steps: RandomNumberGenerator {
      var state: UInt64
      mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 29)) &* 0x9E37_79B9_7F4A_7C15
      }
    }
  }
#endif
