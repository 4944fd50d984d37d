public import AccountExport
internal import Files

/// Carries deletions out: plans them, does their steps in order, goes on where a crash or a failure has stopped, and signs what came of it.
public struct DeletionRun: Sendable {
  private let journal: DeletionJournal
  private let steps: [any DeletionStep]

  /// A run of some steps, in the order of their stages, and in the given order within one.
  ///
  /// - Throws: `DeletionError` of code `illegal` where two steps have one name, or a step none, or there are no steps.
  public init(_ journal: DeletionJournal, steps: [any DeletionStep]) throws(DeletionError) {
    if steps.isEmpty { throw DeletionError(.illegal, "a deletion without steps deletes nothing") }
    var names: Set<String> = []
    for step in steps where step.id.isEmpty || !names.insert(step.id).inserted {
      throw DeletionError(.illegal, "the step \(step.id) has no name of its own")
    }
    self.journal = journal
    // Sorting keeps the order of equals only where their places are compared too.
    self.steps = steps.enumerated().sorted { ($0.element.stage, $0.offset) < ($1.element.stage, $1.offset) }.map(\.element)
  }

  /// Finds out what a request would delete now. Nothing is changed by it.
  public func plan(for id: String) async throws -> DeletionPlan {
    var planned: [DeletionPlan.Step] = []
    for step in steps { planned.append(DeletionPlan.Step(id: step.id, stage: step.stage, plan: try await step.plan())) }
    return try DeletionPlan(request: id, steps: planned)
  }

  /// Deletes what was approved, or goes on with it.
  ///
  /// The clocks are noted first, so that none that was set makes a deadline pass. The plan is made anew: where it is another than the one that was
  /// approved, nothing is deleted. Where a step fails, the request is `failed(step)`, nothing after it is done, and this can be called again. A task
  /// that is cancelled leaves the request midway, as a crash does.
  ///
  /// - Parameters:
  ///   - id: The request.
  ///   - subject: Whose account it is: what identifies them goes into the receipt as codes.
  ///   - signer: The key that signs the receipt.
  ///   - pepper: The secret that makes the codes.
  ///   - reading: What the clocks show.
  /// - Returns: the request, completed. ``DeletionJournal/receipt(of:)`` has its receipt.
  @discardableResult
  public func run(
    _ id: String, of subject: DataSubject, signer: borrowing ReceiptSigner, pepper: Pepper, at reading: ClockReading? = nil
  ) async throws -> DeletionRequest {
    let lock = try journal.lock()
    let reading = try reading ?? .current()
    try journal.note(reading)
    let request = try journal.request(id)
    if let known = subject.id, let account = request.account, known != account {
      throw DeletionError(.unproven, "the request \(id) is for another account")
    }
    try await begin(request, at: reading.now)
    try await runSteps(of: id)
    let receipt = try DeletionReceipt.signed(journal, id, try pepper.codes(of: subject), by: signer, at: .now())
    let done = try journal.complete(id, receipt: receipt, at: .now())
    _ = lock.raw
    return done
  }

  private func begin(_ request: DeletionRequest, at now: Timestamp) async throws {
    switch request.state {
    case .scheduled(let until):
      // Said before anything is walked through, and again where it counts.
      if now < until { throw DeletionError(.tooEarly, "the request \(request.id) can be cancelled until \(until.rfc3339)") }
      _ = try journal.approval(of: request.id)
      try journal.begin(try await plan(for: request.id), at: now)
    case .failed: try journal.move(request.id, to: .deleting, at: now)
    case .deleting: break
    case .confirming, .exporting, .completed, .cancelled:
      throw DeletionError(.illegal, "the request \(request.id) is \(request.state.name): there is nothing to carry out")
    }
  }

  private func runSteps(of id: String) async throws {
    let begun = try journal.steps(of: id)
    let places = begun.map { [$0.id, String($0.stage)] }
    if places != steps.map({ [$0.id, String($0.stage.rawValue)] }) {
      throw DeletionError(
        .illegal, "the request \(id) was begun with other steps: \(begun.map(\.id).joined(separator: ", "))",
        hint: "go on with the steps that it was begun with")
    }
    for (noted, step) in zip(begun, steps) where noted.outcome == nil {
      try await failing(step, of: id) {
        try journal.note(beginOf: noted, of: id, at: .now())
        let plan = StepPlan(detail: noted.detail)
        let outcome = try await step.run(plan)
        try await step.verify(plan)
        try journal.note(outcome, of: noted, of: id, at: .now())
      }
    }
    // What an early step has removed may be back by the end of a late one.
    for (noted, step) in zip(begun, steps) {
      try await failing(step, of: id) {
        do { try await step.verify(StepPlan(detail: noted.detail)) } catch {
          try journal.reopen(noted, of: id)
          throw error
        }
      }
    }
  }

  private func failing(_ step: any DeletionStep, of id: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as CancellationError { throw error } catch {
      // Where the journal can't be written, nothing of it can be noted either: the request is midway, as after a crash.
      if let error = error as? DeletionError, error.code == .journal { throw error }
      try journal.move(id, to: .failed(step: step.id))
      let inner = error as? DeletionError
      throw DeletionError(.step, "the step \(step.id) failed: \(error)", hint: inner?.hint)
    }
  }
}
