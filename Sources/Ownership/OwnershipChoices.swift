/// What a configuration decides about whose data it is, beside the roles and references that stand in the schema.
public struct OwnershipChoices: Sendable {
  /// Tables that hold people, or don't, whatever they look like; by their index.
  public var people: [Int: Bool] = [:]
  /// Tables whose rows are left out, whatever the walk finds of them: by their index, the reason. What belongs to such rows is not left out with them.
  public var exclusions: [Int: String] = [:]

  /// Nothing decided.
  public init() {}
}
