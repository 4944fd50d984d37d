internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The place of one private copy of a store in a folder that is for nobody else: a random name, and what SQLite puts beside it. It goes with
/// its owner; what a crash leaves is swept by the folder's owner.
struct PrivateCopy: ~Copyable {
  let folder: PathBytes
  /// The copy of the store's main file.
  let store: PathBytes

  private static let suffixes = ["", "-wal", "-journal", "-shm"]

  init(in folder: PathBytes) {
    self.folder = folder
    store = folder.appending(PathBytes("snapshot-" + String(UInt64.random(in: .min ... .max), radix: 36)))
  }

  deinit {
    do throws(SQLiteError) { try Self.remove(store) } catch {
      // Another error is on its way to the caller.
    }
  }

  /// Removes the names. Files that are open in SQLite live on without one until they are closed.
  borrowing func remove() throws(SQLiteError) { try Self.remove(store) }

  private static func remove(_ store: PathBytes) throws(SQLiteError) {
    for suffix in suffixes {
      let file = store.companion(suffix)
      if file.withCString({ unlink($0) }) != 0 && errno != ENOENT { throw SQLiteError(FileError("remove", file, code: errno)) }
    }
  }
}
