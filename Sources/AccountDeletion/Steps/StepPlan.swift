public import AccountExport

/// How many things of a kind.
public struct StepCount: Hashable, Sendable {
  /// What they are: `files`, `rows of orders`.
  public let kind: String
  /// How many.
  public let count: Int
  /// Bytes of them together, where they have any.
  public let bytes: UInt64?

  /// Some things.
  public init(_ kind: String, _ count: Int, bytes: UInt64? = nil) { (self.kind, self.count, self.bytes) = (kind, count, bytes) }
}

/// Things that stay, and why.
public struct Remainder: Hashable, Sendable {
  /// What they are.
  public let kind: String
  /// How many.
  public let count: Int
  /// Why they stay: a sentence without the person in it.
  public let reason: String
  /// The last day on which they are kept (`2031-12-31`); nil where none is set.
  public let until: String?

  /// Some things that stay.
  public init(_ kind: String, _ count: Int, reason: String, until: Timestamp? = nil) {
    self.init(kind, count, reason: reason, day: until?.day)
  }

  init(_ kind: String, _ count: Int, reason: String, day: String?) {
    (self.kind, self.count, self.reason, until) = (kind, count, reason, day)
  }
}

/// What a step would do. Nothing in it but `messages` and `detail` may tell of the person.
public struct StepPlan: Hashable, Sendable {
  /// What it would remove.
  public var removed: [StepCount] = []
  /// What it would keep on purpose.
  public var retained: [Remainder] = []
  /// What it can't reach.
  public var unreachable: [Remainder] = []
  /// What else whoever approves the plan should know.
  public var messages: [String] = []
  /// Each thing that is meant, in the step's own words: what comes later is told from it. The journal keeps it until the request is at its end.
  public var detail = ""

  /// A plan that does nothing yet. Of a plan that is carried out, only the detail is known.
  public init(detail: String = "") { self.detail = detail }
}

/// What has come of a step.
public struct StepOutcome: Hashable, Sendable {
  /// What is gone.
  public var removed: [StepCount] = []
  /// What stays on purpose, or because it has come or changed since the plan.
  public var retained: [Remainder] = []
  /// What could not be reached.
  public var unreachable: [Remainder] = []
  /// What whoever runs it should know: paths may be named here. The receipt has none of it.
  public var messages: [String] = []
  /// What a person still has to do, without the person's data in it.
  public var byHand: [String] = []

  /// Nothing done.
  public init() {}
}
