import Files
import Foundation
import Testing

/// A folder of a test's own, removed with all that is in it when the test lets it go.
public final class TemporaryFolder: Sendable {
  /// Where it lies.
  public let url: URL

  /// Makes a folder, by default where temporary files go.
  public init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appendingPathComponent("account-export-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { Issue.record("\(url.path) can't be removed: \(error)") }
  }

  /// Its path.
  public var path: PathBytes { PathBytes(url.path) }

  /// The path of a name in it.
  public func path(_ name: String) -> PathBytes { path.appending(PathBytes(name)) }

  /// The names in it, hidden ones too.
  public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

  /// Makes a file with these bytes.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> PathBytes {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// What a file in it holds.
  public func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appendingPathComponent(name))) }
}
