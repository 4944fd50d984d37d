import AccountExport
import Files
import Foundation
import NamedFiles
import Ownership
import PostgresReading
import PostgresSource
import Synchronization
import TestSupport
import Testing
import ZipArchive

/// A database of a test's own, and what an export of one person makes of it.
struct SharedDatabase {
  let name: String
  private static let count = Mutex(0)

  init(_ sql: String) throws {
    name = "source\(Self.count.withLock { $0 += 1; return $0 })"
    let server = try PostgresServer.shared()
    try PostgresConnection.open(try PostgresTarget(server.url("postgres"))).execute("CREATE DATABASE \(name)")
    try run(sql)
  }

  func run(_ sql: String) throws {
    try PostgresConnection.open(try PostgresTarget(PostgresServer.shared().url(name))).execute(sql)
  }

  func source(_ subject: SubjectSelection) throws -> PostgresSource {
    try PostgresSource(PostgresServer.shared().url(name), subject: subject, named: "db")
  }

  func source(_ subject: String, role: String = "postgres") throws -> PostgresSource {
    try PostgresSource(
      PostgresServer.shared().url(name, role: role), subject: SubjectSelection(starts: [StartingRow(parsing: subject)]), named: "db")
  }

  func export(_ subject: String, role: String = "postgres", secrets: SecretRules = .standard, files: [FileColumn] = [])
    async throws -> ExportedDatabase
  {
    var request = ExportRequest()
    request.fixedTime = Timestamp(seconds: 1_796_000_000)
    request.secrets = secrets
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("postgres-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let output = folder.appendingPathComponent("bundle.zip")
    var source = try source(subject, role: role)
    source.files = files
    let exporter = AccountExporter(sources: [source])
    let receipt = try await exporter.export(request, to: PathBytes(output.path))
    return try ExportedDatabase([UInt8](try Data(contentsOf: output)), receipt)
  }
}

/// A finished bundle, unpacked into memory.
struct ExportedDatabase {
  /// The bytes of each entry by its path below `data/records/db/`.
  let entries: [String: [UInt8]]
  let manifest: ExportManifest

  init(_ bytes: [UInt8], _ receipt: ExportReceipt) throws {
    manifest = receipt.manifest
    var reader = try ZipStreamReader.make()
    var name = ""
    var found: [String: [UInt8]] = [:]
    try bytes.withUnsafeBytes { bytes in
      try reader.feed(bytes) { event in
        if case .entry(let header) = event {
          let path = String(decoding: header.path, as: UTF8.self)
          name = path.range(of: "/data/records/db/").map { String(path[$0.upperBound...]) } ?? "/" + path
          found[name] = []
        }
        if case .content(let piece) = event { found[name]! += piece }
      }
    }
    try reader.finish()
    entries = found
  }

  /// The names of collections and lookups, sorted.
  var collections: [String] { entries.keys.filter { !$0.hasPrefix("/") && $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted() }

  /// A collection's rows, a line each.
  func lines(_ collection: String) -> [String]? {
    entries[collection + ".json"].map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }.filter {
        $0 != "[" && $0 != "]" && $0 != "[]"
      }
    }
  }

  var omissions: [String] { manifest.omissions.map { "\($0.path): \($0.reason.name)" + ($0.count.map { " ×\($0)" } ?? "") }.sorted() }
}
