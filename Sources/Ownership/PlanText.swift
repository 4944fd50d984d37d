extension OwnershipPlan {
  /// The plan for people: the walk as a tree, each key with its role and reason, then what is looked up, left out and not reached. With a walk, the counts of rows.
  public func text(counts walk: Walk? = nil) -> String {
    var text = ""
    for root in PlanTree(self).roots { write(root, "", "", walk, to: &text) }
    section(
      "looked up, because rows refer to them",
      lookupKeys.map { key in
        line(key, count: walk.map { $0.lookups[schema.keys[key].parent].count })
      }, to: &text)
    let others = keysNotFollowed
    section(
      "undecided: such rows are left out and counted",
      others.undecided.map { key in
        line(key, count: walk.map { $0.undecided[schema.keys[key].child] })
      }, to: &text)
    section("not followed", others.silent.map { line($0, count: nil) }, to: &text)
    section(
      "other tables of people",
      peopleTables.filter { !people.group.contains($0) }.map { table in
        "\(schema.tables[table].qualifiedName): \(reasonForPeople(table) ?? "")"
      }, to: &text)
    section(
      "unclaimed: they look as if they named the subject, and no reference leads there",
      unclaimed.map { table, columns in
        "\(schema.tables[table].qualifiedName): \(columns.joined(separator: ", "))"
      }, to: &text)
    section("left out by the configuration", excluded.map { "\(schema.tables[$0.table].qualifiedName): \($0.reason)" }, to: &text)
    section("without an index: the whole table is read", keysWithoutIndex.map(schema.description(ofKey:)), to: &text)
    return text
  }

  private func write(_ node: PlanTree.Node, _ first: String, _ rest: String, _ walk: Walk?, to text: inout String) {
    let name = schema.tables[node.table].qualifiedName
    let isParty = node.key.map(directions.isParty) ?? false
    let count = walk.map { isParty ? $0.party[node.table].count : $0.own[node.table].count }
    text += first + name + counted(count)
    if let key = node.key {
      let what = role(ofKey: key)?.rawValue ?? "parent"
      text += "  \(what) by \(schema.description(ofKey: key)): \(reason(ofKey: key))"
    } else {
      text += "  \(reasonForPeople(node.table) ?? "")"
    }
    text += "\n"
    for (index, child) in node.children.enumerated() {
      let isLast = index == node.children.count - 1
      write(child, rest + (isLast ? "└─ " : "├─ "), rest + (isLast ? "   " : "│  "), walk, to: &text)
    }
  }

  private func line(_ key: Int, count: Int?) -> String {
    let role = role(ofKey: key).map { "\($0.rawValue), " } ?? ""
    return schema.description(ofKey: key) + counted(count) + "  \(role)\(reason(ofKey: key))"
  }

  private func counted(_ count: Int?) -> String { count.map { " [\($0)]" } ?? "" }

  private func section(_ title: String, _ lines: [String], to text: inout String) {
    if lines.isEmpty { return }
    text += "\n\(title)\n"
    for line in lines { text += "  \(line)\n" }
  }
}
