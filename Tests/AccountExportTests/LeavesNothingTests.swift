import Files
import Foundation
import TestSupport
import Testing

@testable import AccountExport

/// An export that is cancelled, or whose stream is dropped, at any moment leaves nothing behind: no descriptor, no thread, no file. Each test
/// has a process of its own, whose descriptors and threads are its alone.
@Suite struct LeavesNothingTests {
  @Test func cancelledFiles() async {
    await #expect(processExitsWith: .success) {
      try await Rounds.run(50) { exporter, folder, random in
        let task = Task { try await exporter.export(.fixed, to: folder.path("data.zip")) }
        for _ in 0..<Int.random(in: 0..<3000, using: &random) { await Task.yield() }
        task.cancel()
        switch await task.result {
        case .success: try FileManager.default.removeItem(at: folder.url.appendingPathComponent("data.zip"))
        case .failure(let error): #expect(error is CancellationError)
        }
      }
    }
  }

  @Test func cancelledStreams() async {
    await #expect(processExitsWith: .success) {
      try await Rounds.run(50) { exporter, folder, random in
        var request = ExportRequest.fixed
        request.temporaryFolder = folder.path
        let stream = exporter.stream(request)
        let task = Task { for try await chunk in stream { #expect(!chunk.isEmpty) } }
        for _ in 0..<Int.random(in: 0..<3000, using: &random) { await Task.yield() }
        task.cancel()
        if case .failure(let error) = await task.result { #expect(error is CancellationError) }
      }
    }
  }

  /// Never begun, begun and dropped, dropped after some chunks.
  @Test func droppedStreams() async {
    await #expect(processExitsWith: .success) {
      try await Rounds.run(50) { exporter, folder, random in
        var request = ExportRequest.fixed
        request.temporaryFolder = folder.path
        let stream = exporter.stream(request)
        let chunks = Int.random(in: -1..<5, using: &random)
        if chunks < 0 { return }
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<chunks where try await iterator.next() == nil { break }
      }
    }
  }

  /// A pipe whose reader stalls, then is waited for no more, or goes away.
  @Test func stalledPipes() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      // The thread that waits for slow readers starts once, and stays.
      let room = Pipe()
      try await OutputReadiness.shared.wait(for: room.fileHandleForWriting.fileDescriptor)
      try await Rounds.run(50) { exporter, folder, random in
        var request = ExportRequest.fixed
        request.temporaryFolder = folder.path
        let (asked, pipe) = (request, Pipe())
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let task = Task { try await exporter.export(asked, streamingTo: descriptor) }
        for _ in 0..<Int.random(in: 0..<3000, using: &random) { await Task.yield() }
        if Bool.random(using: &random) {
          task.cancel()
        } else {
          try pipe.fileHandleForReading.close()
        }
        let result = await task.result
        #expect(throws: (any Error).self, "it wrote more than a pipe holds") { try result.get() }
        guard case .failure(let error) = result else { return }
        #expect(error is CancellationError || (error as? ExportError)?.code == .output)
        try pipe.fileHandleForWriting.close()
        try pipe.fileHandleForReading.close()
      }
    }
  }
}

/// Rounds of exports, after each of which everything must be as before.
private enum Rounds {
  static func run(
    _ count: Int, _ body: (AccountExporter, TemporaryFolder, inout SeededGenerator) async throws -> Void
  ) async throws {
    var random = SeededGenerator(seed: 20_261_130)
    let folder = try TemporaryFolder()
    // The first round starts what stays: Swift's own threads, and the one that waits for slow readers.
    try await round(folder, &random, body)
    let before = descriptors()
    for number in 0..<count {
      try await round(folder, &random, body)
      // What holds one may be a task that has ended and is cleared away only then.
      let deadline = ContinuousClock.now + .seconds(20)
      while descriptors().count > before.count && ContinuousClock.now < deadline { usleep(2000) }
      let after = descriptors()
      // Their number: some are passed on to this process, and what they lead to may be renamed or removed by others.
      try #require(after.count == before.count, "after round \(number) there are \(after), before \(before)")
    }
    // Threads end when their resources go, each in its own time.
    for _ in 0..<20_000 where threads() > 0 { usleep(500) }
    #expect(threads() == 0)
  }

  private static func round(
    _ folder: TemporaryFolder, _ random: inout SeededGenerator,
    _ body: (AccountExporter, TemporaryFolder, inout SeededGenerator) async throws -> Void
  ) async throws {
    let resources = ExportResources(threads: 3, memory: Int.random(in: 0...96, using: &random) << 20)
    let sources: [any ExportSource] = [ExportResourcesTests.Noise(rows: 12_000), EverythingDocuments(), EverythingSource()]
    try await body(AccountExporter(sources: sources, resources: resources), folder, &random)
    await resources.idle()
    #expect(resources.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
    #expect(try folder.names() == [])
  }

  /// What each open descriptor leads to, but the one that lists them, in the order of the words.
  private static func descriptors() -> [String] {
    do {
      let own = "/proc/self/fd"
      return try FileManager.default.contentsOfDirectory(atPath: own).compactMap { descriptor in
        do { return try FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(descriptor)") } catch CocoaError.fileReadNoSuchFile
        {
          return nil  // the one that listed them
        }
      }.sorted()
    } catch {
      Issue.record(error)
      return []
    }
  }

  /// The exports' own threads, by their name.
  private static func threads() -> Int {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { thread in
        let path = "/proc/self/task/\(thread)/comm"
        // A thread may end between the two looks.
        guard let name = FileManager.default.contents(atPath: path) else { return false }
        return String(decoding: name, as: UTF8.self) == "account-export\n"
      }
    } catch {
      Issue.record(error)
      return -1
    }
  }
}
