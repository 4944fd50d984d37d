import Ownership

/// A database with tables, keys, names and nulls by chance, and what is known of its names without reading them.
struct MadeDatabase {
  /// What a key's name says, as it was made to say.
  struct Meaning {
    var child = 0, parent = 0
    var columns: [Int] = [], parentColumns: [Int] = []
    var isUnique = false, cascades = false, leads = false
    var isNamed = false, ownActor = false, anyActor = false, leadingOwner = false, anyOwner = false, leadingParty = false
  }

  private(set) var written: WrittenDatabase
  private(set) var keys: [Meaning] = []
  private(set) var looksLikePeople: [Bool] = []

  init(seed: UInt64) {
    var chance = Chance(state: seed)
    var text = ""
    let count = 2 + chance.below(29)
    let nouns = (0..<count).map { ["t", "account", "staff", "t"][$0 == 0 ? 0 : chance.below(4)] + "\($0)" }
    // Some tables refer to nobody: what is looked up.
    let plain = (0..<count).filter { $0 > 0 && chance.below(4) == 0 }
    var made: [Meaning] = []
    for table in 0..<count {
      let isPeople = table == 0 || (chance.below(7) == 0 && !plain.contains(table))
      looksLikePeople.append(isPeople)
      var columns = ["id*!", "kind"] + (isPeople ? ["name", "email"] : [])
      var composites = ""
      for _ in 0..<(chance.below(4) + (table == 0 ? 0 : 1)) {
        let before = chance.below(max(table, 1))
        // Mostly to people and to tables before, so that chains grow long.
        var parent = [0, before, before, chance.below(count)][chance.below(4)]
        if plain.contains(table) { parent = plain[chance.below(plain.count)] }
        let prefix = prefixes[chance.below(prefixes.count)]
        Self.addKey(from: table, to: parent, prefix, nouns: nouns, &columns, &composites, &made, &chance)
        // A recipient beside the sender.
        let isSent = prefix == "sender_" && chance.below(2) == 0
        if isSent { Self.addKey(from: table, to: parent, "recipient_", nouns: nouns, &columns, &composites, &made, &chance) }
      }
      text += "\(nouns[table]): \(columns.joined(separator: " "))\n\(composites)"
      text += Self.rows(of: table, columns: columns.count, made, &chance)
    }
    keys = made
    written = WrittenDatabase(text)
    precondition(written.schema.keys.count == made.count)
  }

  private static func addKey(
    from table: Int, to parent: Int, _ prefix: String, nouns: [String], _ columns: inout [String], _ composites: inout String,
    _ made: inout [Meaning], _ chance: inout Chance
  ) {
    let name = "\(prefix)\(nouns[parent])_id"
    if columns.contains(where: { $0.hasPrefix(name) }) { return }
    var key = Meaning(child: table, parent: parent, columns: [columns.count], parentColumns: [0])
    let isComposite = chance.below(8) == 0
    key.isUnique = !isComposite && chance.below(6) == 0
    key.cascades = chance.below(4) == 0
    key.leads = !isComposite && !made.contains { $0.child == table && $0.leads } && chance.below(3) == 0
    key.isNamed = prefix.isEmpty
    key.ownActor = prefix == "approved_by_"
    key.anyActor = key.ownActor || nouns[parent].hasPrefix("staff")
    key.leadingOwner = prefix == "owner_" || prefix == "sender_"
    key.anyOwner = nouns[parent].hasPrefix("account")
    key.leadingParty = prefix == "recipient_" || prefix == "to_"
    if isComposite {
      key.columns.append(columns.count + 1)
      key.parentColumns.append(1)
      columns += [name, "\(prefix)\(nouns[parent])_kind"]
      composites += "(\(name),\(prefix)\(nouns[parent])_kind)>\(nouns[parent]).id,kind\(key.cascades ? "~" : "")\n"
    } else {
      columns.append("\(name)\(key.leads ? "**" : "")>\(nouns[parent]).id\(key.isUnique ? "!" : "")\(key.cascades ? "~" : "")")
    }
    made.append(key)
  }

  private static func rows(of table: Int, columns: Int, _ made: [Meaning], _ chance: inout Chance) -> String {
    var text = ""
    var used: [Int: Set<Int>] = [:]
    for row in 1...(table == 0 ? 20 : 4 + chance.below(14)) {
      var values = [String](repeating: "x", count: columns)
      values[0] = "\(row)"
      values[1] = row % 5 == 4 ? "-" : "k\(row % 3)"
      for (index, key) in made.enumerated() where key.child == table {
        var parent = 1 + chance.below(14)
        if key.isUnique, !used[index, default: []].insert(parent).inserted { parent = -1 }
        let isNull = parent < 0 || chance.below(4) == 0
        values[key.columns[0]] = isNull ? "-" : "\(parent)"
        if key.columns.count > 1 { values[key.columns[1]] = chance.below(6) == 0 ? "-" : "k\(max(parent, 0) % 3)" }
      }
      text += "= \(values.joined(separator: " "))\n"
    }
    return text
  }
}

private let prefixes = ["", "", "owner_", "sender_", "approved_by_", "recipient_", "to_", "other_", "old_owner_"]

/// Numbers that look like chance and repeat (SplitMix64).
struct Chance {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
