public import AccountExport
internal import SQLiteReading
internal import SQLiteWriting

/// What was agreed, as the journal has it.
struct Approval: Sendable {
  /// The hash of the plan.
  let plan: String
  /// What was shown of the export, as JSON.
  let clearance: String
  /// How the identity was proved.
  let identity: String
}

extension DeletionJournal {
  /// Notes what was approved: a plan, on the proof of an export. It can be approved anew until deleting begins, since an account that is used
  /// meanwhile has another plan.
  ///
  /// - Parameters:
  ///   - plan: What the person was shown.
  ///   - clearance: What was shown of the export.
  ///   - identity: How the person has proved who they are, in a word or two, without the person in it: `password`, `PAM`.
  public func approve(
    _ plan: DeletionPlan, _ clearance: ExportClearance, identity: String, at now: Timestamp = .now()
  ) throws(DeletionError) {
    if plan.request != clearance.request { throw DeletionError(.illegal, "the plan and the proof of the export are of two requests") }
    if identity.isEmpty { throw DeletionError(.unproven, "it isn't said how the person has proved who they are") }
    try approve(plan.request, at: now) { (database) throws(DeletionError) in
      try database.run(
        "INSERT OR REPLACE INTO approval (request, at, plan, clearance, identity) VALUES (?, ?, ?, ?, ?)",
        [.text(plan.request), .integer(now.seconds), .text(plan.hash), .text(clearance.json()), .text(identity)])
    }
  }

  /// Approves another plan in the place of the one that was: what was shown of the export and of the identity stays.
  public func approve(again plan: DeletionPlan, at now: Timestamp = .now()) throws(DeletionError) {
    try approve(plan.request, at: now) { (database) throws(DeletionError) in
      if try database.approval(of: plan.request) == nil {
        throw DeletionError(.unproven, "nothing was approved for the request \(plan.request) yet")
      }
      try database.run(
        "UPDATE approval SET plan = ?, at = ? WHERE request = ?", [.text(plan.hash), .integer(now.seconds), .text(plan.request)])
    }
  }

  private func approve(
    _ id: String, at now: Timestamp, _ body: (borrowing WritableDatabase) throws(DeletionError) -> Void
  ) throws(DeletionError) {
    try transaction { (database) throws(DeletionError) in
      let request = try database.request(id)
      if !request.state.canBeCancelled {
        throw DeletionError(.illegal, "the request \(id) is \(request.state.name): nothing can be approved any more")
      }
      try body(database)
    }
  }
}

extension WritableDatabase {
  borrowing func approval(of id: String) throws(DeletionError) -> Approval? {
    try rows("SELECT plan, clearance, identity FROM approval WHERE request = ?", [.text(id)]) {
      Approval(plan: $0.text(at: 0), clearance: $0.text(at: 1), identity: $0.text(at: 2))
    }.first
  }

  /// Forgets all that was kept to delete an account.
  borrowing func forget(_ id: String) throws(DeletionError) {
    for table in ["approval", "step"] { try run("DELETE FROM \(table) WHERE request = ?", [.text(id)]) }
  }
}
