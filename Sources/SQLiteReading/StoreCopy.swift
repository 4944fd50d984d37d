internal import CSQLite
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One attempt to copy a store's files as they are, without SQLite and without writing anything beside them.
///
/// With a rollback journal, SQLite's SHARED lock is enough: nobody writes the main file while it is held, and without a hot journal the
/// main file is one committed state; with one, both files together are. With a write-ahead log, others write it and the main file under
/// the same lock, so this copy counts only if nobody else was there before and after, and nothing changed in between.
struct StoreCopy: Sendable {
  enum Outcome: Sendable {
    case copied
    /// Others are using the store's log: SQLite must copy it.
    case inUse
    /// A writer is at work, or something changed meanwhile: worth another attempt.
    case unsettled
  }

  /// The store's path, without links.
  let store: PathBytes
  /// The new main file; its log and journal get their names from it.
  let target: PathBytes
  let isCancelled: @Sendable () -> Bool

  func attempt() throws(SQLiteError) -> Outcome {
    let main = try passing { () throws(FileError) in try FileDescriptor.reading(store) }
    let opened = try passing { () throws(FileError) in try main.status() }
    guard opened.kind == .file else { throw SQLiteError("open", code: .cannotOpen, message: "not a file") }
    let lock = csqlite_lock_shared(main.raw)
    if lock == EAGAIN { return .unsettled }
    if lock != 0 && lock != ENOTSUP { throw SQLiteError(FileError("lock", store, code: lock)) }
    let before = try StoreFootprint(of: store)
    guard (before.main.device, before.main.inode) == (opened.device, opened.inode) else { return .unsettled }
    // Where files can't be locked, only stillness tells.
    let saysLogged = try Self.saysLogged(main)
    let isLogged = saysLogged || before.log != nil
    let needsStillness = isLogged || lock == ENOTSUP
    let others = try probe(main)
    if isLogged && others.any { return .inUse }
    if needsStillness && !before.isQuiet() { return .unsettled }
    if before.main.size == 0 && before.log != nil {
      throw SQLiteError("open", code: .damaged, message: "an empty database with a write-ahead log")
    }
    guard try copyFiles(main, before, withJournal: !others.writer) else { return .unsettled }
    let after = try StoreFootprint(of: store)
    let othersAfter = try probe(main)
    if needsStillness { return after.isUnchanged(since: before) && !othersAfter.any ? .copied : .unsettled }
    let sameJournal = before.journal == nil || others.writer || (!othersAfter.writer && StoreFootprint.same(after.journal, before.journal))
    return sameJournal && after.main.isUnchanged(since: before.main) ? .copied : .unsettled
  }

  /// Whether the header says that the database is in write-ahead log mode (file format, 1.3.3).
  private static func saysLogged(_ main: borrowing FileDescriptor) throws(SQLiteError) -> Bool {
    try main.bytes(at: 18, count: 2).contains(2)
  }

  private func probe(_ main: borrowing FileDescriptor) throws(SQLiteError) -> (writer: Bool, any: Bool) {
    var writer = false
    var any = false
    let code = csqlite_probe_locks(main.raw, &writer, &any)
    if code != 0 && code != ENOTSUP { throw SQLiteError(FileError("look for locks", store, code: code)) }
    return (writer, any)
  }

  /// False where a file ended early or went away.
  private func copyFiles(_ main: borrowing FileDescriptor, _ sizes: StoreFootprint, withJournal: Bool) throws(SQLiteError) -> Bool {
    let folder = try passing { () throws(FileError) in try FileDescriptor.folder(target.parent) }
    let copied = try passing { () throws(FileError) in try folder.creating(target.lastComponent) }
    guard try copy(sizes.main.size, from: main, to: copied, isCancelled: isCancelled) else { return false }
    if let log = sizes.log {
      guard let source = try openIfThere(store.companion("-wal")) else { return false }
      let copied = try passing { () throws(FileError) in try folder.creating(target.companion("-wal").lastComponent) }
      guard try copy(log.size, from: source, to: copied, isCancelled: isCancelled) else { return false }
    }
    // A journal under a writer's lock is not hot: the writer has not touched the main file, and can't while it is locked here.
    guard withJournal, let journal = sizes.journal else { return true }
    return try copyJournal(journal.size, into: folder)
  }

  private func copyJournal(_ size: UInt64, into folder: borrowing FileDescriptor) throws(SQLiteError) -> Bool {
    guard let source = try openIfThere(store.companion("-journal")) else { return false }
    let name = target.companion("-journal").lastComponent
    let copied = try passing { () throws(FileError) in try folder.creating(name) }
    guard try copy(size, from: source, to: copied, isCancelled: isCancelled) else { return false }
    if try !HotJournal.prepare(copied) { try passing { () throws(FileError) in try folder.remove(name) } }
    return true
  }

  private func openIfThere(_ path: PathBytes) throws(SQLiteError) -> FileDescriptor? {
    do throws(FileError) { return try FileDescriptor.reading(path) } catch {
      if error.isMissing { return nil }
      throw SQLiteError(error)
    }
  }
}
