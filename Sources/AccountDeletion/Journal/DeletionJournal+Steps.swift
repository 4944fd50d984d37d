internal import AccountExport
internal import SQLiteReading
internal import SQLiteWriting

/// A step of a deletion that was begun, as the journal has it.
struct JournalledStep: Sendable {
  let number: Int64
  let id: String
  let stage: Int64
  /// What its plan has noted of each thing.
  let detail: String
  /// What came of it, as JSON; nil while it isn't done.
  let outcome: String?
}

extension DeletionJournal {
  /// Begins to delete: the plan that was approved is kept, step by step, and there is no way back.
  ///
  /// - Throws: `DeletionError` of code `changed` where another plan was approved, `unproven` where none was.
  func begin(_ plan: DeletionPlan, at now: Timestamp) throws(DeletionError) {
    try transaction { (database) throws(DeletionError) in
      let request = try database.request(plan.request)
      try database.check(request, becoming: .deleting, at: now)
      guard let approval = try database.approval(of: plan.request) else {
        throw DeletionError(.unproven, "no plan was approved for the request \(plan.request)")
      }
      if approval.plan != plan.hash {
        throw DeletionError(
          .changed, "what would be deleted is not what was approved: the plan is \(plan.hash) now, and was \(approval.plan)",
          hint: "export again what has changed, and approve the new plan")
      }
      for (number, step) in plan.steps.enumerated() {
        try database.run(
          "INSERT INTO step (request, number, id, stage, detail) VALUES (?, ?, ?, ?, ?)",
          [
            .text(plan.request), .integer(Int64(number)), .text(step.id), .integer(Int64(step.stage.rawValue)), .text(step.plan.detail),
          ])
      }
      _ = try database.move(request, to: .deleting, at: now)
    }
  }

  /// The steps of a deletion that was begun, in their order.
  func steps(of id: String) throws(DeletionError) -> [JournalledStep] {
    try transaction { (database) throws(DeletionError) in
      try database.rows("SELECT number, id, stage, detail, outcome FROM step WHERE request = ? ORDER BY number", [.text(id)]) {
        JournalledStep(
          number: $0.integer(at: 0), id: $0.text(at: 1), stage: $0.integer(at: 2), detail: $0.text(at: 3),
          outcome: $0.name(at: 4).map { String(decoding: $0.bytes, as: UTF8.self) })
      }
    }
  }

  /// Notes that a step begins; again after a crash.
  func note(beginOf step: JournalledStep, of id: String, at now: Timestamp) throws(DeletionError) {
    try transaction { (database) throws(DeletionError) in
      try database.run(
        "UPDATE step SET begun = coalesce(begun, ?) WHERE request = ? AND number = ?",
        [.integer(now.seconds), .text(id), .integer(step.number)])
    }
  }

  /// Notes that a step is done, and what came of it.
  func note(_ outcome: StepOutcome, of step: JournalledStep, of id: String, at now: Timestamp) throws(DeletionError) {
    try transaction { (database) throws(DeletionError) in
      try database.run(
        "UPDATE step SET ended = ?, outcome = ? WHERE request = ? AND number = ?",
        [.integer(now.seconds), .text(outcome.json()), .text(id), .integer(step.number)])
    }
  }

  /// Notes that a step that was done is to be done again: what it had removed is back.
  func reopen(_ step: JournalledStep, of id: String) throws(DeletionError) {
    try transaction { (database) throws(DeletionError) in
      try database.run("UPDATE step SET ended = NULL, outcome = NULL WHERE request = ? AND number = ?", [.text(id), .integer(step.number)])
    }
  }

  /// What was agreed on the deletion.
  func approval(of id: String) throws(DeletionError) -> Approval {
    let found = try transaction { (database) throws(DeletionError) in try database.approval(of: id) }
    guard let found else { throw DeletionError(.unproven, "no plan was approved for the request \(id)") }
    return found
  }

  /// Ends a deletion with its receipt: both or neither.
  func complete(_ id: String, receipt: [UInt8], at now: Timestamp) throws(DeletionError) -> DeletionRequest {
    try transaction { (database) throws(DeletionError) in
      let request = try database.request(id)
      try database.check(request, becoming: .completed, at: now)
      try database.run(
        "INSERT INTO receipt (request, receipt) VALUES (?, ?)", [.text(id), .text(String(decoding: receipt, as: UTF8.self))])
      return try database.move(request, to: .completed, at: now)
    }
  }

  /// The signed receipt of a deletion that is completed.
  public func receipt(of id: String) throws(DeletionError) -> [UInt8]? {
    try transaction { (database) throws(DeletionError) in
      try database.rows("SELECT receipt FROM receipt WHERE request = ?", [.text(id)]) { Array($0.text(at: 0).utf8) }.first
    }
  }
}

extension WritableDatabase {
  /// The names of the steps that aren't done.
  borrowing func openSteps(of id: String) throws(DeletionError) -> [String] {
    try rows("SELECT id FROM step WHERE request = ? AND ended IS NULL ORDER BY number", [.text(id)]) { $0.text(at: 0) }
  }

  /// Whether a request may go to a state now.
  borrowing func check(_ request: DeletionRequest, becoming state: DeletionState, at now: Timestamp) throws(DeletionError) {
    guard request.state.canBecome(state) else {
      throw DeletionError(.illegal, "the request \(request.id) is \(request.state.name), and can't become \(state.name)")
    }
    if case .scheduled(let until) = request.state, state == .deleting, now < until {
      throw DeletionError(.tooEarly, "the request \(request.id) can be cancelled until \(until.rfc3339)")
    }
    if case .scheduled(let until) = state, until < request.deadline {
      throw DeletionError(.illegal, "the request \(request.id) was promised a grace period until \(request.deadline.rfc3339)")
    }
    if state == .completed, let open = try openSteps(of: request.id).first {
      throw DeletionError(.illegal, "the request \(request.id) is not completed: the step \(open) is not done")
    }
  }
}
