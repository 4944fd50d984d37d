internal import JSONReading

/// What a column or key is to its siblings: it may name one (`meta_key`), or be named by one (`meta_value`).
struct PairRole: Sendable, Equatable {
  /// The groups of pairs in which its text names others, one bit each, and those in which it is named.
  var names: UInt32 = 0, values: UInt32 = 0
  /// The words that it shares with its partner, hashed; 0 where it has none.
  var stem: UInt64 = 0

  static let none = PairRole()

  /// Whether this one's text may be the name of the other's value.
  func mayName(_ value: PairRole) -> Bool { names & value.values != 0 }
}

/// Which names belong together: one says what the other's value is.
struct NamePairs: Sendable {
  private var groups: [(names: Set<String>, values: Set<String>)] = []

  /// The pairs of a data file.
  init(_ root: JSONValue) throws {
    guard let list = root["pairs"]?.elements, list.count <= 32 else {
      throw ExportError(.configuration, "the masking rules have no list `pairs` of 32 groups at most")
    }
    groups = try list.map { (Set(try NameTerms.texts("names", in: $0)), Set(try NameTerms.texts("values", in: $0))) }
  }

  /// The role of a name by its words. The last one tells, and the others are what partners share; numbers at the end are shared too.
  func role(_ parts: [String]) -> PairRole {
    guard let place = parts.lastIndex(where: { !isNumber($0) }) else { return .none }
    var role = PairRole()
    for (index, group) in groups.enumerated() {
      if group.names.contains(parts[place]) { role.names |= 1 << UInt32(index) }
      if group.values.contains(parts[place]) { role.values |= 1 << UInt32(index) }
    }
    var stem = parts
    stem.remove(at: place)
    if role != .none && !stem.isEmpty { role.stem = hash(stem.joined(separator: " ").utf8) }
    return role
  }

  /// For each column, those whose texts name its value. Partners share their other words; the only name without a partner goes with a value where one
  /// of the two has no other words (`setting_name`, `value`).
  func naming(_ columns: [[String]]) -> [[Int]] {
    let roles = columns.map(role)
    // A table may have tens of thousands of columns: each is looked up, none is held against all others.
    var byStem: [UInt64: [Int]] = [:]
    for name in roles.indices where roles[name].names != 0 { byStem[roles[name].stem, default: []].append(name) }
    var naming = roles.indices.map { value in
      if roles[value].values == 0 { return [Int]() }
      let near = byStem[roles[value].stem] ?? []
      return Array(near.lazy.filter { $0 != value && roles[$0].mayName(roles[value]) }.prefix(Self.mostNames))
    }
    let free = FreeNames(roles, taken: Set(naming.joined()))
    for value in roles.indices where roles[value].values != 0 {
      if let only = free.only(for: value, roles[value]) { naming[value].append(only) }
    }
    return naming
  }

  /// No value has more names than there are words for one.
  private static let mostNames = 16
}

/// Columns that name another and have no partner yet: for each group of pairs the first few of them, and the first few without other words.
private struct FreeNames {
  private var all = [[Int]](repeating: [], count: 32)
  private var bare = [[Int]](repeating: [], count: 32)

  init(_ roles: [PairRole], taken: Set<Int>) {
    for name in roles.indices where roles[name].names != 0 && !taken.contains(name) {
      for group in 0..<32 where roles[name].names & 1 << UInt32(group) != 0 {
        if all[group].count < 3 { all[group].append(name) }
        if roles[name].stem == 0 && bare[group].count < 3 { bare[group].append(name) }
      }
    }
  }

  /// The only one that a value may go with; nil where there is none, or more than one.
  func only(for value: Int, _ role: PairRole) -> Int? {
    var found: Int?
    for group in 0..<32 where role.values & 1 << UInt32(group) != 0 {
      for name in role.stem == 0 ? all[group] : bare[group] where name != value {
        if found != nil && found != name { return nil }
        found = name
      }
    }
    return found
  }
}
