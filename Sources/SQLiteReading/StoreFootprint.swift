internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system tells of a store's files at one moment: the main file, its write-ahead log, its rollback journal.
struct StoreFootprint: Sendable {
  let main: FileStatus
  let log: FileStatus?
  let journal: FileStatus?

  init(of store: PathBytes) throws(SQLiteError) {
    let folder = try passing { () throws(FileError) in try FileDescriptor.folder(store.parent, following: true) }
    main = try passing { () throws(FileError) in try folder.status(of: store.lastComponent) }
    log = try Self.status(of: store.companion("-wal"), in: folder)
    journal = try Self.status(of: store.companion("-journal"), in: folder)
  }

  private static func status(of companion: PathBytes, in folder: borrowing FileDescriptor) throws(SQLiteError) -> FileStatus? {
    do throws(FileError) {
      let status = try folder.status(of: companion.lastComponent)
      return status.size > 0 ? status : nil
    } catch {
      if error.isMissing { return nil }
      throw SQLiteError(error)
    }
  }

  /// Whether nothing has been written since.
  func isUnchanged(since earlier: StoreFootprint) -> Bool {
    main.isUnchanged(since: earlier.main) && Self.same(log, earlier.log) && Self.same(journal, earlier.journal)
  }

  static func same(_ a: FileStatus?, _ b: FileStatus?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.isUnchanged(since: b)
  }

  /// Whether the last change is so long ago that another one must show: a file's time moves on in steps (some milliseconds; on file
  /// systems that keep whole seconds, two). Only the time of the last change of any kind counts: no program can set it.
  func isQuiet() -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return [main, log, journal].allSatisfy { status in
      guard let changed = status?.changed else { return true }
      let step: Double = changed.nanoseconds == 0 ? 2.1 : 0.05
      let age = Double(Int64(now.tv_sec) - changed.seconds) + (Double(now.tv_nsec) - Double(changed.nanoseconds)) / 1e9
      return abs(age) > step
    }
  }
}

extension PathBytes {
  /// The file beside a store that SQLite names by a suffix.
  func companion(_ suffix: String) -> PathBytes { PathBytes(bytes + Array(suffix.utf8)) }
}
