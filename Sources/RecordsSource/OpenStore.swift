import AccountExport
import Files
import SQLiteReading
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A snapshot of a store and its schema, open for one export. Used by one task at a time.
final class OpenStore {
  let snapshot: SQLiteSnapshot
  let schema: SQLiteSchema
  /// The store's main file, as it was named: other files may lie beside it.
  let path: PathBytes
  /// The files of its large values.
  let externalStorage: ExternalStorage

  private init(_ snapshot: consuming SQLiteSnapshot, _ schema: SQLiteSchema, _ path: PathBytes) {
    self.snapshot = snapshot
    self.schema = schema
    self.path = path
    externalStorage = ExternalStorage(of: path)
  }

  /// Takes a snapshot. It blocks the thread, which is one of the export's own.
  static func snapshot(of store: PathBytes, in folder: PathBytes, patience: Duration) async throws -> OpenStore {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try translating(store) { () throws(SQLiteError) in
        let snapshot = try SQLiteSnapshot.take(of: store, in: folder, patience: patience) { cancellation.isRequested }
        let schema = try SQLiteSchema(of: snapshot.connection)
        return OpenStore(snapshot, schema, store)
      }
    } onCancel: {
      cancellation.request()
    }
  }

  /// Gives an error that names the store, and says what can be done.
  static func translating<Result>(_ store: PathBytes, _ body: () throws(SQLiteError) -> Result) throws -> Result {
    do throws(SQLiteError) { return try body() } catch {
      switch error.code.primary {
      case .interrupted: throw CancellationError()
      case .full:
        throw ExportError(
          .noSpace, "no room for the private copy of \(store.display)", hint: "free some space, or name another folder with --temp",
          cause: error)
      case .busy:
        throw ExportError(.busy, "the store \(store.display) is locked by another program", hint: "try again later", cause: error)
      case .notADatabase:
        throw ExportError(.badInput, "\(store.display) is no SQLite database, or it is encrypted", cause: error)
      default: throw ExportError(.badInput, "the store \(store.display) can't be read", cause: error)
      }
    }
  }
}

/// Carries a task's cancellation to the thread that copies.
private final class Cancellation: Sendable {
  private let requested = Atomic(false)

  var isRequested: Bool { requested.load(ordering: .relaxed) }
  func request() { requested.store(true, ordering: .relaxed) }
}

/// A private folder for a plan's copy, gone with its owner.
struct PlanFolder: ~Copyable {
  let path: PathBytes

  init(in folder: PathBytes) throws(FileError) {
    path = folder.appending(PathBytes(".account-export-plan-" + String(UInt64.random(in: .min ... .max), radix: 36)))
    if path.withCString({ mkdir($0, 0o700) }) != 0 { throw FileError("make folder", path, code: errno) }
  }

  // Its only content has lost its name already; a folder that can't be removed holds nothing.
  deinit { _ = path.withCString { rmdir($0) } }
}
