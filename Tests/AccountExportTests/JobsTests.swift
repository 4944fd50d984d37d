import Files
import Synchronization
import TestSupport
import Testing

@testable import AccountExport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// However many threads deflate, a bundle is the same.
@Suite struct JobsTests {
  /// Documents of all sizes: none, one byte, chunks and a byte more or less, thousands of small ones, some that stream.
  private struct Shapes: ExportSource {
    let name = "documents/Shapes"
    let kind = "documents"

    private static let text = filled { UInt8(truncatingIfNeeded: $0 % 97 + $0 / 97 % 100) }
    private static let noise = filled { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11 ^ $0 >> 3) }

    /// Bytes for the largest document, and a block that repeats itself: an array is slow to fill one by one in a debug build.
    private static func filled(_ byte: (Int) -> UInt8) -> [UInt8] {
      let block = (0..<40_009).map(byte)
      var bytes: [UInt8] = []
      while bytes.count < 3 << 20 { bytes += block }
      return bytes
    }

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      let mebibyte = 1 << 20
      for size in [0, 1, 65_535, 65_536, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte, 5 * mebibyte / 2] {
        for isEven in [false, true] { try await document("\(size) \(isEven)", size, isEven: isEven, &writer) }
      }
      for number in 0..<2000 { try await document("small \(number)", number % 500, isEven: number % 7 == 0, &writer) }
    }

    private func document(_ name: String, _ size: Int, isEven: Bool, _ writer: inout EntryWriter) async throws {
      var description = DocumentDescription(path: PathBytes(name), kind: .file)
      description.size = UInt64(size)
      description.isCompressed = name.hasSuffix("9")
      let bytes = isEven ? Self.noise : Self.text
      try await writer.document(description) { content in
        for start in stride(from: 0, to: size, by: 200_000) {
          try await Array(bytes[start..<min(start + 200_000, size)]).withContiguousBytes { try await content.write($0) }
        }
      }
    }
  }

  /// A collection of many chunks, in which what is far back is masked later: by the name beside it, and as a row that is taken back.
  private struct Rewritten: ExportSource {
    let name = "records/Rewritten"
    let kind = "test"

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      try await writer.collection(CollectionDescription("rows", columns: [.init("value"), .init("key")])) { records in
        for number in 0..<60 {
          let value = [UInt8](repeating: UInt8(ascii: "a") + UInt8(number % 26), count: number % 20 == 0 ? 300_000 : 30_000)
          try records.row { row in
            value.withUnsafeBufferPointer { row.text($0) }
            row.text(number % 40 == 0 ? "session_token" : "colour")
          }
          do {
            try records.row { row in
              value.withUnsafeBufferPointer { row.text($0) }
              if number % 10 == 0 { throw Planned("taken back") }
              row.null()
            }
          } catch is Planned { continue }
        }
      }
    }
  }

  private static let sources: [any ExportSource] = [
    Shapes(), Rewritten(), ExportResourcesTests.Noise(rows: 4000), EverythingSource(), EverythingDocuments(),
  ]

  private static func request(_ jobs: Int, _ level: CompressionLevel = .fast) -> ExportRequest {
    var request = ExportRequest.fixed
    (request.jobs, request.level) = (jobs, level)
    return request
  }

  private static func bytes(_ request: ExportRequest, threads: Int = 8) async throws -> [UInt8] {
    let sink = TestSink()
    let resources = ExportResources(threads: threads, memory: 256 << 20)
    try await AccountExporter(sources: sources, resources: resources).export(request, into: sink, staging: "/var/tmp")
    #expect(resources.use.memory == 0)
    return sink.bytes
  }

  @Test(arguments: [CompressionLevel.fast, .stored, CompressionLevel(6) ?? .fast]) func sameBytes(_ level: CompressionLevel) async throws {
    let expected = try await Self.bytes(Self.request(1, level))
    for (jobs, threads) in [(2, 8), (4, 1), (8, 3)] {
      #expect(try await Self.bytes(Self.request(jobs, level), threads: threads) == expected, "\(jobs) jobs on \(threads) threads")
    }
    var verifier = try BundleVerifier()
    expected.withBytes { verifier.feed($0) }
    let report = try verifier.finish()
    #expect(report.isIntact, "\(report.problems)")
  }

  /// A sink that fails at any byte ends the export with its own error, whoever is at work then.
  @Test func failingSinks() async throws {
    for limit in [0, 1, 300_000, 1_000_000, 4_000_000, 9_000_000] {
      let sink = TestSink { piece in
        if piece.offset + piece.count > limit { throw ExportError(.noSpace, "the disk is full") }
      }
      let resources = ExportResources(threads: 4, memory: 256 << 20)
      let exporter = AccountExporter(sources: Self.sources, resources: resources)
      let error = await #expect(throws: ExportError.self) {
        try await exporter.export(Self.request(4), into: sink, staging: "/var/tmp")
      }
      #expect(error?.code == .noSpace)
      #expect(resources.use == ExportResources.Use(running: 0, waiting: 0, memory: 0))
    }
  }

  /// Workers take memory only while half of it is left for others.
  @Test func workersLeaveHalfOfTheMemory() async throws {
    let budget = MemoryBudget(bytes: 24 << 20)
    try await budget.withShare(of: 2 << 20, .own) { share in
      let threads = ExportThreads(count: 4)
      defer { threads.end() }
      let workers = try #require(DeflateWorkers(Self.request(8), threads: threads, memory: share))
      // None is done before all were asked for: a worker that is done takes the next.
      let isAsked = Mutex(false)
      let jobs = (0..<8).compactMap { _ in workers.start { _ in while !isAsked.withLock({ $0 }) { usleep(100) } } }
      isAsked.withLock { $0 = true }
      #expect((1...2).contains(jobs.count))
      for job in jobs { _ = try await job.value }
      #expect(budget.use.memory <= 12 << 20)
      await workers.idle()
    }
    #expect(budget.use.memory == 0)
  }
}
