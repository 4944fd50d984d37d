public import AccountExport

/// Where a request to delete an account stands. An account without a request is in no state.
public enum DeletionState: Hashable, Sendable {
  /// It was asked for, and the person has yet to prove who they are, see what it means, and confirm.
  case confirming
  /// The account's data is being exported first.
  case exporting
  /// It is agreed, and begins when this moment has come; until then it can be cancelled.
  case scheduled(until: Timestamp)
  /// Steps are being run; there is no way back.
  case deleting
  /// Every step is done, and verified.
  case completed
  /// A step failed. It can be run again.
  case failed(step: String)
  /// It was called off before anything was deleted.
  case cancelled

  /// Whether nothing more comes of the request. A failed one is not at its end: what it has left is still to be deleted.
  public var isFinal: Bool { self == .completed || self == .cancelled }

  /// Whether the person, or the controller, can still call it off.
  public var canBeCancelled: Bool {
    switch self {
    case .confirming, .exporting, .scheduled: true
    case .deleting, .completed, .failed, .cancelled: false
    }
  }

  /// Whether a request may go from this state to another. Times are not looked at here.
  public func canBecome(_ next: DeletionState) -> Bool {
    switch (self, next) {
    // An export can be done without, and can be asked for again where it failed.
    case (.confirming, .exporting), (.confirming, .scheduled), (.exporting, .confirming), (.exporting, .scheduled): true
    case (.scheduled, .deleting), (.deleting, .completed), (.deleting, .failed), (.failed, .deleting): true
    case (_, .cancelled): canBeCancelled
    default: false
    }
  }

  /// The state's name, as the journal and programs have it: `scheduled`.
  public var name: String {
    switch self {
    case .confirming: "confirming"
    case .exporting: "exporting"
    case .scheduled: "scheduled"
    case .deleting: "deleting"
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}
