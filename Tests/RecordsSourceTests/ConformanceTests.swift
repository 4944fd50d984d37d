import Files
import Foundation
import TestSupport
import Testing

@testable import RecordsSource

/// What every source must hold to, on the sample account.
@Suite struct ConformanceTests {
  private let sample = PathBytes(
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Samples/container/Library/Application Support/Notes.sqlite").path)

  @Test func theSampleAccountConforms() async throws {
    let sample = sample
    let bundle = try await checkExportSource { RecordsSource(sample) }
    #expect(bundle.top.lastPathComponent.hasPrefix("account-export-"))
  }
}
