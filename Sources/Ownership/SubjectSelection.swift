/// Whose rows are wanted of a database that others share, and what a configuration says about its references; all by name, before the database is known.
public struct SubjectSelection: Sendable, Hashable {
  /// The role of one key.
  public struct KeyRole: Sendable, Hashable {
    /// The key's columns, `table.column` or `schema.table.column`.
    public var columns: [String]
    /// The table that it refers to, where several keys have these columns.
    public var parent: String?
    /// Its role.
    public var role: Role

    /// The role of a key.
    public init(columns: [String], parent: String? = nil, role: Role) {
      self.columns = columns
      self.parent = parent
      self.role = role
    }
  }

  /// The rows that are the subject, each exactly one.
  public var starts: [StartingRow]
  /// References that the database doesn't declare.
  public var references: [ConfiguredReference] = []
  /// Roles in place of those that names suggest.
  public var roles: [KeyRole] = []
  /// Tables that hold people, or don't, whatever they look like.
  public var people: [String: Bool] = [:]
  /// Tables that are left out, whether the walk reaches them or they only look as if they named the subject, with the reason.
  public var exclusions: [String: String] = [:]

  /// The rows of a subject.
  public init(starts: [StartingRow]) {
    self.starts = starts
  }

  /// The same for other starting rows.
  public func starting(from starts: [StartingRow]) -> SubjectSelection {
    var selection = self
    selection.starts = starts
    return selection
  }

  /// The plan for a database with these tables and declared references.
  public func plan(for declared: RelationalSchema) throws(OwnershipError) -> OwnershipPlan {
    var schema = declared
    for reference in references { try schema.configure(reference) }
    for key in roles { try schema.set(role: key.role, ofKey: key.columns, to: key.parent) }
    var choices = OwnershipChoices()
    for (name, holdsPeople) in people { choices.people[try schema.table(named: name)] = holdsPeople }
    for (name, reason) in exclusions { choices.exclusions[try schema.table(named: name)] = reason }
    return try OwnershipPlan(schema: schema, starts: starts, choices: choices)
  }
}
