public import AccountExport

/// A request to delete an account, as the journal has it.
public struct DeletionRequest: Hashable, Sendable {
  /// Its name in every message and receipt: 32 random hexadecimal digits, which say nothing of the person.
  public let id: String
  /// The account, as the controller names it; nil once the request is at its end, when nothing of the person stays here.
  public let account: String?
  /// What whoever asks calls this one request: asking again with it is not another request.
  public let idempotencyKey: String
  /// When it came in: periods count from here.
  public let received: Timestamp
  /// How long the person can change their mind.
  public let gracePeriod: GracePeriod
  /// Where it stands.
  public let state: DeletionState

  /// When deleting may begin.
  public var deadline: Timestamp { gracePeriod.deadline(received: received) }
}
