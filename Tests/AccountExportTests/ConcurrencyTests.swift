import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountExport

@Suite struct ConcurrencyTests {
  /// A source that lets others run a given number of times between its rows.
  private struct Paced: ExportSource {
    let name: String
    let kind = "test"
    let yields: Int

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      for part in 0..<5 {
        for _ in 0..<yields { await Task.yield() }
        try await writer.value("part \(part)") { $0.text(String(repeating: name, count: 100 * part)) }
      }
      writer.omit("something", .derived)
    }
  }

  private static func bytes(_ pace: [Int], workers: Int) async throws -> [UInt8] {
    let staging = try TemporaryFolder()
    var request = ExportRequest.fixed
    request.concurrentSources = workers
    (request.limits.waitingEntries, request.limits.waitingBytes, request.limits.block) = (1, 100, 64)
    let sink = TestSink()
    let sources = pace.enumerated().map { Paced(name: "records/\($0)", yields: $1) }
    try await AccountExporter(sources: sources).export(request, into: sink, staging: staging.path)
    return sink.bytes
  }

  @Test func orderIsOfTheSourcesNotOfTheirSpeed() async throws {
    let expected = try await Self.bytes([0, 0, 0, 0], workers: 1)
    for pace in [[0, 50, 0, 50], [200, 0, 0, 0], [0, 0, 0, 200], [30, 20, 10, 0]] {
      for workers in [1, 2, 4, 9] { #expect(try await Self.bytes(pace, workers: workers) == expected) }
    }
  }

  @Test func manyExportsAtOnce() async throws {
    let folder = try TemporaryFolder()
    try await withThrowingTaskGroup(of: ExportReceipt.self) { group in
      for number in 0..<12 {
        group.addTask {
          try await AccountExporter(sources: [EverythingSource(), EverythingDocuments(), NeighbourSource("records/N")])
            .export(.fixed, to: folder.path("\(number).zip"))
        }
      }
      let digests = try await group.reduce(into: Set<String>()) { $0.insert($1.digest) }
      #expect(digests.count == 1, "exports at once are not the same")
    }
    #expect(try folder.names().count == 12)
    _ = try CheckedBundle(folder.path("7.zip"))
  }

  @Test func severalToOnePathAtOnce() async throws {
    let folder = try TemporaryFolder()
    let won = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do {
            _ = try await AccountExporter(sources: [NeighbourSource("records/N")]).export(.fixed, to: folder.path("data.zip"))
            return true
          } catch {
            #expect((error as? ExportError)?.code == .outputExists)
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(won == 1)
    #expect(try folder.names() == ["data.zip"])
    _ = try CheckedBundle(folder.path("data.zip"))
  }

  /// Exports whose consumers read nothing hold threads of their own, never those of Swift's pool.
  @Test func stalledConsumersLeaveThePoolAlone() async throws {
    let pipes = (0..<8).map { _ in Pipe() }
    let exports = pipes.map { pipe in
      Task {
        try await AccountExporter(sources: [NeighbourSource("records/N"), Bulk()])
          .export(.fixed, streamingTo: pipe.fileHandleForWriting.fileDescriptor)
      }
    }
    // Each would wait for the pool if anything in it were blocked; none would ever end.
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<1000 {
        group.addTask {
          await Task.yield(); return number
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 499_500)
    // Nor does another export have to wait for them.
    let folder = try TemporaryFolder()
    _ = try await AccountExporter(sources: [NeighbourSource("records/N")]).export(.fixed, to: folder.path("data.zip"))
    for pipe in pipes { Self.drain(pipe) }
    for (export, pipe) in zip(exports, pipes) {
      #expect(try await export.value.outcome == .complete)
      try pipe.fileHandleForWriting.close()
    }
  }

  /// Reads a pipe to its end, on a thread of its own.
  private static func drain(_ pipe: Pipe) {
    Thread.detachNewThread {
      do { while try pipe.fileHandleForReading.read(upToCount: 1 << 16)?.isEmpty == false {} } catch { Issue.record(error) }
    }
  }

  /// More than a pipe holds.
  private struct Bulk: ExportSource {
    let name = "records/Bulk"
    let kind = "test"

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      var random = SeededGenerator(seed: 1)
      try await writer.collection(CollectionDescription("bulk", columns: [.init("n")])) { records in
        for _ in 0..<50_000 { try records.row { $0.unsigned(random.next()) } }
      }
    }
  }

  // MARK: Failures

  /// What a source may not read is its own trouble, whatever error it tells it by.
  @Test(arguments: ["notPermitted", "badInput", "configuration"]) func errorsOfOneSource(_ code: String) async throws {
    struct Denied: ExportSource {
      let name = "records/Denied"
      let kind = "test"
      let code: ExportError.Code
      func export(for subject: DataSubject, into writer: inout EntryWriter) async throws { throw ExportError(code, "this may not be read") }
    }
    let codes: [String: ExportError.Code] = [
      "notPermitted": .notPermitted, "badInput": .badInput, "configuration": .configuration,
    ]
    let folder = try TemporaryFolder()
    let exporter = AccountExporter(sources: [Denied(code: try #require(codes[code])), NeighbourSource("records/N")])
    let receipt = try await exporter.export(.fixed, to: folder.path("data.zip"))
    #expect(receipt.outcome == .partial)
    #expect(exporter.report.map(\.message) == ["this may not be read"])
    let manifest = try CheckedBundle(folder.path("data.zip")).text("datapackage.json")
    #expect(!manifest.contains("may not be read"), "technical detail stands in the bundle")
  }

  @Test func everySourceFailed() async throws {
    let folder = try TemporaryFolder()
    let sources = ["A", "B"].map { ThrowingNeighbour(name: "records/" + $0) }
    let error = await #expect(throws: ExportError.self) {
      try await AccountExporter(sources: sources).export(.fixed, to: folder.path("data.zip"))
    }
    #expect(error?.code == .nothingRead)
    #expect(try folder.names() == [])
  }

  private struct ThrowingNeighbour: ExportSource {
    let name: String
    let kind = "test"
    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws { throw Planned("\(name) is locked") }
  }

  @Test func nothingToExport() async throws {
    let folder = try TemporaryFolder()
    let error = await #expect(throws: ExportError.self) {
      try await AccountExporter(sources: []).export(.fixed, to: folder.path("data.zip"))
    }
    #expect(error?.code == .configuration)
    #expect(try folder.names() == [])
  }

  /// A source that calls an interruption by another name ends the export as cancelled all the same.
  @Test func interruptedSource() async throws {
    struct Interrupted: ExportSource {
      let name = "records/Interrupted"
      let kind = "test"
      func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
        withUnsafeCurrentTask { $0?.cancel() }
        throw Planned("the store was interrupted")
      }
    }
    let folder = try TemporaryFolder()
    await #expect(throws: CancellationError.self) {
      try await AccountExporter(sources: [Interrupted()]).export(.fixed, to: folder.path("data.zip"))
    }
    #expect(try folder.names() == [])
  }
}
