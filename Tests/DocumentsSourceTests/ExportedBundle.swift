import AccountExport
import Files
import Foundation
import ZipArchive

@testable import DocumentsSource

/// A finished bundle, unpacked into memory.
struct ExportedBundle {
  /// The bytes of each entry by its path below the top folder; empty folders end with `/`.
  private(set) var entries: [String: [UInt8]] = [:]
  let manifest: ExportManifest
  let digest: String

  /// Exports a source into a folder, and reads what came out.
  static func export(
    _ source: DocumentsSource, into folder: PathBytes, staging limit: Int = 1 << 20,
    events: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) async throws -> ExportedBundle {
    var request = ExportRequest()
    request.fixedTime = Timestamp(seconds: 1_796_000_000)
    request.limits.stagedDocument = limit
    let path = folder.appending(PathBytes("bundle-\(UInt64.random(in: 0 ... .max)).zip"))
    let receipt = try await AccountExporter(sources: [source], events: events).export(request, to: path)
    return try ExportedBundle(path, receipt)
  }

  init(_ path: PathBytes, _ receipt: ExportReceipt) throws {
    (manifest, digest) = (receipt.manifest, receipt.digest)
    let bytes = try contents(of: FileDescriptor.reading(path))
    var reader = try ZipStreamReader.make()
    var name = ""
    var found: [String: [UInt8]] = [:]
    try bytes.withUnsafeBytes { bytes in
      try reader.feed(bytes) { event in
        if case .entry(let header) = event {
          name = String(decoding: header.path, as: UTF8.self)
          name = String(name[name.index(after: name.firstIndex(of: "/")!)...])
          found[name] = []
        }
        if case .content(let piece) = event { found[name]! += piece }
      }
    }
    try reader.finish()
    entries = found
  }

  /// The rows of the document manifest.
  func rows() throws -> [[String: Any]] {
    let json = try JSONSerialization.jsonObject(with: Data(entries["data/documents.json"] ?? []))
    return json as? [[String: Any]] ?? []
  }

  /// The row of a path.
  func row(_ path: PathBytes) throws -> [String: Any]? {
    try rows().first { Self.path($0["path"]) == path }
  }

  /// A path as rows hold it.
  static func path(_ value: Any?) -> PathBytes? {
    if let text = value as? String { return PathBytes(text) }
    guard let coded = (value as? [String: String])?["$base64"], let bytes = Data(base64Encoded: coded) else { return nil }
    return PathBytes(bytes)
  }

  /// What the bundle holds of the document of a row.
  func document(_ row: [String: Any]) -> [UInt8]? {
    (row["file"] as? String).flatMap { entries["data/" + $0] }
  }

  /// How many documents are inside.
  var documentCount: Int { entries.keys.count { $0.hasPrefix("data/documents/") && !$0.hasSuffix("/") } }

  /// The omissions as `path: reason`, with the count or the length where there is one.
  var omissions: [String] {
    manifest.omissions.map { omission in
      let number = omission.count.map { " ×\($0)" } ?? omission.bytes.map { " (\($0) bytes)" } ?? ""
      return "\(omission.path): \(omission.reason.name)\(number)"
    }
  }
}
