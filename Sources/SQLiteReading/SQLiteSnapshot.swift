internal import CSQLite
public import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One committed state of a store, to be read at leisure: a private copy that has no name any more and goes with its owner.
///
/// Others may write and checkpoint the store while the copy is made; one that nobody has open is left byte for byte as it was, with
/// nothing new beside it. A store whose writer never lets go is an error `busy`.
public struct SQLiteSnapshot: ~Copyable {
  /// The copy, open for reading. It holds one read transaction.
  public let connection: SQLiteConnection
  /// Bytes in the database.
  public let byteCount: UInt64
  /// When the copy was begun: the state is not older.
  public let taken: FileTime

  /// Makes a snapshot of a store and opens it. It blocks: not for a thread of Swift's pool.
  ///
  /// - Parameters:
  ///   - store: the main file; a link is followed. Its log and journal are found beside it.
  ///   - folder: an existing private folder (0700) on a disk with room for the database, in which the copy has a name until it is open. Its
  ///     owner sweeps what a killed process leaves there: files `snapshot-…`.
  ///   - patience: how long a writer is waited for.
  ///   - isCancelled: asked now and then, from any thread; true ends with `interrupted`.
  public static func take(
    of store: PathBytes, in folder: PathBytes, patience: Duration = .seconds(10), isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(SQLiteError) -> SQLiteSnapshot {
    let resolved = try resolve(store)
    let place = PrivateCopy(in: folder)
    let deadline = ContinuousClock.now + patience
    repeat {
      if isCancelled() { throw SQLiteError("copy", code: .interrupted) }
      let taken = now()
      if try copyOnce(resolved, to: place, isCancelled) { return try open(place, taken) }
      try place.remove()
      usleep(10_000)
    } while ContinuousClock.now < deadline
    throw SQLiteError("copy", code: .busy, message: "the database is locked")
  }

  private static func copyOnce(
    _ store: PathBytes, to place: borrowing PrivateCopy, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(SQLiteError) -> Bool {
    let files = StoreCopy(store: store, target: place.store, isCancelled: isCancelled)
    let outcome = try withOwnDescriptors { own throws(SQLiteError) -> StoreCopy.Outcome in
      // Without descriptors of its own, closing the store's would release the locks of this process: then only SQLite may touch it.
      if !own {
        let main = try StoreFootprint(of: store).main
        if processHasOpen(main) { return .inUse }
      }
      return try files.attempt()
    }
    switch outcome {
    case .copied: return true
    case .unsettled: return false
    case .inUse: return try OnlineBackup(store: store, target: place.store, isCancelled: isCancelled).attempt()
    }
  }

  /// Opens the copy, lets SQLite roll back or take over what its journal or log holds, and removes its name.
  private static func open(_ place: borrowing PrivateCopy, _ taken: FileTime) throws(SQLiteError) -> SQLiteSnapshot {
    let connection = try SQLiteConnection.open(
      SQLiteConnection.plainName(place.store.bytes), flags: SQLITE_OPEN_READWRITE, exclusively: true)
    try connection.execute("PRAGMA synchronous=OFF")
    if try connection.text("PRAGMA journal_mode") == "wal" { try connection.execute("PRAGMA journal_mode=DELETE") }
    try connection.execute("BEGIN")
    _ = try connection.integer(SQLText("SELECT count(*) FROM sqlite_schema"))
    let byteCount = try connection.byteCount()
    try connection.harden(byteCount: byteCount)
    try place.remove()
    return SQLiteSnapshot(connection: connection, byteCount: byteCount, taken: taken)
  }

  /// Bytes that a snapshot of a store needs on the disk, as far as the system tells.
  public static func bytesNeeded(for store: PathBytes) throws(SQLiteError) -> UInt64 {
    let files = try StoreFootprint(of: resolve(store))
    // What is in the log is written into the copy's main file too.
    return files.main.size + 2 * (files.log?.size ?? 0) + (files.journal?.size ?? 0)
  }

  private static func resolve(_ store: PathBytes) throws(SQLiteError) -> PathBytes {
    let resolved = store.withCString { realpath($0, nil) }
    guard let resolved else { throw SQLiteError(FileError("open", store, code: errno)) }
    defer { free(resolved) }
    return PathBytes(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  private static func now() -> FileTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return FileTime(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
  }
}
