import CSQLite
import Files
import Foundation
import SQLiteReading
import Testing

/// A folder for one test, removed with it.
final class TestFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: url.appendingPathComponent("private"), withIntermediateDirectories: false)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  var privatePath: PathBytes { PathBytes(path("private")) }

  func snapshot(_ name: String, patience: Duration = .seconds(20)) throws -> SQLiteSnapshot {
    try SQLiteSnapshot.take(of: PathBytes(path(name)), in: privatePath, patience: patience)
  }

  /// Every file with its bytes, times and inode: what must not change.
  func state() throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where name != "private" {
      var status = stat()
      guard lstat(path(name), &status) == 0 else { continue }
      let bytes = (status.st_mode & S_IFMT) == S_IFREG ? try Data(contentsOf: url.appendingPathComponent(name)).base64EncodedString() : ""
      found[name] =
        "\(status.st_ino) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec) \(bytes)"
    }
    return found
  }
}

/// A connection that writes, as an app has one.
final class Writer {
  private var handle: OpaquePointer?

  init(_ path: String, _ sql: String = "") throws {
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    try run(sql)
  }

  deinit { sqlite3_close_v2(handle) }

  struct Failed: Error { let message: String }

  func run(_ sql: String) throws {
    if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { throw Failed(message: String(cString: sqlite3_errmsg(handle))) }
  }
}

/// A row as text: values by storage class, `|` between them.
func text(_ cell: SQLiteCell) throws -> String {
  switch cell {
  case .null: return "null"
  case .integer(let integer): return "\(integer)"
  case .real(let real): return "\(real)"
  case .text(let bytes): return "'\(String(decoding: bytes, as: UTF8.self))'"
  case .invalidText(let bytes): return "invalid \(bytes.count)"
  case .blob(let bytes): return "x'\(bytes.map { String(format: "%02x", $0) }.joined())'"
  case .large(let large): return "large \(large.kind) \(large.byteCount)"
  }
}

/// All rows of a table as text.
func rows(_ name: SQLiteName, in snapshot: borrowing SQLiteSnapshot) throws -> [String] {
  let schema = try SQLiteSchema(of: snapshot.connection)
  let table = try #require(schema.table(name))
  var reader = try SQLiteTableReader(table, of: schema, in: snapshot)
  var found: [String] = []
  while try reader.next(in: snapshot) {
    var cells: [String] = []
    for column in reader.columns.indices { cells.append(try text(reader.cell(at: column))) }
    found.append(cells.joined(separator: "|"))
  }
  return found
}
