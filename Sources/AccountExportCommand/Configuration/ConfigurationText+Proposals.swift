internal import Ownership

extension ConfigurationText {
  /// What a shared store's owner has to decide, as keys of the store to take out of their comments: references that names suggest, keys that say too little, tables that
  /// look as if they named the subject.
  static func proposals(_ plan: OwnershipPlan) throws(CommandError) -> [String] {
    let proposed: [ReferenceProposal]
    do throws(OwnershipError) { proposed = try plan.proposedReferences() } catch { throw CommandError(error) }
    return references(proposed) + roles(plan) + exclusions(plan)
  }

  private static func references(_ proposals: [ReferenceProposal]) -> [String] {
    if proposals.isEmpty { return [] }
    let lines = proposals.map { proposal in
      let reference = proposal.reference
      var members = ["from: \(quoted(reference.from[0]))"]
      if let condition = reference.condition { members.append("when: { \(quoted(condition.column)): \(quoted(condition.value)) }") }
      members.append("to: \(quoted(reference.to[0]))")
      let meaning = (proposal.role.map { "\($0.rawValue): " } ?? "") + proposal.reason
      return "  //{ \(members.joined(separator: ", ")) },  // \(oneLine(meaning))"
    }
    return ["// References that the database doesn't declare, proposed by names and types:", "//references: ["] + lines + ["//],"]
  }

  private static func roles(_ plan: OwnershipPlan) -> [String] {
    let keys = plan.undecidedKeys.filter { plan.schema.keys[$0].columns.count == 1 }
    // A column with several keys needs more than its name.
    let names = keys.map { "\(plan.schema.tables[plan.schema.keys[$0].child].qualifiedName).\(plan.schema.keys[$0].columns[0])" }
    var lines: [String] = []
    for (key, name) in zip(keys, names).sorted(by: { $0.1 < $1.1 }) where names.count(where: { $0 == name }) == 1 {
      lines.append("  //\(quoted(name)): \"undecided\",  // \(oneLine(plan.reason(ofKey: key)))")
    }
    if lines.isEmpty { return [] }
    return [
      "// Keys that don't tell whose a row is; while they don't, it is left out. owner, party, actor or identity decides it:", "//roles: {",
    ]
      + lines + ["//},"]
  }

  private static func exclusions(_ plan: OwnershipPlan) -> [String] {
    let lines = plan.unclaimed.map { table, columns in
      "  //\(quoted(plan.schema.tables[table].qualifiedName)): \"…\",  // \(oneLine(columns.joined(separator: ", ")))"
    }
    if lines.isEmpty { return [] }
    return [
      "// Tables that may name the subject and that no reference reaches. What is nobody's is left out by name, and why:", "//exclude: {",
    ]
      + lines + ["//},"]
  }

  /// Names of a stranger's can't end a comment.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isLineEnd($0) ? " " : $0 }))
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029
  }
}
