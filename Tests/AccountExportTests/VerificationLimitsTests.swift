import Files
import TestSupport
import Testing

@testable import AccountExport

/// What a bundle may ask of whoever checks it, and when nothing that still comes can matter.
@Suite struct VerificationLimitsTests {
  /// A document that shrinks to almost nothing.
  private struct Zeros: ExportSource {
    let name = "documents/Zeros"
    let kind = "documents"

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      var description = DocumentDescription(path: "zeros", kind: .file)
      description.size = 3 << 20
      try await writer.document(description) { content in
        let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 << 20, alignment: 16)
        defer { zeros.deallocate() }
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        try await content.write(UnsafeRawBufferPointer(zeros))
      }
    }
  }

  private static func bundle() async throws -> [UInt8] {
    let staging = try TemporaryFolder()
    let sink = TestSink()
    try await AccountExporter(sources: [EverythingSource(), Zeros()]).export(.fixed, into: sink, staging: staging.path)
    return sink.bytes
  }

  private static func verify(_ bytes: [UInt8], _ limits: VerificationLimits) throws -> VerificationReport {
    var verifier = try BundleVerifier(limits: limits)
    bytes.withBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 10_000) {
        verifier.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 10_000, bytes.count)]))
      }
    }
    return try verifier.finish()
  }

  @Test func theDefaultsLetItThrough() async throws {
    #expect(try await Self.verify(Self.bundle(), VerificationLimits()).problems == [])
  }

  @Test(arguments: [
    (Limit.entries(10), "more than 10 entries"), (.pathBytes(50), "a path of "),
    (.unpackedBytes(1 << 20), "more than 1048576 bytes in all"), (.ratio(100), "more than 100 times larger"),
    (.heldBytes(300), "more of its own files than this check may keep"),
  ])
  func whatExceedsALimitIsNotReadOn(_ limit: Limit, _ expected: String) async throws {
    var limits = VerificationLimits()
    switch limit {
    case .entries(let value): limits.entries = value
    case .pathBytes(let value): limits.pathBytes = value
    case .unpackedBytes(let value): limits.unpackedBytes = value
    case .ratio(let value): limits.ratio = value
    case .heldBytes(let value): limits.heldBytes = value
    }
    let bundle = try await Self.bundle()
    let report = try Self.verify(bundle, limits)
    #expect(!report.isIntact)
    #expect(report.problems.last?.contains(expected) == true, "\(report.problems)")
    #expect(report.bytes == UInt64(bundle.count))
  }

  enum Limit: Sendable {
    case entries(Int), pathBytes(Int), unpackedBytes(UInt64), ratio(UInt64), heldBytes(Int)
  }

  @Test func decidedWhereNothingMoreCounts() async throws {
    var verifier = try BundleVerifier()
    [0, 0, 0].withBytes { verifier.feed($0) }
    var isDecided = verifier.isDecided
    #expect(!isDecided, "three bytes may begin a ZIP, for all that is known")
    [0].withBytes { verifier.feed($0) }
    isDecided = verifier.isDecided
    #expect(isDecided)
    let report = try verifier.finish(wasCutShort: true)
    #expect(report.digest == "" && !report.isIntact && report.entries == 0)

    verifier = try BundleVerifier()
    let bundle = try await Self.bundle()
    bundle.withBytes { verifier.feed($0) }
    isDecided = verifier.isDecided
    #expect(!isDecided)
    [0].withBytes { verifier.feed($0) }
    isDecided = verifier.isDecided
    #expect(isDecided)
    let whole = try verifier.finish()
    #expect(whole.digest.count == 64)
  }
}
