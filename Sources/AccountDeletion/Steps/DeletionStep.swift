/// One part of a deletion: files of one root, rows of one database, one remote account.
///
/// A step may be stopped by a crash at any point, and is then run again with the plan that it was begun with. All that it does must be safe to
/// repeat, and what it answers must be the same as without the crash: it is counted from the plan and from what is there in the end, never
/// from what this run has done.
public protocol DeletionStep: Sendable {
  /// What the step is called in plans, journals and receipts: it never changes, and says nothing of the person (`files/Notes`).
  var id: String { get }
  /// When it comes.
  var stage: DeletionStage { get }

  /// Finds out what would be removed, kept and not reached. Nothing is changed by it. The same things give the same plan.
  func plan() async throws -> StepPlan

  /// Does what the plan says, and nothing else: what has come or changed since stays, and is told. Of the plan, only its detail is given.
  func run(_ plan: StepPlan) async throws -> StepOutcome

  /// Looks again, and throws where something that the plan was to remove is still there.
  func verify(_ plan: StepPlan) async throws
}

/// When a step comes: stages follow one another in the order here, whatever order the steps are given in.
public enum DeletionStage: Int, CaseIterable, Comparable, Hashable, Sendable {
  /// Subscriptions and whatever else would bring in new data.
  case inflow
  /// Grants of others, for which tokens are still held.
  case grants
  /// The account at a server.
  case serverAccount
  /// Rows, children first.
  case records
  /// Files and whole stores.
  case files
  /// What is kept in a keyring.
  case credentials
  /// Settings.
  case preferences

  /// Earlier or not.
  public static func < (a: DeletionStage, b: DeletionStage) -> Bool { a.rawValue < b.rawValue }

  /// The stage's name, as plans and receipts have it.
  public var name: String { "\(self)" }
}
