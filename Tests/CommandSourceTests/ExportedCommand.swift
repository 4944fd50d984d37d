import AccountExport
import CommandSource
import Files
import Foundation
import TestSupport
import Testing
import ZipArchive

/// What an export makes of a program.
struct ExportedCommand {
  /// The bytes of each entry by its path below the top folder.
  private(set) var entries: [String: [UInt8]] = [:]
  private(set) var manifest: ExportManifest
  /// Technical detail, as `path: message`.
  let report: [String]

  /// A program of the shell as a source.
  static func source(_ script: String, writing output: CommandSource.Output = .records) -> CommandSource {
    CommandSource(["/bin/sh", "-c", PathBytes(script)], named: "Test", writing: output)
  }

  /// A program that writes these bytes.
  static func source(writing text: String) -> CommandSource { CommandSource(["printf", "%s", PathBytes(text)], named: "Test") }

  /// Exports a source beside another one, so that there is a bundle if it fails.
  init(_ source: CommandSource, _ request: ExportRequest = .fixed) async throws {
    let folder = try TemporaryFolder()
    let exporter = AccountExporter(sources: [source, NeighbourSource("records/Neighbour")])
    let receipt = try await exporter.export(request, to: folder.path("data.zip"))
    #expect(try folder.names() == ["data.zip"], "something is left beside the bundle")
    manifest = receipt.manifest
    report = exporter.report.map { "\($0.path): \($0.message)" }
    let bytes = Array(try Data(contentsOf: folder.url.appendingPathComponent("data.zip")))
    var reader = try ZipStreamReader.make()
    var name = ""
    var found: [String: [UInt8]] = [:]
    try bytes.withUnsafeBytes { bytes in
      try reader.feed(bytes) { event in
        if case .entry(let header) = event {
          let path = String(decoding: header.path, as: UTF8.self)
          name = String(path[path.index(after: path.firstIndex(of: "/") ?? path.startIndex)...])
          found[name] = []
        }
        if case .content(let piece) = event { found[name]! += piece }
      }
    }
    try reader.finish()
    entries = found
  }

  /// Exports what a program of the shell writes.
  init(_ script: String, writing output: CommandSource.Output = .records) async throws {
    try await self.init(Self.source(script, writing: output))
  }

  /// Exports these lines.
  init(lines: [String]) async throws { try await self.init(Self.source(writing: lines.joined(separator: "\n"))) }

  func text(_ path: String) -> String? { entries["data/" + path].map { String(decoding: $0, as: UTF8.self) } }

  /// A collection's rows, a line each.
  func rows(_ collection: String) -> [String]? {
    text("records/Test/\(collection).json").map { text in
      text.split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
        .filter { $0 != "[" && $0 != "]" && $0 != "[]" }
    }
  }

  /// The source under test, as the manifest has it.
  var outcome: ExportManifest.SourceOutcome? { manifest.sources.first?.outcome }

  /// The omissions as `path: reason ×count`.
  var omissions: [String] { manifest.omissions.map { "\($0.path): \($0.reason.name)" + ($0.count.map { " ×\($0)" } ?? "") } }

  /// The resource of a collection in `datapackage.json`.
  func resource(_ collection: String) throws -> [String: Any] {
    let package = try JSONSerialization.jsonObject(with: Data(entries["datapackage.json"] ?? [])) as? [String: Any]
    let resources = package?["resources"] as? [[String: Any]] ?? []
    return try #require(resources.first { ($0["path"] as? String)?.hasSuffix("records/Test/\(collection).json") == true })
  }

  /// The type of each field of a collection.
  func types(_ collection: String) throws -> [String: String] {
    let schema = try resource(collection)["schema"] as? [String: Any]
    let fields = schema?["fields"] as? [[String: Any]] ?? []
    var types: [String: String] = [:]
    for field in fields { types[field["name"] as? String ?? ""] = field["type"] as? String }
    return types
  }

  /// The rows of the documents.
  func documents() throws -> [[String: Any]] {
    try JSONSerialization.jsonObject(with: Data(entries["data/documents.json"] ?? Array("[]".utf8))) as? [[String: Any]] ?? []
  }
}

/// Lines around some others.
func lines(_ collection: String, _ others: String...) -> [String] {
  ["{\"protocol\": 1}", collection] + others + ["{\"end\": true}"]
}
