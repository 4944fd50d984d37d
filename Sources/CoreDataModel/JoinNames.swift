/// The names of a many-to-many relationship's own table, seen from one side.
///
/// Either side may have named the table. Each column is named by the relationship that leads to it and the number of the entity that
/// declares the other way; one whose name was taken elsewhere in the entity's tree has a number after it (`Z_19PARENTGROUPS1`). A
/// relationship that is its own inverse has a column `REFLEXIVE` for its destinations.
public struct JoinNames: Sendable, Hashable {
  /// What the table may be called.
  public let tables: [String]
  private let owners: String
  private let members: String
  private let orders: [String]

  /// The columns of a join table.
  public struct Columns: Sendable, Hashable {
    /// The `Z_PK` of the record that has the relationship.
    public var owners: String
    /// The `Z_PK` of a record that it leads to.
    public var members: String
    /// The place among those.
    public var order: String?
  }

  init(_ name: String, of entity: Int64, inverse: String, of other: Int64, isReflexive: Bool) {
    let (name, inverse) = (name.uppercased(), inverse.uppercased())
    tables = isReflexive ? ["Z_\(entity)\(name)"] : ["Z_\(entity)\(name)", "Z_\(other)\(inverse)"]
    owners = "Z_\(entity)\(inverse)"
    members = isReflexive ? "REFLEXIVE" : "Z_\(other)\(name)"
    orders = (isReflexive ? ["FOK_REFLEXIVE"] : []) + ["Z_FOK_\(other)\(name)"]
  }

  /// Finds the columns among those of a table, as `fold` compares names; nil where the table is another's.
  public func columns(among names: [String], folding fold: (String) -> String = { $0.uppercased() }) -> Columns? {
    let folded = names.map(fold)
    func find(_ base: String, besides taken: Int? = nil) -> Int? {
      if let exact = folded.indices.first(where: { folded[$0] == base && $0 != taken }) { return exact }
      return folded.indices.first { $0 != taken && Self.isNumbered(folded[$0], base) && folded[$0] != owners && folded[$0] != members }
    }
    guard let owner = find(owners), let member = find(members, besides: owner) else { return nil }
    let order = orders.lazy.compactMap { find($0) }.first
    return Columns(owners: names[owner], members: names[member], order: order.map { names[$0] })
  }

  /// Whether a name is another with digits after it.
  private static func isNumbered(_ name: String, _ base: String) -> Bool {
    guard name.hasPrefix(base) else { return false }
    let rest = name.utf8.dropFirst(base.utf8.count)
    return !rest.isEmpty && rest.allSatisfy { (0x30...0x39).contains($0) }
  }
}
