/// A plan as a tree: what the walk enters, from the subject's tables down.
struct PlanTree {
  /// A table, and the key by which it is come to.
  struct Node {
    var table: Int
    /// Nil where the walk starts.
    var key: Int?
    var children: [Node] = []
  }

  private(set) var roots: [Node] = []
  private var shown: Set<Int> = []
  private let plan: OwnershipPlan

  init(_ plan: OwnershipPlan) {
    self.plan = plan
    for subject in plan.subjects where !shown.contains(subject) { roots.append(node(subject, by: nil)) }
  }

  /// A table is opened once; where another key comes to it too, it is only named. Parties aren't opened: the walk stops there.
  private mutating func node(_ table: Int, by key: Int?) -> Node {
    var node = Node(table: table, key: key)
    let goesOn = key.map { !plan.directions.isParty($0) } ?? true
    guard goesOn, shown.insert(table).inserted else { return node }
    for index in plan.schema.keysTo[table] where index != key && plan.walks(index) {
      node.children.append(self.node(plan.schema.keys[index].child, by: index))
    }
    for index in plan.schema.keysFrom[table] where index != key && plan.directions.joins(index) {
      let parent = plan.schema.keys[index].parent
      if !shown.contains(parent) { node.children.append(self.node(parent, by: index)) }
    }
    return node
  }
}

extension OwnershipPlan {
  /// The keys that lead to entered tables and by which nothing is exported, though rows may be found by them, and those by which none is looked for.
  var keysNotFollowed: (undecided: [Int], silent: [Int]) {
    let reaching = schema.keys.indices.filter { reach.entered.contains(schema.keys[$0].parent) && !walks($0) }
    return (reaching.filter(leavesOpen), reaching.filter { !leavesOpen($0) })
  }

  /// The keys by which rows are looked up.
  var lookupKeys: [Int] {
    let from = reach.entered.union(reach.collected).union(reach.lookups)
    return schema.keys.indices.filter { from.contains(schema.keys[$0].child) && reach.lookups.contains(schema.keys[$0].parent) }
  }
}
