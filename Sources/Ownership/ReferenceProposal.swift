/// A reference that the database doesn't declare and that names and types suggest: for a person to confirm in the configuration.
public struct ReferenceProposal: Sendable, Hashable {
  /// The reference as the configuration writes it. A condition's value is the name of the table that is referred to, in the singular and with a capital,
  /// as many frameworks write it.
  public let reference: ConfiguredReference
  /// What it would say about its rows; nil where it leads to nobody.
  public let role: Role?
  /// Why, in words.
  public let reason: String
}

extension OwnershipPlan {
  /// The references that names and types suggest beside those that the plan knows, in the order of the tables and their columns.
  ///
  /// A column is proposed where its name ends with a table's and says that it refers (`notes.author_user_id` and `users.id`), or is a mail column of a table
  /// that the walk doesn't reach (`newsletter.customer_email` and `customers.email`); where the types can be the same; and where the other table has a key
  /// of one column. One that stands beside a column of types (`owner_type` beside `owner_id`) is proposed for the subject's table, with its condition.
  ///
  /// - Throws: What the plan with the proposals throws.
  public func proposedReferences(rules: OwnershipRules = .standard) throws(OwnershipError) -> [ReferenceProposal] {
    let candidates = ReferenceCandidates(self, rules)
    var proposed = schema
    var found: [ConfiguredReference] = []
    for reference in candidates.references {
      // Names that aren't unique can't be configured, so they are no proposal.
      do throws(OwnershipError) { try proposed.configure(reference) } catch { continue }
      found.append(reference)
    }
    if found.isEmpty { return [] }
    let first = schema.keys.count
    let plan = try OwnershipPlan(schema: proposed, subjects: subjects, choices: choices, rules: rules)
    return zip(found, first...).map { reference, index in
      ReferenceProposal(reference: reference, role: plan.role(ofKey: index), reason: plan.reason(ofKey: index))
    }
  }

  /// The keys of which the plan can't tell whose their rows are.
  public var undecidedKeys: [Int] { schema.keys.indices.filter { role(ofKey: $0) == .undecided } }
}

/// The columns that may refer to something.
private struct ReferenceCandidates {
  private let plan: OwnershipPlan
  private let rules: OwnershipRules
  /// The words of each table's name.
  private let names: [[String]]
  private(set) var references: [ConfiguredReference] = []

  init(_ plan: OwnershipPlan, _ rules: OwnershipRules) {
    (self.plan, self.rules) = (plan, rules)
    names = plan.schema.tables.map { rules.words(of: $0.name) }
    let unclaimed = Set(plan.unclaimed.map(\.table))
    for table in plan.schema.tables.indices {
      let known = Set(plan.schema.keysFrom[table].flatMap { plan.schema.keys[$0].columns })
      for column in plan.schema.tables[table].columns where !known.contains(column.name) {
        if let reference = reference(from: column, of: table, isUnclaimed: unclaimed.contains(table)) { references.append(reference) }
      }
    }
  }

  private func reference(from column: TableShape.Column, of table: Int, isUnclaimed: Bool) -> ConfiguredReference? {
    let shape = plan.schema.tables[table]
    if shape.primaryKey == [column.name] { return nil }
    let all = NameWords.all(of: column.name)
    let words = rules.words(of: column.name)
    if let last = all.last, rules[.reference].contains(last) {
      if let condition = condition(beside: column, of: table), let subject = plan.subjects.first {
        return to(subject, from: column, of: table, where: condition)
      }
      guard let parent = parent(named: words) else { return nil }
      return to(parent, from: column, of: table)
    }
    guard isUnclaimed, words.contains(where: rules[.mail].contains) else { return nil }
    for subject in plan.subjects {
      guard let mail = plan.schema.tables[subject].columns.first(where: { isMail($0.name) }) else { continue }
      return Self.fits(column.declaredType, mail.declaredType) ? written(shape, column.name, plan.schema.tables[subject], mail.name) : nil
    }
    return nil
  }

  private func isMail(_ column: String) -> Bool {
    let words = rules.words(of: column)
    return !words.isEmpty && words.allSatisfy(rules[.mail].contains)
  }

  /// The table whose name the words end with; of several the one with most words.
  private func parent(named words: [String]) -> Int? {
    let ending = names.indices.filter { !names[$0].isEmpty && words.suffix(names[$0].count).elementsEqual(names[$0]) }
    guard let most = ending.map({ names[$0].count }).max() else { return nil }
    let longest = ending.filter { names[$0].count == most }
    return longest.count == 1 ? longest[0] : nil
  }

  private func to(
    _ parent: Int, from column: TableShape.Column, of table: Int, where condition: ForeignKey.Condition? = nil
  ) -> ConfiguredReference? {
    let target = plan.schema.tables[parent]
    guard target.primaryKey.count == 1, let key = target.columns.first(where: { $0.name == target.primaryKey[0] }),
      Self.fits(column.declaredType, key.declaredType)
    else { return nil }
    var reference = written(plan.schema.tables[table], column.name, target, key.name)
    reference.condition = condition
    return reference
  }

  private func written(_ shape: TableShape, _ column: String, _ target: TableShape, _ key: String) -> ConfiguredReference {
    ConfiguredReference(from: ["\(shape.qualifiedName).\(column)"], to: ["\(target.qualifiedName).\(key)"])
  }

  /// `owner_type` beside `owner_id`, with what stands there for the subject's table in most frameworks: `User`.
  private func condition(beside column: TableShape.Column, of table: Int) -> ForeignKey.Condition? {
    let shape = plan.schema.tables[table]
    let stem = NameWords.all(of: column.name).dropLast()
    guard !stem.isEmpty, let subject = plan.subjects.first,
      let kind = shape.columns.first(where: { NameWords.all(of: $0.name) == stem + ["type"] })
    else { return nil }
    let value = names[subject].map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return ForeignKey.Condition(column: "\(shape.qualifiedName).\(kind.name)", value: value)
  }

  /// Whether values of two declared types can be equal. What declares none, or one of its own, may be anything.
  private static func fits(_ one: String?, _ other: String?) -> Bool {
    guard let one = family(one), let other = family(other) else { return true }
    return one == other
  }

  private static func family(_ type: String?) -> String? {
    guard let type = type?.lowercased() else { return nil }
    if type.contains("uuid") { return "uuid" }
    if type.contains("int") || type.contains("serial") { return "int" }
    if type.contains("char") || type.contains("text") || type.contains("clob") { return "text" }
    return nil
  }
}
