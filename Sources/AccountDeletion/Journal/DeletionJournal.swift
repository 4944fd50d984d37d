public import AccountExport
public import Files
internal import SQLiteReading
internal import SQLiteWriting
internal import Synchronization

/// What is known of requests to delete accounts, kept through crashes: each change is on the disk before it counts.
///
/// It is one SQLite file in the state folder, `deletions.sqlite`, for its owner alone. Several processes may use it; one changes it at a time.
public final class DeletionJournal: Sendable {
  private let database: Mutex<WritableDatabase>

  private let folder: PathBytes

  private static let name: PathBytes = "deletions.sqlite", lockName: PathBytes = "deletions.lock"

  /// Opens the journal of a state folder, and makes it where there is none.
  public init(in path: PathBytes) throws {
    let state = try StateFolder(path, creating: true)
    for name in [Self.name, Self.lockName] { try state.makeFile(name) }
    guard let file = path.appending(Self.name).text else { throw DeletionError(.journal, "the state folder's path is no UTF-8") }
    let opened: WritableDatabase
    do throws(SQLiteError) { opened = try WritableDatabase.open(file) } catch { throw DeletionError(journal: error) }
    try JournalSchema.prepare(opened)
    database = Mutex(opened)
    folder = path
  }

  /// The lock of whoever carries out deletions, which goes with the descriptor.
  ///
  /// - Throws: `DeletionError` of code `conflict` where another does.
  func lock() throws(DeletionError) -> FileDescriptor {
    do throws(FileError) {
      let file = try FileDescriptor.folder(folder, following: true).reading(Self.lockName)
      if try file.lock() { return file }
    } catch {
      throw DeletionError(.journal, "the journal of deletions can't be locked: \(error)")
    }
    throw DeletionError(.conflict, "deletions are being carried out already", hint: "wait for it")
  }

  /// Does something in one transaction.
  func transaction<Result: Sendable>(_ body: (borrowing WritableDatabase) throws(DeletionError) -> Result) throws(DeletionError) -> Result {
    try database.withLock { (database) throws(DeletionError) in
      try database.journalled { () throws(DeletionError) in try body(database) }
    }
  }

  // MARK: Requests

  /// Notes a request to delete an account. Asking again with the same idempotency key gives the request that is there, as long as it is open. Of one
  /// that is over nobody knows any more whose it was: it is given to nobody by its key, and its id tells what came of it.
  ///
  /// - Parameters:
  ///   - account: What the controller calls the account.
  ///   - key: What whoever asks calls this request: 1 to 200 bytes.
  ///   - received: When it came in.
  ///   - grace: How long the person can change their mind.
  /// - Throws: `DeletionError` of code `conflict` where the account has another request that is open, or the key is another account's, or of a request
  ///   that is over.
  public func request(
    _ account: String, key: String, received: Timestamp = .now(), grace: GracePeriod = .standard
  ) throws(DeletionError) -> DeletionRequest {
    guard !account.isEmpty, (1...200).contains(key.utf8.count) else {
      throw DeletionError(.illegal, "a request needs an account, and an idempotency key of 1 to 200 bytes")
    }
    return try transaction { (database) throws(DeletionError) in
      if let known = try database.request(where: "idempotency_key = ?", key) {
        if known.account == account { return known }
        let whose = known.state.isFinal ? "the request \(known.id), which is \(known.state.name)" : "a request for another account"
        throw DeletionError(.conflict, "the idempotency key belongs to \(whose)", hint: "a new request needs a key of its own")
      }
      if let open = try database.request(where: "account = ?", account) {
        throw DeletionError(.conflict, "the account has a request already: \(open.id)", hint: "cancel it, or wait for it")
      }
      let id = Self.newID()
      try database.run(
        "INSERT INTO request (id, account, idempotency_key, received, grace_days, state) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .text(id), .text(account), .text(key), .integer(received.seconds), .integer(Int64(grace.days)),
          .text(DeletionState.confirming.name),
        ])
      try database.note(.confirming, of: id, at: received)
      return try database.request(id)
    }
  }

  private static func newID() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The request of an id.
  public func request(_ id: String) throws(DeletionError) -> DeletionRequest {
    try transaction { (database) throws(DeletionError) in try database.request(id) }
  }

  /// The open request of an account; nil where it has none.
  public func openRequest(of account: String) throws(DeletionError) -> DeletionRequest? {
    try transaction { (database) throws(DeletionError) in try database.request(where: "account = ?", account) }
  }

  /// The requests that are to be gone on with now: those whose time has come, then those that a crash or a failure has left midway. The
  /// clock must have been noted before (``note(_:)``): a deadline is only as good as the clock.
  public func due(at now: Timestamp) throws(DeletionError) -> [DeletionRequest] {
    try transaction { (database) throws(DeletionError) in
      try database.requests(
        where: "(state = 'scheduled' AND until <= ?) OR state IN ('deleting', 'failed') ORDER BY until IS NULL, until, id",
        .integer(now.seconds))
    }
  }

  /// Moves a request on.
  ///
  /// - Throws: `DeletionError` of code `illegal` where it can't go there from its state, `tooEarly` where its deadline has not come.
  @discardableResult
  public func move(_ id: String, to state: DeletionState, at now: Timestamp = .now()) throws(DeletionError) -> DeletionRequest {
    try transaction { (database) throws(DeletionError) in
      let request = try database.request(id)
      try database.check(request, becoming: state, at: now)
      return try database.move(request, to: state, at: now)
    }
  }

  /// The states that a request has been in, with their times, from the first on.
  public func history(of id: String) throws(DeletionError) -> [(state: String, at: Timestamp)] {
    try transaction { (database) throws(DeletionError) in
      try database.rows("SELECT state, at FROM history WHERE request = ? ORDER BY number", [.text(id)]) {
        Moment(state: $0.text(at: 0), at: Timestamp(seconds: $0.integer(at: 1)))
      }
    }.map { ($0.state, $0.at) }
  }

  private struct Moment: Sendable { let state: String, at: Timestamp }
}
