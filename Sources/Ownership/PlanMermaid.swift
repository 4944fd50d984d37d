extension OwnershipPlan {
  /// The plan as a Mermaid graph (mermaid.js.org): arrows go as the walk goes, whole ones to the subject's own rows, dotted ones to others'.
  public func mermaid(counts walk: Walk? = nil) -> String {
    var text = "flowchart LR\n"
    let shown = reach.entered.union(reach.collected).union(reach.lookups).union(reach.lookedAt).union(unclaimed.map(\.table))
    for table in shown.sorted() {
      let (open, close) = subjects.contains(table) ? ("([", "])") : reach.lookups.contains(table) ? ("[/", "/]") : ("[", "]")
      text += "  t\(table)\(open)\"\(label(schema.tables[table].qualifiedName + counts(of: table, in: walk)))\"\(close)\n"
    }
    let lookedUp = Set(lookupKeys)
    let undecided = Set(keysNotFollowed.undecided)
    for (index, key) in schema.keys.enumerated() {
      let name = label((role(ofKey: index).map { "\($0.rawValue): " } ?? "") + key.columnsText)
      if walks(index) && reach.entered.contains(key.parent) {
        let arrow = directions.isParty(index) ? "-.->" : directions.joins(index) ? "<-->" : "-->"
        text += "  t\(key.parent) \(arrow)|\"\(name)\"| t\(key.child)\n"
      } else if lookedUp.contains(index) {
        text += "  t\(key.child) -.->|\"lookup: \(label(key.columnsText))\"| t\(key.parent)\n"
      } else if undecided.contains(index) {
        text += "  t\(key.parent) -.-x|\"\(name)\"| t\(key.child)\n"
      }
    }
    for (table, _) in unclaimed { text += "  style t\(table) stroke-dasharray: 5 5\n" }
    return text
  }

  private func counts(of table: Int, in walk: Walk?) -> String {
    guard let walk else { return "" }
    let rows = walk.count(of: table) + walk.lookups[table].count
    let parts = [(rows, rows == 1 ? "row" : "rows"), (walk.undecided[table], "undecided")].filter { $0.0 > 0 }
    return parts.isEmpty ? "" : " (" + parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + ")"
  }

  /// A text inside quotation marks: Mermaid reads entities there, and Markdown where it begins with a backtick.
  private func label(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { label, scalar in
      switch scalar {
      case "\"", "#", "&", "<", ">", "`", "\\", "|", ";": label += "#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f: label += " "
      default: label.unicodeScalars.append(scalar)
      }
    }
  }
}
