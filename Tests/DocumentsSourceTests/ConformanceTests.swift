import Files
import Foundation
import TestSupport
import Testing

@testable import DocumentsSource

/// What every source must hold to, on the sample account.
@Suite struct ConformanceTests {
  private let sample = PathBytes(
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Samples/container/Documents").path)

  @Test func theSampleAccountConforms() async throws {
    let sample = sample
    let folder = try TemporaryFolder()
    let bundle = try await checkExportSource(empty: { DocumentsSource(folder.path) }) { DocumentsSource(sample) }
    #expect(bundle.top.lastPathComponent.hasPrefix("account-export-"))
  }
}
