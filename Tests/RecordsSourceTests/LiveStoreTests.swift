import AccountExport
import Files
import Foundation
import RecordsSource
import Synchronization
import Testing

@Suite struct LiveStoreTests {
  /// An app that goes on writing through its own connection while the same process exports.
  @Test(.timeLimit(.minutes(5)), arguments: ["WAL", "DELETE"]) func exportsOneCommittedStateBesideAWriter(mode: String) async throws {
    let folder = try StoreFolder()
    try folder.run(
      "a.db",
      """
      PRAGMA journal_mode=\(mode); CREATE TABLE account (id INTEGER PRIMARY KEY, amount, n); CREATE TABLE generation (n);
      INSERT INTO generation VALUES (0); WITH RECURSIVE i(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM i WHERE x < 299)
      INSERT INTO account SELECT x, 100, 0 FROM i;
      """)
    let writer = LedgerWriter(folder)
    writer.start()
    defer { writer.stop() }
    var generations: Set<String> = []
    for _ in 0..<40 {
      let exported = try await folder.export("a.db")
      #expect(exported.manifest.outcome == .complete)
      let generation = try #require(exported.lines("records/a/generation.json")?.first)
      generations.insert(generation)
      let accounts =
        try JSONSerialization.jsonObject(with: Data(exported.entries["records/a/account.json"] ?? [])) as? [[String: Int]] ?? []
      #expect(accounts.count == 300)
      #expect(accounts.reduce(0) { $0 + ($1["amount"] ?? 0) } == 30_000)
      #expect("{\"n\":\(accounts.map { $0["n"] ?? 0 }.max() ?? -1)}" == generation)
    }
    #expect(generations.count > 10, "the writer went on meanwhile")
    #expect(writer.failure == nil)
  }

  /// Flipped bits: refused, or a bundle that says what is missing, or one that is whole; never a crash.
  @Test(.timeLimit(.minutes(5))) func survivesFlippedBits() async throws {
    let folder = try StoreFolder()
    try folder.run(
      "a.db",
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body, folder REFERENCES folder); CREATE TABLE folder (name TEXT PRIMARY KEY);
      CREATE TABLE pair (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE VIRTUAL TABLE found USING fts5 (body);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO note SELECT i, 'title ' || i, CASE i % 50 WHEN 0 THEN zeroblob(9000) ELSE 'body' END, 'f' || i % 9 FROM n;
      INSERT INTO folder SELECT DISTINCT folder FROM note; INSERT INTO pair SELECT id % 7, id FROM note; INSERT INTO found SELECT title FROM note;
      """)
    let sound = try Data(contentsOf: folder.url.appendingPathComponent("a.db"))
    var state: UInt64 = 41
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    var partial = 0
    for _ in 0..<60 {
      var flipped = sound
      for _ in 0...next(6) {
        let place = next(2) == 0 ? next(sound.count / 4096) * 4096 + next(100) : next(sound.count)
        flipped[place] ^= 1 << next(8)
      }
      try flipped.write(to: folder.url.appendingPathComponent("b.db"))
      do {
        let exported = try await folder.export("b.db")
        if exported.manifest.outcome == .partial { partial += 1 }
        #expect(exported.manifest.outcome == .partial || exported.omissions.allSatisfy { $0.hasSuffix("derived") })
      } catch let error as ExportError {
        #expect(error.code == .nothingRead, "\(error)")
      }
    }
    #expect(partial > 0)
  }
}

/// Moves amounts between accounts, a transaction after the other, until it is stopped.
private final class LedgerWriter: Sendable {
  private let folder: StoreFolder
  private let isStopped = Atomic(false)
  private let failed = Mutex<String?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(_ folder: StoreFolder) { self.folder = folder }

  var failure: String? { failed.withLock { $0 } }

  func start() {
    Thread.detachNewThread { [self] in
      do { try write() } catch { failed.withLock { $0 = "\(error)" } }
      ended.signal()
    }
  }

  private func write() throws {
    let connection = try folder.connection("a.db")
    var n = 0
    while !isStopped.load(ordering: .relaxed) {
      n += 1
      try connection.run(
        """
        BEGIN IMMEDIATE; UPDATE account SET amount = amount + 3, n = \(n) WHERE id = \(n % 300);
        UPDATE account SET amount = amount - 3 WHERE id = \((n * 7 + 1) % 300); UPDATE generation SET n = \(n); COMMIT
        """)
      if n % 13 == 0 { try connection.run("PRAGMA wal_checkpoint(TRUNCATE)") }
      usleep(500)
    }
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    ended.wait()
  }
}
