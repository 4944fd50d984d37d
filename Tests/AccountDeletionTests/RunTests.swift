import AccountExport
import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountDeletion

/// Steps are done in their order, once approved, and what comes of them is signed.
@Suite struct RunTests {
  /// What a made-up step does, and what was done with it.
  final class Thing: DeletionStep {
    struct Failed: Error {}

    let id: String
    let stage: DeletionStage
    let log: Log
    let state = Mutex((count: 3, failures: 0, comesBack: 0))

    init(_ id: String, _ stage: DeletionStage, _ log: Log) { (self.id, self.stage, self.log) = (id, stage, log) }

    func plan() async throws -> StepPlan {
      var plan = StepPlan(detail: "mira@example.com \(state.withLock { $0.count })")
      plan.removed = [StepCount("rows", state.withLock { $0.count })]
      return plan
    }

    func run(_ plan: StepPlan) async throws -> StepOutcome {
      log.add("run \(id)")
      #expect(plan.detail == "mira@example.com 3")
      let fails = state.withLock { state in
        state.failures -= 1
        return state.failures >= 0
      }
      if fails { throw Failed() }
      state.withLock { $0.count = 0 }
      var outcome = StepOutcome()
      outcome.removed = [StepCount("rows", 3)]
      outcome.retained = [Remainder("invoices", 2, reason: "The law asks for it.", until: Timestamp(seconds: 1_956_441_600))]
      outcome.messages = ["a message about mira@example.com"]
      outcome.byHand = ["End the subscription."]
      return outcome
    }

    func verify(_ plan: StepPlan) async throws {
      let isBack = state.withLock { state in
        if state.comesBack == 1 && state.count == 0 { state.count = 3 }
        state.comesBack -= 1
        return state.count > 0
      }
      if isBack { throw Failed() }
    }
  }

  final class Log: Sendable {
    private let lines = Mutex([String]())
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  final class Made {
    let folder: TemporaryFolder
    let journal: DeletionJournal
    let log = Log()
    let files: Thing, rows: Thing
    let run: DeletionRun
    let request: DeletionRequest
    let pepper: Pepper
    let signer: ReceiptSigner

    init() throws {
      folder = try TemporaryFolder()
      journal = try DeletionJournal(in: folder.path("state"))
      (files, rows) = (Thing("files/x", .files, log), Thing("rows/x", .records, log))
      run = try DeletionRun(journal, steps: [files, rows])
      request = try journal.request("mira", key: "a", received: .now(), grace: try GracePeriod(days: 0))
      signer = try ReceiptSigner()
      pepper = try Pepper([UInt8](repeating: 7, count: 32))
    }

    func agree() async throws {
      let clearance = try ExportClearance.withoutExport(for: request, confirmation: ExportClearance.confirmationWithoutExport)
      try journal.approve(try await run.plan(for: request.id), clearance, identity: "password")
      try journal.move(request.id, to: .scheduled(until: request.deadline))
    }

    func go() async throws -> DeletionRequest {
      try await run.run(request.id, of: RunTests.mira, signer: signer, pepper: pepper)
    }

    var state: DeletionState { get throws { try journal.request(request.id).state } }
  }

  static let mira = DataSubject(id: "mira", email: "Mira@example.com")

  @Test func oneAfterTheOther() async throws {
    let made = try Made()
    let plan = try await made.run.plan(for: made.request.id)
    #expect(plan.steps.map(\.id) == ["rows/x", "files/x"] && plan.hash.utf8.count == 64)
    #expect(try await made.run.plan(for: made.request.id) == plan)
    #expect(try await made.run.plan(for: "another").hash != plan.hash)
    try await made.agree()
    #expect(try await made.go().state == .completed)
    #expect(made.log.all == ["run rows/x", "run files/x"])
    let file = try #require(try made.journal.receipt(of: made.request.id))
    let receipt = try SignedDeletionReceipt(file, signedByOneOf: [made.signer.publicKey])
    #expect(receipt.request == made.request.id && receipt.plan == plan.hash && receipt.identity == "password")
    #expect(receipt.export == "withoutExport" && receipt.bundle == nil && receipt.steps.map(\.id) == ["rows/x", "files/x"])
    #expect(receipt.steps[0].outcome.removed == [StepCount("rows", 3)] && receipt.steps[0].outcome.retained.first?.until == "2031-12-31")
    #expect(receipt.steps[0].outcome.byHand == ["End the subscription."] && receipt.steps[0].outcome.messages.isEmpty)
    // Neither the receipt nor the journal tells of the person.
    let payload = try SignatureCheck(type: SignedDeletionReceipt.type, of: "").payload(of: file, [made.signer.publicKey]).payload
    let state = try Data(contentsOf: made.folder.url.appendingPathComponent("state/deletions.sqlite"))
    for text in [Data(payload), state] { for name in ["mira", "Mira"] { #expect(text.range(of: Data(name.utf8)) == nil) } }
    // RFC 2104, by another implementation.
    let code = try python("import hmac; print(hmac.new(b'\\x07' * 32, b'email mira@example.com', 'sha256').hexdigest())")
    #expect(String(decoding: payload, as: UTF8.self).contains(code.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test func nothingWithoutApproval() async throws {
    let made = try Made()
    await fails(.illegal) { try await made.go() }
    try made.journal.move(made.request.id, to: .scheduled(until: made.request.deadline))
    await fails(.unproven) { try await made.go() }
    #expect(made.log.all.isEmpty)
  }

  @Test func anotherPlanThanTheApproved() async throws {
    let made = try Made()
    try await made.agree()
    made.files.state.withLock { $0.count = 4 }
    await fails(.changed) { try await made.go() }
    #expect(try made.state == .scheduled(until: made.request.deadline) && made.log.all.isEmpty)
    // Back as it was, or approved anew, it goes on.
    made.files.state.withLock { $0.count = 3 }
    try made.journal.approve(again: try await made.run.plan(for: made.request.id))
    #expect(try await made.go().state == .completed)
  }

  @Test func aStepThatFails() async throws {
    let made = try Made()
    try await made.agree()
    made.rows.state.withLock { $0.failures = 2 }
    for _ in 0..<2 {
      await fails(.step) { try await made.go() }
      #expect(try made.state == .failed(step: "rows/x"))
    }
    #expect(made.log.all == ["run rows/x", "run rows/x"], "nothing after it is run")
    #expect(try await made.go().state == .completed)
    #expect(made.log.all.suffix(2) == ["run rows/x", "run files/x"])
  }

  /// What is back by the end is removed again.
  @Test func whatComesBack() async throws {
    let made = try Made()
    try await made.agree()
    made.rows.state.withLock { $0.comesBack = 2 }
    await fails(.step) { try await made.go() }
    #expect(try made.state == .failed(step: "rows/x"))
    #expect(try await made.go().state == .completed)
    #expect(made.log.all == ["run rows/x", "run files/x", "run rows/x"])
  }

  @Test func otherStepsThanItWasBegunWith() async throws {
    let made = try Made()
    try await made.agree()
    made.rows.state.withLock { $0.failures = 1 }
    await fails(.step) { try await made.go() }
    let other = try DeletionRun(made.journal, steps: [made.rows])
    await fails(.illegal) { try await other.run(made.request.id, of: Self.mira, signer: made.signer, pepper: made.pepper) }
    #expect(made.log.all.count == 1)
    #expect(throws: DeletionError.self) { try DeletionRun(made.journal, steps: [made.rows, made.rows]) }
    #expect(throws: DeletionError.self) { try DeletionRun(made.journal, steps: []) }
    // Nor can it be called completed.
    #expect(throws: DeletionError.self) { try made.journal.move(made.request.id, to: .completed) }
  }

  @Test func anotherPersonOrAnotherClock() async throws {
    let made = try Made()
    try await made.agree()
    await fails(.unproven) {
      try await made.run.run(made.request.id, of: DataSubject(id: "jonas"), signer: made.signer, pepper: made.pepper)
    }
    var reading = try ClockReading.current()
    reading.now.seconds += 3 * 86_400
    let odd = reading
    await fails(.clock) { try await made.run.run(made.request.id, of: Self.mira, signer: made.signer, pepper: made.pepper, at: odd) }
    #expect(made.log.all.isEmpty)
  }

  @Test func oneAtATime() async throws {
    let made = try Made()
    try await made.agree()
    do {
      let lock = try made.journal.lock()
      await fails(.conflict) { try await made.go() }
      _ = lock.raw
    }
    #expect(try await made.go().state == .completed)
  }

  @Test func pepper() throws {
    let folder = try TemporaryFolder()
    _ = try DeletionJournal(in: folder.path("state"))
    #expect(throws: DeletionError.self) { try Pepper([1, 2, 3]) }
    for (name, mode, isGood) in [("pepper", 0o600, true), ("open", 0o644, false), ("state/pepper", 0o600, false), ("short", 0o600, false)] {
      let path = try folder.write([UInt8](repeating: 1, count: name == "short" ? 31 : 32), to: name)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.url.path + "/" + name)
      if isGood {
        #expect(throws: Never.self) { try Pepper(file: path, outside: folder.path("state")) }
      } else {
        #expect(throws: DeletionError.self) { try Pepper(file: path, outside: folder.path("state")) }
      }
    }
  }
}

private func fails<Result>(
  _ code: DeletionError.Code, _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
) async {
  await #expect(sourceLocation: location) { _ = try await body() } throws: { ($0 as? DeletionError)?.code == code }
}
