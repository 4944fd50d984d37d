import AccountExport
import Files
import Foundation
import TestSupport
import Testing

@testable import AccountDeletion

/// The journal keeps requests through everything, lets each go only where it may, and forgets who it was about.
@Suite struct JournalTests {
  static let start = Timestamp(seconds: 1_796_037_300)

  static func later(_ days: Double) -> Timestamp { Timestamp(seconds: start.seconds + Int64(days * 86_400)) }

  @Test func aWholeLife() throws {
    let folder = try TemporaryFolder()
    let journal = try DeletionJournal(in: folder.path("state"))
    let request = try journal.request("mira", key: "web-1", received: Self.start)
    #expect(request.state == .confirming && request.account == "mira" && request.deadline == Self.later(14))
    try journal.move(request.id, to: .exporting, at: Self.later(0.1))
    let until = Self.later(14)
    try journal.move(request.id, to: .scheduled(until: until), at: Self.later(0.2))
    #expect(try journal.due(at: Self.later(13.9)).isEmpty)
    expect(.tooEarly) { try journal.move(request.id, to: .deleting, at: Self.later(13.9)) }
    #expect(try journal.due(at: until).map(\.id) == [request.id])
    try journal.move(request.id, to: .deleting, at: until)
    try journal.move(request.id, to: .failed(step: "rows"), at: until)
    // What a failure or a crash has left is due at any time, also for another process.
    let again = try DeletionJournal(in: folder.path("state"))
    #expect(try again.due(at: Self.start).map(\.state) == [.failed(step: "rows")])
    try again.move(request.id, to: .deleting, at: Self.later(15))
    let done = try again.move(request.id, to: .completed, at: Self.later(15))
    #expect(done.state == .completed && done.account == nil)
    #expect(try again.due(at: Self.later(100)).isEmpty)
    let states = try journal.history(of: request.id).map(\.state)
    #expect(states == ["confirming", "exporting", "scheduled", "deleting", "failed", "deleting", "completed"])
  }

  @Test func oneOpenRequestForAnAccount() throws {
    let folder = try TemporaryFolder()
    let journal = try DeletionJournal(in: folder.path("state"))
    let first = try journal.request("mira", key: "a", received: Self.start)
    #expect(try journal.request("mira", key: "a", received: Self.later(3)) == first)
    expect(.conflict) { try journal.request("mira", key: "b") }
    expect(.conflict) { try journal.request("jonas", key: "a") }
    #expect(try journal.openRequest(of: "mira") == first)
    try journal.move(first.id, to: .cancelled)
    #expect(try journal.openRequest(of: "mira") == nil)
    let second = try journal.request("mira", key: "b")
    #expect(second.id != first.id)
    // What is over says nothing of whose it was, and isn't taken for anybody's.
    for account in ["mira", "jonas"] {
      let error = #expect(throws: DeletionError.self) { try journal.request(account, key: "a") }
      #expect(error?.code == .conflict && error?.message.contains(first.id) == true && error?.message.contains("cancelled") == true)
    }
    #expect(try journal.request(first.id).state == .cancelled)
  }

  /// All at once, from several processes' point of view: one is made.
  @Test func manyAskAtOnce() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state")
    let ids = await withTaskGroup(of: String?.self) { group in
      for number in 0..<12 {
        group.addTask {
          do { return try DeletionJournal(in: path).request("mira", key: "key \(number)").id } catch { return nil }
        }
      }
      return await group.reduce(into: [String]()) { if let id = $1 { $0.append(id) } }
    }
    #expect(ids.count == 1)
    #expect(try DeletionJournal(in: path).openRequest(of: "mira")?.id == ids.first)
  }

  @Test func noWayButTheOnesThereAre() throws {
    let folder = try TemporaryFolder()
    let journal = try DeletionJournal(in: folder.path("state"))
    let request = try journal.request("mira", key: "a", received: Self.start)
    expect(.illegal) { try journal.move(request.id, to: .deleting) }
    expect(.illegal) { try journal.move(request.id, to: .completed) }
    expect(.illegal) { try journal.move(request.id, to: .scheduled(until: Self.later(13))) }
    expect(.notFound) { try journal.move("0123", to: .cancelled) }
    expect(.illegal) { try journal.request("", key: "b") }
    expect(.illegal) { try journal.request("x", key: "") }
    #expect(try journal.request(request.id) == request, "what was refused has changed nothing")
    #expect(try journal.history(of: request.id).count == 1)
  }

  /// Of what is over, no byte of the account's name is left in the file.
  @Test(arguments: [false, true]) func whatIsOverNamesNobody(_ isDeleted: Bool) throws {
    let folder = try TemporaryFolder()
    let journal = try DeletionJournal(in: folder.path("state"))
    let request = try journal.request("mira.okafor@example.com", key: "a", received: Self.start, grace: try GracePeriod(days: 0))
    let file = folder.url.appendingPathComponent("state/deletions.sqlite")
    #expect(try Data(contentsOf: file).range(of: Data("okafor".utf8)) != nil)
    if isDeleted {
      for state in [.scheduled(until: Self.start), DeletionState.deleting, .completed] {
        try journal.move(request.id, to: state, at: Self.start)
      }
    } else {
      try journal.move(request.id, to: .cancelled)
    }
    #expect(try Data(contentsOf: file).range(of: Data("okafor".utf8)) == nil)
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func aFileThatIsNoJournal() throws {
    let folder = try TemporaryFolder()
    let state = folder.url.appendingPathComponent("state")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = state.appendingPathComponent("deletions.sqlite")
    try Data("no database, but long enough to be taken for one, if only its first bytes were right; and so on".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    expect(.journal) { _ = try DeletionJournal(in: folder.path("state")) }
    #expect(try Data(contentsOf: file).starts(with: "no database".utf8))
  }
}

/// A clock that is set is told from one that runs.
@Suite struct ClockTests {
  static let first = ClockReading(now: JournalTests.start, sinceBoot: 1000, boot: "one")

  static func reading(days: Double, ran: Double, boot: String = "one") -> ClockReading {
    ClockReading(now: JournalTests.later(days), sinceBoot: 1000 + Int64(ran * 86_400), boot: boot)
  }

  @Test(arguments: [(10, 10, "one"), (1.9, 1, "one"), (0.1, 1, "one"), (300, 0, "another start"), (-0.9, 0, "another start")])
  func whatTimeDoes(_ days: Double, _ ran: Double, _ boot: String) throws {
    let folder = try TemporaryFolder()
    let journal = try DeletionJournal(in: folder.path("state"))
    try journal.note(Self.first)
    #expect(throws: Never.self) { try journal.note(Self.reading(days: days, ran: ran, boot: boot)) }
  }

  @Test(arguments: [(10, 1, "one"), (-2, 0.1, "one"), (-1.1, 0, "another start")])
  func whatTimeNeverDoes(_ days: Double, _ ran: Double, _ boot: String) throws {
    let folder = try TemporaryFolder()
    let journal = try DeletionJournal(in: folder.path("state"))
    let odd = Self.reading(days: days, ran: ran, boot: boot)
    try journal.note(Self.first)
    for _ in 0..<2 { expect(.clock) { try journal.note(odd) } }
    try journal.accept(odd)
    #expect(throws: Never.self) { try journal.note(odd) }
  }

  @Test func theClocksRun() throws {
    let (first, second) = (try ClockReading.current(), try ClockReading.current())
    #expect(first.boot == second.boot && !first.boot.isEmpty)
    #expect(abs(second.jump(since: first)) < 60)
  }
}

private func expect(_ code: DeletionError.Code, _ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation) {
  #expect(sourceLocation: location) { try body() } throws: { ($0 as? DeletionError)?.code == code }
}

private func expect(_ code: DeletionError.Code, _ body: () throws -> some Any, _ location: SourceLocation = #_sourceLocation) {
  #expect(sourceLocation: location) { _ = try body() } throws: { ($0 as? DeletionError)?.code == code }
}
