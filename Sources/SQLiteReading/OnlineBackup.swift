internal import CSQLite
internal import Files

/// Copies a store that others have open through SQLite itself, which knows their locks: one read transaction, so one committed state.
struct OnlineBackup {
  /// The store's path, without links.
  let store: PathBytes
  /// The new file.
  let target: PathBytes
  let isCancelled: () -> Bool

  /// Pages between two questions whether to stop. The read transaction stays open all the while.
  private static let pagesPerStep: Int32 = 4096

  /// False where the store is not in use any more, or busy: worth another attempt of either kind.
  func attempt() throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      try run()
      return true
    } catch {
      switch error.code.primary {
      // Between the look at the locks and now, the last user has left and taken the log along, or a new one is about to begin.
      case .busy, .cannotOpen, Self.locked, Self.readOnly, Self.protocolError: return false
      default: throw error
      }
    }
  }

  private static let locked = SQLiteError.Code(rawValue: SQLITE_LOCKED)
  private static let readOnly = SQLiteError.Code(rawValue: SQLITE_READONLY)
  private static let protocolError = SQLiteError.Code(rawValue: SQLITE_PROTOCOL)

  private func run() throws(SQLiteError) {
    let source = try SQLiteConnection.open(Self.uri(store), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW)
    try source.execute("BEGIN")
    // The first read fixes the state; it needs no schema, which may be damaged.
    _ = try source.text("PRAGMA schema_version")
    // Made here, as SQLite would let others read it; what SQLite puts beside it gets its mode.
    let folder = try passing { () throws(FileError) in try FileDescriptor.folder(target.parent) }
    _ = try passing { () throws(FileError) in try folder.creating(target.lastComponent) }
    let copy = try SQLiteConnection.open(
      SQLiteConnection.plainName(target.bytes), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, exclusively: true)
    try copy.execute("PRAGMA journal_mode=OFF")
    try copy.execute("PRAGMA synchronous=OFF")
    try transfer(from: source, to: copy)
  }

  private func transfer(from source: borrowing SQLiteConnection, to copy: borrowing SQLiteConnection) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
      throw SQLiteError("backup", code: .init(rawValue: sqlite3_extended_errcode(copy.handle)))
    }
    var status = SQLITE_OK
    while status == SQLITE_OK && !isCancelled() { status = sqlite3_backup_step(backup, Self.pagesPerStep) }
    let finished = sqlite3_backup_finish(backup)
    if status == SQLITE_OK { throw SQLiteError("backup", code: .interrupted) }
    try check(status == SQLITE_DONE ? finished : status, "backup")
  }

  /// `file:` URI of a path: every byte that could mean something is escaped. `readonly_shm` keeps SQLite from making the log's
  /// shared memory file where the last user has just removed it.
  static func uri(_ path: PathBytes) -> [UInt8] {
    var uri = Array("file:".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path.bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "/"),
        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        uri.append(byte)
      default: uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return uri + Array("?mode=ro&readonly_shm=1".utf8)
  }
}
