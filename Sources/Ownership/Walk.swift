/// The rows that an export for a subject holds, and the count of those that nobody can say about. Sets are by the table's index.
public struct Walk: Sendable {
  /// What the walk was made of.
  public let plan: OwnershipPlan
  /// The rows from which it started.
  public internal(set) var starts: [(table: Int, row: RowHandle)] = []
  /// The rows that are the subject's own.
  public internal(set) var own: [RowSet]
  /// The rows that name the subject beside their owner, and aren't the subject's own.
  public internal(set) var party: [RowSet]
  /// The rows that exported rows refer to, directly or through others, and that are nobody's.
  public internal(set) var lookups: [RowSet]
  /// How many rows of each table refer to the subject's without it being known whose they are: left out.
  public internal(set) var undecided: [Int]

  init(plan: OwnershipPlan) {
    self.plan = plan
    let none = plan.schema.tables.map { _ in RowSet() }
    own = none
    party = none
    lookups = none
    undecided = plan.schema.tables.map { _ in 0 }
  }

  /// The tables of which a collection is written, by index: those with rows, and those that are there even if empty.
  public var collections: [Int] {
    plan.exported.filter { plan.choices.exclusions[$0] == nil && (plan.isWrittenEmpty($0) || !own[$0].isEmpty || !party[$0].isEmpty) }
  }

  /// Lets go of the rows that the configuration leaves out. They were walked from like others: what belongs to them stays.
  mutating func leaveOutExcluded() {
    for table in plan.choices.exclusions.keys {
      (own[table], party[table], lookups[table], undecided[table]) = (RowSet(), RowSet(), RowSet(), 0)
    }
  }

  /// How many rows of a table are exported as records.
  public func count(of table: Int) -> Int { own[table].count + party[table].count }

  /// The rows of a table that are exported as records, ascending.
  public func rows(of table: Int) -> [RowHandle] {
    if party[table].isEmpty { return own[table].sorted() }
    var rows = own[table].sorted()
    party[table].forEach { rows.append($0) }
    rows.sort()
    return rows
  }

  /// Whether nothing is left out that may be the subject's.
  public var isComplete: Bool { plan.unclaimed.isEmpty && undecided.allSatisfy { $0 == 0 } }
}

/// A source that can show its walk beforehand.
public protocol SubjectWalking: Sendable {
  /// The walk to the subject's rows, with its plan; nil where all that the source holds is the subject's. Nothing is written.
  func walk() async throws -> Walk?

  /// The different values of a column (`table.column`) in the rows that are the subject's own: by them another database may know the same person. It throws
  /// where all that the source holds is the subject's.
  func values(of place: String) async throws -> [String]
}
