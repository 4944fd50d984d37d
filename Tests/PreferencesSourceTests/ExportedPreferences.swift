import AccountExport
import Files
import Foundation
import PreferencesSource
import ZipArchive

/// Files of a test's own, and what comes out when they are exported.
final class Scratch {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("preferences-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit {
    // A folder that a test leaves behind is no reason to fail it, but one to be seen.
    do { try FileManager.default.removeItem(at: url) } catch { print("\(url.path) stays: \(error)") }
  }

  func path(_ name: String) -> PathBytes { PathBytes(url.appendingPathComponent(name).path) }

  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> PathBytes {
    let place = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: place)
    return path(name)
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> PathBytes { try write(text.utf8, to: name) }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: url.path + "/" + name, withDestinationPath: target)
  }

  /// Exports a source, and reads what came out.
  func export(_ source: PreferencesSource, _ request: ExportRequest = ExportRequest()) async throws -> ExportedPreferences {
    let output = path("bundle-\(UUID().uuidString).zip")
    let exporter = AccountExporter(sources: [source])
    let receipt = try await exporter.export(request, to: output)
    return try ExportedPreferences(output, receipt, exporter.report)
  }

  func export(_ files: PathBytes...) async throws -> ExportedPreferences { try await export(PreferencesSource(files: files)) }
}

/// A finished bundle's files below `data/preferences/`.
struct ExportedPreferences {
  private(set) var files: [String: [UInt8]] = [:]
  let manifest: ExportManifest
  let outcome: ExportManifest.Outcome
  let report: [ReportLine]

  init(_ path: PathBytes, _ receipt: ExportReceipt, _ report: [ReportLine]) throws {
    (manifest, outcome, self.report) = (receipt.manifest, receipt.outcome, report)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path.text ?? path.display)))
    var reader = try ZipStreamReader.make()
    var name = ""
    var found: [String: [UInt8]] = [:]
    try bytes.withUnsafeBytes { bytes in
      try reader.feed(bytes) { event in
        if case .entry(let header) = event { name = String(decoding: header.path, as: UTF8.self) }
        if case .content(let piece) = event { found[name, default: []] += piece }
      }
    }
    try reader.finish()
    for (name, bytes) in found {
      let parts = name.split(separator: "/", maxSplits: 3)
      if parts.count == 4, parts[1] == "data", parts[2] == "preferences" { files[String(parts[3])] = bytes }
    }
  }

  /// The names inside, sorted.
  var names: [String] { files.keys.sorted() }

  /// A file's text without the line end.
  func text(_ name: String) -> String? {
    files[name].map { String(decoding: $0.last == 0x0A ? $0.dropLast() : $0[...], as: UTF8.self) }
  }

  /// The omissions as `path: reason`.
  var omissions: [String] { manifest.omissions.map { "\($0.path): \($0.reason.name)" } }
}
