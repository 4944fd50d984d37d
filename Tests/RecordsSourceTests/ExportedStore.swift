import AccountExport
import CSQLite
import Files
import Foundation
import NamedFiles
import Ownership
import RecordsSource
import Testing
import ZipArchive

/// A connection that writes, as an app has one.
final class AppConnection {
  private var handle: OpaquePointer?

  struct Failed: Error { let message: String }

  init(_ path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failed(message: "open") }
    sqlite3_busy_timeout(handle, 30_000)
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws {
    if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { throw Failed(message: String(cString: sqlite3_errmsg(handle))) }
  }

  /// The rows of a query, a line each, with `|` between the columns.
  func lines(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failed(message: String(cString: sqlite3_errmsg(handle)))
    }
    var found: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let texts = (0..<sqlite3_column_count(statement)).map { sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "" }
      found.append(texts.joined(separator: "|"))
    }
    return found
  }
}

/// A store of a test's own and what an export makes of it.
final class StoreFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
  }

  func connection(_ name: String) throws -> AppConnection { try AppConnection(url.appendingPathComponent(name).path) }

  /// Runs SQL on a store in the folder.
  func run(_ name: String, _ sql: String) throws { try connection(name).run(sql) }

  func path(_ name: String) -> PathBytes { PathBytes(url.appendingPathComponent(name).path) }

  /// Exports a store.
  func export(_ name: String, of subject: SubjectSelection? = nil, files: [FileColumn] = []) async throws -> ExportedStore {
    var request = ExportRequest()
    request.fixedTime = Timestamp(seconds: 1_796_000_000)
    let output = path("bundle-\(UInt64.random(in: 0 ... .max)).zip")
    var source = RecordsSource(path(name))
    (source.subject, source.files) = (subject, files)
    let exporter = AccountExporter(sources: [source])
    let receipt = try await exporter.export(request, to: output)
    return try ExportedStore(output, receipt)
  }
}

/// A finished bundle, unpacked into memory.
struct ExportedStore {
  /// The bytes of each entry by its path below `data/`.
  let entries: [String: [UInt8]]
  let manifest: ExportManifest

  init(_ path: PathBytes, _ receipt: ExportReceipt) throws {
    manifest = receipt.manifest
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path.text ?? "")))
    var reader = try ZipStreamReader.make()
    var name = ""
    var found: [String: [UInt8]] = [:]
    try bytes.withUnsafeBytes { bytes in
      try reader.feed(bytes) { event in
        if case .entry(let header) = event {
          let path = String(decoding: header.path, as: UTF8.self)
          name = path.range(of: "/data/").map { String(path[$0.upperBound...]) } ?? path
          found[name] = []
        }
        if case .content(let piece) = event { found[name]! += piece }
      }
    }
    try reader.finish()
    entries = found
  }

  /// A file's text.
  func text(_ path: String) -> String? { entries[path].map { String(decoding: $0, as: UTF8.self) } }

  /// A collection's rows, a line each.
  func lines(_ path: String) -> [String]? {
    text(path).map { text in
      text.split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }.filter {
        $0 != "[" && $0 != "]" && $0 != "[]"
      }
    }
  }

  /// The omissions as `path: reason`.
  var omissions: [String] { manifest.omissions.map { "\($0.path): \($0.reason.name)" + ($0.count.map { " ×\($0)" } ?? "") }.sorted() }
}
