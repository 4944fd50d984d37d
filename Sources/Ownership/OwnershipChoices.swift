/// What a configuration decides about whose data it is, beside the roles and references that stand in the schema.
public struct OwnershipChoices: Sendable {
  /// Tables that hold people, or don't, whatever they look like; by their index.
  public var people: [Int: Bool] = [:]
  /// Tables that look as if they named the subject, and are left out all the same: by their index, the reason.
  public var exclusions: [Int: String] = [:]

  /// Nothing decided.
  public init() {}
}
