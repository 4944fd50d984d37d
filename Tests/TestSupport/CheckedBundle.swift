import Files
import Foundation
import Testing

/// A bundle that was read, checked and unpacked with nothing of this project's own code (`check_bundle.py`).
public struct CheckedBundle: Sendable {
  /// The folder that it was unpacked into.
  private let unpacked: TemporaryFolder
  /// What is wrong with it.
  public let problems: [String]
  /// The bundle's one folder.
  public let top: URL

  /// Reads a bundle. What is wrong with it is recorded as issues of the test.
  public init(_ path: PathBytes, sourceLocation: SourceLocation = #_sourceLocation) throws {
    unpacked = try TemporaryFolder()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("check_bundle.py").path
    let result = try runProgram("python3", [script, "--unpack", unpacked.url.path, path.text ?? path.display])
    problems = result.status == 0 ? [] : result.output.split(separator: "\n").map(String.init)
    for problem in problems { Issue.record("\(problem)", sourceLocation: sourceLocation) }
    top = unpacked.url.appendingPathComponent(try unpacked.names().first ?? "nothing")
  }

  /// The files inside, relative to the bundle's folder, sorted.
  public func files(under folder: String = "") throws -> [String] {
    let found = FileManager.default.enumerator(atPath: top.path)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasPrefix(folder) && !isFolder($0) }.sorted()
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: top.appendingPathComponent(path).path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// A file's bytes.
  public func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: top.appendingPathComponent(path))) }

  /// A file's text.
  public func text(_ path: String) throws -> String {
    try #require(String(validating: try bytes(path), as: UTF8.self), "\(path) is no UTF-8")
  }

  /// A file's JSON, as Foundation reads it.
  public func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(try bytes(path)), options: .fragmentsAllowed)
  }

  /// The rows of a collection, as Foundation reads them.
  public func rows(_ path: String) throws -> [[String: Any]] { try #require(try json(path) as? [[String: Any]], "\(path) has no rows") }

  /// The manifest's object `accountExport`.
  public func accountExport() throws -> [String: Any] {
    let package = try #require(try json("datapackage.json") as? [String: Any])
    return try #require(package["accountExport"] as? [String: Any])
  }
}
