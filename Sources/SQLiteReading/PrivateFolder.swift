internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A new folder that only its owner may enter, for one private copy of a store. It goes with its owner; what a crash leaves is swept by
/// the owner of the folder around it.
struct PrivateFolder: ~Copyable {
  let path: PathBytes
  /// The copy of the store's main file.
  let store: PathBytes

  static let log = PathBytes("store-wal")
  static let journal = PathBytes("store-journal")
  private static let names: [PathBytes] = ["store", log, journal, "store-shm"]

  init(in folder: PathBytes) throws(SQLiteError) {
    path = folder.appending(PathBytes("snapshot-" + String(UInt64.random(in: .min ... .max), radix: 36)))
    store = path.appending("store")
    if path.withCString({ mkdir($0, 0o700) }) != 0 { throw SQLiteError(FileError("make folder", path, code: errno)) }
  }

  deinit {
    do throws(SQLiteError) { try Self.remove(path) } catch {
      // Another error is on its way to the caller, or the folder has been removed already.
    }
  }

  /// Removes what lies in the folder.
  borrowing func clear() throws(SQLiteError) { try Self.clear(path) }

  /// Removes the folder. Files that are open in SQLite live on without a name until they are closed.
  borrowing func remove() throws(SQLiteError) { try Self.remove(path) }

  private static func clear(_ path: PathBytes) throws(SQLiteError) {
    for name in names {
      let file = path.appending(name)
      if file.withCString({ unlink($0) }) != 0 && errno != ENOENT { throw SQLiteError(FileError("remove", file, code: errno)) }
    }
  }

  private static func remove(_ path: PathBytes) throws(SQLiteError) {
    try clear(path)
    if path.withCString({ rmdir($0) }) != 0 && errno != ENOENT { throw SQLiteError(FileError("remove", path, code: errno)) }
  }
}
