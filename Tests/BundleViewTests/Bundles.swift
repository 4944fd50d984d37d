import Files
import Foundation
import TestSupport
import Testing

@testable import AccountExport
@testable import BundleView

/// A source that pushes what a test says.
struct PushingSource: ExportSource {
  var name = "records/Test"
  let kind = "test"
  let push: @Sendable (inout EntryWriter) async throws -> Void

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws { try await push(&writer) }
}

/// A bundle with a view, unpacked.
struct ViewedBundle {
  let bundle: CheckedBundle

  init(
    _ sources: [any ExportSource], request: ExportRequest = .fixed, options: ViewOptions = ViewOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let place = try TemporaryFolder()
    let path = place.path.appending("data.zip")
    _ = try await AccountExporter(sources: sources, pages: .view(options)).export(request, to: path)
    bundle = try CheckedBundle(path, sourceLocation: sourceLocation)
  }

  /// All pages by their paths.
  var pages: [String: String] {
    get throws {
      var pages: [String: String] = [:]
      for path in try bundle.files() where path == "index.html" || (path.hasPrefix("view/") && path.hasSuffix(".html")) {
        pages[path] = try bundle.text(path)
      }
      return pages
    }
  }

  /// The names of the columns of a page's table, in their order.
  static func columns(of page: String) -> [String] { page.matches(of: #/<th scope="col" title="([^"]*)"/#).map { String($0.1) } }

  /// A page without its style and scripts.
  func page(_ path: String) throws -> String { try PageText.withoutAssets(bundle.text(path)) }
}

/// Room for an index, below a folder that is gone with it.
struct Scratch {
  private let place: TemporaryFolder
  let room: PageScratch

  init() throws {
    place = try TemporaryFolder()
    room = PageScratch(staging: try StagingFolder(in: place.path))
  }
}
